/** What a request's headers ask of a file: its form, a part of it, or nothing when it is known. */
import type { Encoding } from "../layout/site-manifest.ts";

/** Weight by name, as `Accept` and its kin list them. */
function weights(header: string | undefined): Map<string, number> {
  const listed = new Map<string, number>();
  for (const part of (header ?? "").split(",")) {
    const [name = "", ...parameters] = part.trim().toLowerCase().split(";");
    const q = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
    const weight = q === undefined ? 1 : Number(q);
    if (name.trim()) listed.set(name.trim(), Number.isNaN(weight) ? 0 : weight);
  }
  return listed;
}

/** The packed form that the reader takes, among those that there are; the smaller one when both are alike. */
export function packedForm(header: string | undefined, available: Partial<Record<Encoding, number>>): Encoding | undefined {
  if (!header) return undefined;
  const listed = weights(header);
  const weightOf = (name: string) => listed.get(name) ?? listed.get("*") ?? 0;
  const plain = listed.get("identity") ?? 0;
  const usable = (["br", "gzip"] as const).filter((name) => available[name] !== undefined && weightOf(name) > 0 && weightOf(name) >= plain);
  return usable.sort((a, b) => weightOf(b) - weightOf(a) || available[a]! - available[b]!)[0];
}

/** A program that asks for text before it would take HTML. */
export function wantsMarkdown(accept: string | undefined): boolean {
  if (!accept || !/text\/(?:markdown|plain)/i.test(accept)) return false;
  const listed = weights(accept);
  const text = Math.max(listed.get("text/markdown") ?? 0, listed.get("text/plain") ?? 0);
  return text > 0 && text > Math.max(listed.get("text/html") ?? 0, listed.get("application/xhtml+xml") ?? 0);
}

/** A browser that would show a page, not a script or a program that fetches a file. */
export function wantsHtml(accept: string | undefined): boolean {
  return /text\/html/i.test(accept ?? "");
}

/** Whether `If-None-Match` names the entity: tags of ours are strong, and are compared as weak ones, as caches do. */
export function isKnown(header: string | undefined, etag: string): boolean {
  return header !== undefined && (header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));
}

/** The bytes that `Range` asks for, the last one inclusive; undefined for the whole file. Several ranges are not cut out: the whole is as good. */
export function askedRange(header: string | undefined, size: number): { start: number; end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(first) > Number(last)) return undefined;
  return start > end || start >= size ? "unsatisfiable" : { start, end };
}
