import { markWords } from "./mark-words.ts";
import { readableText } from "./readable-text.ts";
import type { MarkedText, QueryTerm } from "./search-hit.ts";
import { tokens } from "./terms.ts";

/**
 * Returns the part of a passage whose distinct matching terms have the highest total idf, as plain text of
 * about `length_chars` characters, split into words that match and other text. Code blocks are left out,
 * unless the passage contains nothing else. Empty if it contains nothing but JSON or markup.
 */
export function snippet(
  markdown: string,
  terms: readonly QueryTerm[],
  language: string,
  length_chars: number,
): MarkedText[] {
  const text = readableText(withoutCode(markdown)) || readableText(markdown).replace(/^[[{<].*$/s, "");
  const wanted = new Map(
    terms.flatMap(({ term, also, idf }) => [term, ...also].map((name) => [name, idf] as const)),
  );

  const places = [...tokens(text, language)].flatMap(({ start, terms: found }) => {
    const term = found.find((name) => wanted.has(name));
    return term === undefined ? [] : [{ start, term }];
  });

  let best = { start: 0, idfSum: 0 };
  for (const { start } of places) {
    const within = new Set(
      places
        .filter((other) => other.start >= start && other.start < start + length_chars * 0.8)
        .map(({ term }) => term),
    );
    const idfSum = [...within].reduce((sum, term) => sum + wanted.get(term)!, 0);
    if (idfSum > best.idfSum) best = { start, idfSum };
  }

  const from = best.start < length_chars / 3 ? 0 : wordStart(text, best.start - length_chars / 5);
  const end = from + length_chars >= text.length ? text.length : wordStart(text, from + length_chars);
  const marked = markWords(text.slice(from, end).trim(), terms, language);
  return [
    ...(from > 0 ? [{ text: "… ", isMatch: false }] : []),
    ...marked,
    ...(end < text.length ? [{ text: " …", isMatch: false }] : []),
  ];
}

/** Removes fenced code blocks, and parts of blocks that continue in the passage before or after this one. */
function withoutCode(markdown: string): string {
  const lines = markdown
    .split("\n")
    .map((line) => ({ line, mark: /^(?:`{3,}|~{3,})/.exec(line.trimStart())?.[0] ?? "" }));
  const isBare = ({ line, mark }: { line: string; mark: string }) => line.trim() === mark;
  const first = lines.findIndex(({ mark }) => mark !== "");

  // Blocks start with their language and end without it. If a language follows an end, the first end belongs
  // to the passage before.
  const next = lines.slice(first + 1).find(({ mark }) => mark !== "");
  if (first >= 0 && isBare(lines[first]!) && (!next || !isBare(next))) lines.splice(0, first + 1);
  const kept: string[] = [];
  let fence = "";
  for (const each of lines) {
    if (fence !== "") {
      if (each.mark.startsWith(fence) && isBare(each)) fence = "";
    } else if (each.mark === "") kept.push(each.line);
    else fence = each.mark;
  }

  return kept.join("\n");
}

/** Returns the offset after the next space, or `place` if there is no space in the next 25 characters. */
function wordStart(text: string, place: number): number {
  const at = Math.floor(place);
  const space = text.indexOf(" ", at);
  return space < 0 || space > at + 25 ? at : space + 1;
}
