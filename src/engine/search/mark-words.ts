import type { MarkedText, QueryTerm } from "./search-hit.ts";
import { tokens } from "./terms.ts";

/** Splits a text into parts that match a query and parts that don't match. */
export function markWords(text: string, terms: readonly QueryTerm[], language: string): MarkedText[] {
  const wanted = new Set(terms.flatMap(({ term, also }) => [term, ...also]));
  const marked: MarkedText[] = [];
  let position = 0;
  for (const { start, end, terms: found } of tokens(text, language)) {
    if (start < position || !found.some((term) => wanted.has(term))) continue;
    if (start > position) marked.push({ text: text.slice(position, start), isMatch: false });
    marked.push({ text: text.slice(start, end), isMatch: true });
    position = end;
  }
  if (position < text.length) marked.push({ text: text.slice(position), isMatch: false });
  return marked;
}
