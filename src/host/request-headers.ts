/** Parses headers for content negotiation, conditional requests and range requests (RFC 9110, 12 to 14). */

import type { IncomingMessage } from "node:http";
import type { ContentEncoding } from "../layout/site-manifest.ts";

/**
 * Parses `Accept` or `Accept-Encoding`. Returns the weight (`q`) of each media type or encoding (RFC 9110,
 * section 12.4.2).
 */
function weights(header: string | undefined): Map<string, number> {
  const listed = new Map<string, number>();
  for (const part of (header ?? "").split(",")) {
    const [name = "", ...parameters] = part.trim().toLowerCase().split(";");
    const q = parameters
      .map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1])
      .find((text) => text !== undefined);
    const weight = q === undefined ? 1 : Number(q);
    if (name.trim()) listed.set(name.trim(), Number.isNaN(weight) ? 0 : weight);
  }
  return listed;
}

/**
 * Returns the available encoding that the client prefers. If the weights are equal, returns the encoding with
 * the smaller file. Undefined if the client prefers the uncompressed file or accepts none of the available
 * encodings.
 */
export function contentEncoding(
  header: string | undefined,
  available: Partial<Record<ContentEncoding, number>>,
): ContentEncoding | undefined {
  if (!header) return undefined;
  const listed = weights(header);
  const weightOf = (name: string) => listed.get(name) ?? listed.get("*") ?? 0;
  const plain = listed.get("identity") ?? 0;
  const usable = (["br", "gzip"] as const).filter(
    (name) => available[name] !== undefined && weightOf(name) > 0 && weightOf(name) >= plain,
  );
  return usable.sort((a, b) => weightOf(b) - weightOf(a) || available[a]! - available[b]!)[0];
}

/** Whether the client prefers Markdown or plain text over HTML. */
export function wantsMarkdown(accept: string | undefined): boolean {
  if (!accept || !/text\/(?:markdown|plain)/i.test(accept)) return false;
  const listed = weights(accept);
  const text = Math.max(listed.get("text/markdown") ?? 0, listed.get("text/plain") ?? 0);
  return text > 0 && text > Math.max(listed.get("text/html") ?? 0, listed.get("application/xhtml+xml") ?? 0);
}

/** Whether the client lists HTML explicitly in `Accept`, as browsers do for pages. */
export function wantsHtml(accept: string | undefined): boolean {
  return /text\/html/i.test(accept ?? "");
}

/** Whether `If-None-Match` is `*` or contains the ETag, by weak comparison (RFC 9110, 13.1.2). */
export function isNotModified(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    (header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))
  );
}

/**
 * Returns the requested byte range; `end` is inclusive. Undefined for the whole file, including if the header
 * is invalid or has several ranges, which a server may ignore (RFC 9110, section 14.2).
 */
export function requestedRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(first) > Number(last)) return undefined;
  return start > end || start >= size ? "unsatisfiable" : { start, end };
}

/** Returns the token of a request with the `Bearer` scheme (RFC 6750). Undefined without this scheme. */
export function bearerTokenOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(.*)$/is.exec(headers.authorization ?? "")?.[1];
}
