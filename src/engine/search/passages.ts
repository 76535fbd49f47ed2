/**
 * Splits the Markdown of a section into passages of limited size, so that several matching terms are close to
 * each other.
 */

import { limits } from "../../base/limits.ts";

/**
 * Splits Markdown into passages of at most `limits.passage_chars` characters: between blocks, and in longer
 * blocks between lines. Each part of a table repeats the table's header, and each part of a code block has a
 * fence. Parts with a long header or fence can exceed the limit.
 */
export function passagesOf(markdown: string): string[] {
  const most = limits.passage_chars;
  const passages: string[] = [];
  let current = "";
  for (const block of blocksOf(markdown)) {
    for (const piece of block.length > most ? pieces(block, most) : [block]) {
      const joined = current === "" ? piece : `${current}\n\n${piece}`;
      if (joined.length <= most) current = joined;
      else {
        if (current) passages.push(current);
        current = piece;
      }
    }
  }

  if (current) passages.push(current);
  return passages;
}

/**
 * Splits Markdown into the blocks between blank lines. Blank lines in a fenced code block don't separate
 * blocks.
 */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const mark =
      line.includes("```") || line.includes("~~~")
        ? /^\s*(?:[->*]\s+)*(`{3,}|~{3,})/.exec(line)?.[1]
        : undefined;
    if (fence === undefined && line.trim() === "") {
      if (blocks.at(-1)!.length) blocks.push([]);
      continue;
    }
    blocks.at(-1)!.push(line);
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
  }

  return blocks.filter((block) => block.length).map((block) => block.join("\n"));
}

function pieces(block: string, most: number): string[] {
  const lines = block.split("\n");
  const mark = /^\s*(`{3,}|~{3,})/.exec(block)?.[1];
  if (mark) {
    const body = lines.at(-1)!.trim() === mark ? lines.slice(1, -1) : lines.slice(1);
    return packed(body, Math.max(most - lines[0]!.length - mark.length - 2, most / 2)).map(
      (code) => `${lines[0]}\n${code}\n${mark}`,
    );
  }

  if (/^\s*\|/.test(block) && /^\s*\|[\s:|-]+$/.test(lines[1] ?? "")) {
    const head = `${lines[0]}\n${lines[1]}`;
    return packed(lines.slice(2), Math.max(most - head.length - 1, most / 2)).map(
      (rows) => `${head}\n${rows}`,
    );
  }

  return packed(lines, most);
}

function packed(lines: readonly string[], most: number): string[] {
  const parts: string[] = [];
  let current: string | undefined;
  for (const line of lines.flatMap((text) => (text.length > most ? sentences(text, most) : [text]))) {
    if (current !== undefined && current.length + line.length + 1 <= most) current += `\n${line}`;
    else {
      if (current !== undefined) parts.push(current);
      current = line;
    }
  }
  if (current !== undefined) parts.push(current);
  return parts;
}

/** Splits a long line after a sentence or semicolon, or else after a word, or else anywhere. */
function sentences(line: string, most: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > most) {
    const window = rest.slice(0, most);
    const sentence = Math.max(
      ...[". ", "? ", "! ", "。", "？", "！", "; "].map(
        (end) => window.lastIndexOf(end) + end.trimEnd().length,
      ),
    );
    const cut =
      sentence > most / 3
        ? sentence
        : window.lastIndexOf(" ") > most / 3
          ? window.lastIndexOf(" ")
          : safeCut(window);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }

  return rest ? [...parts, rest] : parts;
}

/** Returns the length of the text, or one less if the text ends within a surrogate pair. */
function safeCut(window: string): number {
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}
