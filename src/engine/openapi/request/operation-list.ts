/** Lists all operations of a document, and then all of its webhooks. */

import { child, entries, type Located, type Refs } from "../nodes/refs.ts";
import { methodsOf, operationNode } from "./operation.ts";

export interface OperationEntry {
  kind: "operation" | "webhook";
  /** Key of the operation in the path item. Lowercase, except for additional operations. */
  method: string;
  /** Path of the operation, or name of the webhook. */
  path: string;
  /** The path item as in the document, which can be a `$ref`. */
  pathItem: Located;
  /** The operation's node. */
  node: Located;
}

/**
 * Returns the text that identifies an operation or webhook for authors: `GET /users`, or `webhook
 * user.created`.
 */
export function operationLabel({ kind, method, path }: OperationEntry): string {
  return kind === "webhook" ? `webhook ${path}` : `${method.toUpperCase()} ${path}`;
}

export function listOperations(refs: Refs): OperationEntry[] {
  const root = { value: refs.root, pointer: "#" };
  return (["paths", "webhooks"] as const).flatMap((field) =>
    entries(child(root, field)).flatMap(([path, pathItem]) => {
      const item = path.startsWith("x-") ? undefined : refs.follow(pathItem);
      return item
        ? methodsOf(item).map(
            (method): OperationEntry => ({
              kind: field === "paths" ? "operation" : "webhook",
              method,
              path,
              pathItem,
              node: operationNode(item, method)!,
            }),
          )
        : [];
    }),
  );
}
