/**
 * Finds an operation of a document by method and path, and writes messages for operations that are missing or
 * in several documents.
 */

import { nearest } from "../../../base/nearest.ts";
import type { ApiDocument } from "../../openapi/document/api-document.ts";
import type { OperationEntry } from "../../openapi/request/operation-list.ts";

export interface OperationTarget {
  document: ApiDocument;
  entry: OperationEntry;
}

/**
 * Finds the operation with this method and path, with or without a trailing slash. Undefined if there is
 * none.
 */
export function findOperation(
  document: ApiDocument,
  { method, path }: { method: string; path: string },
): OperationEntry | undefined {
  const kind = method === "WEBHOOK" ? "webhook" : "operation";
  const candidates = document.operations.filter(
    (entry) => entry.kind === kind && (kind === "webhook" || entry.method.toUpperCase() === method),
  );
  const trimmed = (text: string) => (text.length > 1 ? text.replace(/\/$/, "") : text);
  return (
    candidates.find((entry) => entry.path === path) ??
    candidates.find((entry) => trimmed(entry.path) === trimmed(path))
  );
}

/**
 * Returns the message and hint for a reference that matches several documents. `text`: the reference as
 * written. `entry`: the reference without the document's name.
 */
export function ambiguousEntry(
  text: string,
  documents: readonly ApiDocument[],
  entry: string,
): [message: string, hint: string] {
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

/**
 * Returns the message and hint for an operation that none of the documents contains. `method`: in uppercase;
 * `WEBHOOK` for a webhook.
 */
export function missingOperation(
  documents: readonly ApiDocument[],
  { method, path }: { method: string; path: string },
): [string, string | undefined] {
  const all = documents.flatMap(({ operations }) => operations);
  const listed = (names: string[]) =>
    `${[...new Set(names)].slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`;

  if (method === "WEBHOOK") {
    const names = all.filter((entry) => entry.kind === "webhook").map((entry) => entry.path);
    return [
      missingIn(documents, `webhook ${JSON.stringify(path)}`),
      names.length ? `Available: ${listed(names)}.` : undefined,
    ];
  }

  const there = all.filter((entry) => entry.path === path).map((entry) => entry.method.toUpperCase());
  if (there.length) return [missingIn(documents, `${method} ${path}`), `Available: ${listed(there)}.`];
  const paths = all.filter((entry) => entry.kind === "operation").map((entry) => entry.path);
  return [
    missingIn(documents, `path ${path}`),
    didYouMean(nearest(path, paths)) ?? `Available: ${listed(paths)}.`,
  ];
}

export function didYouMean(near: string | undefined): string | undefined {
  return near && `Did you mean ${near}?`;
}
