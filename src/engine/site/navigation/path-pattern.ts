/**
 * Matches paths against redirect sources with wildcards: `/old/:slug*`, `/beta-*`, `/user/:id/profile`.
 * Doesn't backtrack.
 */

import { limits } from "../../../base/limits.ts";

export interface PathPattern {
  /** The texts before, between and after the wildcards, which can be empty. */
  parts: readonly string[];
  /** The name of each wildcard; `*` if it has none. */
  names: readonly string[];
  /** Whether each wildcard matches exactly one path segment: text that isn't empty and has no slash. */
  isOneSegment: boolean;
}

const wildcard = /:([A-Za-z_]\w*)\*?|\*/g;

/** Parses a redirect source. Undefined if it has no wildcard or more than three. */
export function readPattern(source: string): PathPattern | undefined {
  const names = [...source.matchAll(wildcard)].map((match) => match[1] ?? "*");
  if (names.length === 0 || names.length > limits.redirects.sourceWildcards_count) return undefined;
  return { parts: source.split(/:[A-Za-z_]\w*\*?|\*/), names, isOneSegment: !source.includes("*") };
}

/** Returns the number of wildcards in a text. */
export function wildcardsIn(text: string): number {
  return text.match(wildcard)?.length ?? 0;
}

/** Returns a text that is the same for patterns that match the same paths. */
export function shapeOf({ parts, isOneSegment }: PathPattern): string {
  return JSON.stringify([isOneSegment, ...parts]);
}

/**
 * Returns the text that each wildcard matches, by name. Undefined if the path doesn't match. Earlier
 * wildcards match as much text as possible. `/old/:slug*` also matches `/old`.
 */
export function matchPattern(pattern: PathPattern, path: string): Map<string, string> | undefined {
  const { parts, isOneSegment } = pattern;
  const hasOptionalEnd = !isOneSegment && parts.at(-1) === "" && parts.at(-2)!.endsWith("/");
  return matchWhole(pattern, path) ?? (hasOptionalEnd ? matchWhole(pattern, `${path}/`) : undefined);
}

function matchWhole(
  { parts, names, isOneSegment }: PathPattern,
  path: string,
): Map<string, string> | undefined {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length)
    return undefined;

  const captured: string[] = [];
  let end = path.length - last.length;
  for (let index = parts.length - 2; index >= 0; index--) {
    const part = parts[index]!;
    const at = index === 0 ? 0 : lastIndexOf(path, part, end);
    if (index > 0 && at < first.length) return undefined;
    const text = path.slice(at + part.length, end);
    if (isOneSegment && (text === "" || text.includes("/"))) return undefined;
    captured.unshift(text);
    end = at;
  }

  return new Map(names.map((name, index) => [name, captured[index]!]));
}

/**
 * Returns the last position in `text` at which `part` occurs before `end`, or -1. Takes linear time, unlike
 * the built-in function (Knuth-Morris-Pratt, from right to left).
 */
function lastIndexOf(text: string, part: string, end: number): number {
  if (part === "") return end;
  const last = part.length - 1;

  /** For each number of matched characters, the number of them that still match after a mismatch. */
  const fallback = new Uint16Array(part.length + 1);
  for (let length = 1, matched = 0; length < part.length; length++) {
    while (matched > 0 && part[last - length] !== part[last - matched]) matched = fallback[matched]!;
    if (part[last - length] === part[last - matched]) matched++;
    fallback[length + 1] = matched;
  }

  for (let at = end - 1, matched = 0; at >= 0; at--) {
    while (matched > 0 && text[at] !== part[last - matched]) matched = fallback[matched]!;
    if (text[at] === part[last - matched]) matched++;
    if (matched === part.length) return at;
  }

  return -1;
}

/**
 * Replaces each wildcard with the text captured under the same name, or else with the text that the first
 * wildcard captured.
 */
export function fillPattern(
  text: string,
  captured: ReadonlyMap<string, string>,
  encode: (text: string) => string,
): string {
  const [first = ""] = captured.values();
  return text.replace(wildcard, (_, name: string | undefined) => encode(captured.get(name ?? "*") ?? first));
}
