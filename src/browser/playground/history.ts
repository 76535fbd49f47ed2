/** Stores the last requests of an operation for this tab, without credentials. */

import { jsonText } from "../../engine/openapi/nodes/json-text.ts";
import { readOfReader, writeOfReader } from "../reader-storage.ts";
import type { Draft } from "./draft.ts";
import { readJson } from "./exact-json.ts";
import { isSecretParameter } from "./secret-parameters.ts";
import { withoutFiles } from "./without-files.ts";

/** Maximum number of stored requests. */
const entries_count = 15;
/** Maximum length of a stored request in characters. Longer requests aren't stored. */
const entry_chars = 60_000;

export interface HistoryEntry {
  /** Time at which the request was sent, in milliseconds since the Unix epoch. */
  at: number;
  method: string;
  /** Path below the server's URL, without the query, which may contain a key. */
  path: string;
  /** HTTP status of the response. Undefined if there was no response. */
  status?: number;
  /** Duration of the request in milliseconds. */
  ms: number;
  draft: StoredDraft;
}

/** The part of a draft that can be stored: no credentials, secret parameters or files. */
export type StoredDraft = Pick<
  Draft,
  "server" | "variables" | "parameters" | "mediaType" | "bodies" | "choices"
>;

/** Returns the stored requests, the latest one first. `key` is the key in `sessionStorage`. */
export function readHistory(key: string): HistoryEntry[] {
  try {
    const list = readJson(readOfReader("sessionStorage", key) ?? "[]");
    return Array.isArray(list) ? (list as HistoryEntry[]) : [];
  } catch {
    return [];
  }
}

/** Stores a request, unless it is too large. Returns the new history. */
export function addToHistory(key: string, entry: HistoryEntry): HistoryEntry[] {
  const before = readHistory(key);
  if (jsonText(entry).length > entry_chars) return before;
  const list = [entry, ...before].slice(0, entries_count);
  writeOfReader("sessionStorage", key, jsonText(list));
  return list;
}

/** Returns the part of a draft that can be stored, without credentials, secret parameters and files. */
export function storedDraft(draft: Draft): StoredDraft {
  const { server, variables, mediaType, choices } = draft;
  const parameters = Object.fromEntries(
    Object.entries(draft.parameters).filter(([key]) => !isSecretParameter(key)),
  );
  const bodies = Object.fromEntries(
    Object.entries(draft.bodies).map(([type, body]) => [type, { ...body, value: withoutFiles(body.value) }]),
  );

  return {
    server,
    variables,
    parameters: withoutFiles(parameters) as Draft["parameters"],
    mediaType,
    bodies,
    choices,
  };
}

/** Deletes the stored requests. Returns the new, empty history. */
export function clearHistory(key: string): HistoryEntry[] {
  writeOfReader("sessionStorage", key, undefined);
  return [];
}
