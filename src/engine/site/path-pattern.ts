/** Sources with wildcards: `/old/:slug*`, `/beta-*`, `/user/:id/profile`. Matched without going back: a path cannot make it slow. */

export interface PathPattern {
  /** The texts between the wildcards. */
  parts: readonly string[];
  /** A name for each wildcard; `*` for one without. */
  names: readonly string[];
  /** Wildcards end at the next slash. */
  isOneSegment: boolean;
}

const wildcard = /:([A-Za-z_]\w*)\*?|\*/g;

/** Undefined when there is no wildcard, or more than three. */
export function readPattern(source: string): PathPattern | undefined {
  const names = [...source.matchAll(wildcard)].map((match) => match[1] ?? "*");
  if (names.length === 0 || names.length > 3) return undefined;
  return { parts: source.split(/:[A-Za-z_]\w*\*?|\*/), names, isOneSegment: !source.includes("*") };
}

/** What each wildcard stands for, by its name; undefined when the path does not match. Earlier wildcards take as much as they can. */
export function matchPattern({ parts, names, isOneSegment }: PathPattern, path: string): Map<string, string> | undefined {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return undefined;
  const captured: string[] = [];
  let end = path.length - last.length;
  for (let index = parts.length - 2; index >= 0; index--) {
    const part = parts[index]!;
    const at = index === 0 ? 0 : end - part.length < 0 ? -1 : path.lastIndexOf(part, end - part.length);
    if (index > 0 && at < first.length) return undefined;
    const text = path.slice(at + part.length, end);
    if (isOneSegment && (text === "" || text.includes("/"))) return undefined;
    captured.unshift(text);
    end = at;
  }
  return new Map(names.map((name, index) => [name, captured[index]!]));
}

/** Puts what was captured in the place of a pattern's wildcards; where nothing is named so, what the first one took. */
export function fillPattern(text: string, captured: ReadonlyMap<string, string>, encode: (text: string) => string): string {
  const [first = ""] = captured.values();
  return text.replace(wildcard, (_, name: string | undefined) => encode(captured.get(name ?? "*") ?? first));
}
