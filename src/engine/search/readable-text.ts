/** Converts the Markdown of a passage to readable text, for search snippets and excerpts of sections. */

import { plainText } from "./plain-text.ts";

/**
 * Converts Markdown to plain text on one line. A table row becomes `name: value; value`. Leaves out table
 * headers.
 */
export function readableText(markdown: string): string {
  const lines = markdown.split("\n");
  const isRule = (line: string | undefined) => line !== undefined && /^\s*\|[\s:|-]+\|?\s*$/.test(line);
  const kept = lines.flatMap((line, index) =>
    isRule(line) || isRule(lines[index + 1]) ? [] : [isRow(line) ? sentenceOf(line) : line],
  );
  return plainText(kept.join("\n"));
}

function isRow(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line);
}

function sentenceOf(row: string): string {
  const [name, ...values] = row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter(Boolean);
  const text = values.length > 0 ? `${name}: ${values.join("; ")}` : (name ?? "");
  return /[.!?。！？]$/.test(text) || text === "" ? text : `${text}.`;
}
