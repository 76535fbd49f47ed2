/** The last requests of an operation, kept in this tab only and without credentials. */
import { jsonText } from "../../engine/openapi/json-text.ts";
import { keep, kept } from "../storage.ts";
import type { Draft } from "./draft.ts";
import { readJson } from "./exact-json.ts";
import { withoutFiles } from "./without-files.ts";

const entries_count = 15;
/** Larger requests are not kept: the tab's storage is small. */
const entry_chars = 60_000;

export interface HistoryEntry {
  /** Milliseconds since 1970. */
  at: number;
  method: string;
  /** Path and query as the document has them; no address, which may hold a key. */
  path: string;
  /** Undefined when no answer came. */
  status?: number;
  ms: number;
  draft: KeptDraft;
}

/** What a reader typed, but for credentials and files. */
export type KeptDraft = Pick<Draft, "server" | "variables" | "parameters" | "mediaType" | "bodies" | "choices">;

export function readHistory(key: string): HistoryEntry[] {
  try {
    const list = readJson(kept("sessionStorage", key) ?? "[]");
    return Array.isArray(list) ? (list as HistoryEntry[]) : [];
  } catch {
    return [];
  }
}

export function addToHistory(key: string, entry: HistoryEntry): HistoryEntry[] {
  const before = readHistory(key);
  if (jsonText(entry).length > entry_chars) return before;
  const list = [entry, ...before].slice(0, entries_count);
  keep("sessionStorage", key, jsonText(list));
  return list;
}

export function keptDraft(draft: Draft): KeptDraft {
  const { server, variables, mediaType, choices } = draft;
  const parameters = Object.fromEntries(Object.entries(draft.parameters).filter(([key]) => !/^cookie\.|authorization$/i.test(key)));
  const bodies = Object.fromEntries(
    Object.entries(draft.bodies).map(([type, body]) => [type, { ...body, value: withoutFiles(body.value) }]),
  );
  return { server, variables, parameters: withoutFiles(parameters) as Draft["parameters"], mediaType, bodies, choices };
}

export function clearHistory(key: string): HistoryEntry[] {
  keep("sessionStorage", key, undefined);
  return [];
}
