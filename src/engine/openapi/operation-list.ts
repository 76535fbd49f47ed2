/** All operations and webhooks of a document in the order of their pages. */
import { methodsOf, operationNode } from "./operation.ts";
import { child, entries, type Located, type Refs } from "./refs.ts";

export interface OperationEntry {
  kind: "operation" | "webhook";
  /** Key in the path item: lower case except for additional operations. */
  method: string;
  /** Path, or name of the webhook. */
  path: string;
  pathItem: Located;
  node: Located;
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
