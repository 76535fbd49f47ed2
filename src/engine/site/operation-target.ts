/**
 * Finds an operation of a document by method and path, and reads its visibility and groups. Writes messages for operations that are
 * missing or in several documents.
 */

import { nearest } from "../../base/nearest.ts";
import { mayRestrictAccess } from "../access-words.ts";
import { checkFrontmatter } from "../config/frontmatter.ts";
import type { ApiDocument } from "../openapi/api-document.ts";
import { platformExtension } from "../openapi/extensions.ts";
import type { OperationEntry } from "../openapi/operation-list.ts";
import { isRaw, own } from "../openapi/refs.ts";

export interface OperationTarget {
  document: ApiDocument;
  entry: OperationEntry;
}

/** Whether an operation has `x-hidden` or `x-excluded`, regardless of the value. */
export function isHidden(operation: unknown): boolean {
  return isRaw(operation) && (Object.hasOwn(operation, "x-hidden") || Object.hasOwn(operation, "x-excluded"));
}

/**
 * Returns the combined groups of an operation, its path item and their metadata. Empty if the operation is internal, or if one of them has
 * an access rule that Octavo doesn't know. Undefined if there are no groups and no such rules.
 */
export function groupsOf(target: OperationTarget): string[] | undefined {
  if (isInternal(target) || unknownRule(target) !== undefined) return [];
  const named = accessLevels(target)
    .map(([, level]) => own(level, "groups"))
    .filter((groups) => groups !== undefined && groups !== null);
  return named.length ? [...new Set(named.flatMap((groups) => checkFrontmatter({ groups }, () => {}).groups ?? []))] : undefined;
}

/** Whether an operation or its path item has `x-internal`, with any value except `false`. Several tools leave out such operations. */
function isInternal({ document, entry }: OperationTarget): boolean {
  return [document.refs.follow(entry.pathItem), entry.node].some(
    (node) => ![undefined, null, false].includes(own(node?.value, "x-internal") as never),
  );
}

/** Returns the name of an operation's first access rule that Octavo doesn't know. Undefined if there is none. */
export function unknownRule(target: OperationTarget): string | undefined {
  for (const [name, level] of accessLevels(target))
    for (const [key, value] of isRaw(level) ? Object.entries(level) : []) {
      const isKnown = key === "groups" || (key === "public" && name === operationMetadata);
      if (!isKnown && mayRestrictAccess(key, value)) return `${name}.${key}`;
    }
  return undefined;
}

const operationMetadata = "x-platform.metadata";

/** The objects that can have an operation's access rules, and their names in messages. */
function accessLevels({ document, entry }: OperationTarget): [name: string, level: unknown][] {
  const item = platformExtension(document.refs.follow(entry.pathItem)?.value);
  const extension = platformExtension(entry.node.value);
  return [
    ["x-platform of the path", item],
    ["x-platform.metadata of the path", item.metadata],
    ["x-platform", extension],
    [operationMetadata, extension.metadata],
  ];
}

/** Finds the operation with this method and path, with or without a trailing slash. Undefined if there is none. */
export function findOperation(document: ApiDocument, { method, path }: { method: string; path: string }): OperationEntry | undefined {
  const kind = method === "WEBHOOK" ? "webhook" : "operation";
  const candidates = document.operations.filter(
    (entry) => entry.kind === kind && (kind === "webhook" || entry.method.toUpperCase() === method),
  );
  const trimmed = (text: string) => (text.length > 1 ? text.replace(/\/$/, "") : text);
  return candidates.find((entry) => entry.path === path) ?? candidates.find((entry) => trimmed(entry.path) === trimmed(path));
}

/**
 * Returns the message and hint for a reference that matches several documents. `text`: the reference as written. `entry`: the reference
 * without the document's name.
 */
export function ambiguousEntry(text: string, documents: readonly ApiDocument[], entry: string): [message: string, hint: string] {
  const files = documents.map(({ file }) => file);
  return [
    `${JSON.stringify(text)} is in several documents (${files.join(", ")}), so the first one is used`,
    `To choose a document, write ${JSON.stringify(`${files[0]} ${entry}`.trim())}.`,
  ];
}

/** Returns the message for an operation or schema that none of the documents contains. */
export function missingIn(documents: readonly ApiDocument[], what: string): string {
  return `${documents.map(({ file }) => file).join(", ")} ${documents.length === 1 ? "has" : "have"} no ${what}`;
}

/** Returns the message and hint for an operation that none of the documents contains. */
export function missingOperation(
  documents: readonly ApiDocument[],
  { method, path }: { method: string; path: string },
): [string, string | undefined] {
  const all = documents.flatMap(({ operations }) => operations);
  const listed = (names: string[]) => `${[...new Set(names)].slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;
  if (method === "WEBHOOK") {
    const names = all.filter((entry) => entry.kind === "webhook").map((entry) => entry.path);
    return [missingIn(documents, `webhook ${JSON.stringify(path)}`), names.length ? `Available: ${listed(names)}.` : undefined];
  }
  const there = all.filter((entry) => entry.path === path).map((entry) => entry.method.toUpperCase());
  if (there.length) return [missingIn(documents, `${method} ${path}`), `Available: ${listed(there)}.`];
  const paths = all.filter((entry) => entry.kind === "operation").map((entry) => entry.path);
  return [missingIn(documents, `path ${path}`), didYouMean(nearest(path, paths)) ?? `Available: ${listed(paths)}.`];
}

export function didYouMean(near: string | undefined): string | undefined {
  return near && `Did you mean ${near}?`;
}
