/**
 * Splits the Markdown of a section into its titles and quotable parts: sentences, list items, table rows,
 * code.
 */

export interface Quotable {
  kind: "sentence" | "item" | "table" | "code" | "title";
  /**
   * The Markdown of the part. Includes the table's header for a table row, and the indented content for a
   * list item.
   */
  text: string;
  /** Offset in the section. */
  start: number;
  /** Number of the block. Parts with the same number belong to the same paragraph, list or table. */
  block: number;
}

interface Block {
  kind: "paragraph" | "list" | "table" | "code" | "title";
  lines: { text: string; start: number }[];
}

const fenceMark = /^\s*(`{3,}|~{3,})/;
const itemMark = /^(?:[-*+]|\d{1,9}[.)])\s+/;

export function quotables(markdown: string, language: string): Quotable[] {
  return blocksOf(markdown).flatMap((block, number) => partsOf(block, number, markdown, language));
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let fence: string | undefined;
  let start = 0;

  const begin = (kind: Block["kind"]) => {
    open = { kind, lines: [] };
    blocks.push(open);
  };

  for (const text of markdown.split("\n")) {
    const mark = fenceMark.exec(text)?.[1];
    if (fence !== undefined) {
      open!.lines.push({ text, start });
      if (mark?.startsWith(fence) && text.trim() === mark) {
        fence = undefined;
        if (open!.kind === "code") open = undefined;
      }
    } else if (text.trim() === "") {
      // Indented text after an empty line continues a list.
      if (open?.kind === "list") open.lines.push({ text, start });
      else open = undefined;
    } else {
      const isIndented = /^\s{2,}/.test(text);
      if (
        open?.kind === "list" &&
        !isIndented &&
        !itemMark.test(text) &&
        open.lines.at(-1)!.text.trim() === ""
      )
        open = undefined;
      if (open?.kind === "list" && (isIndented || itemMark.test(text))) fence = mark;
      else if (mark !== undefined) {
        begin("code");
        fence = mark;
      } else if (itemMark.test(text)) begin("list");
      else if (text.trimStart().startsWith("|")) {
        if (open?.kind !== "table") begin("table");
      } else if (/^#{1,6}\s|^\*\*[^*]+\*\*$/.test(text)) begin("title");
      else if (open?.kind !== "paragraph" && open?.kind !== "list") begin("paragraph");
      open!.lines.push({ text, start });
      if (open!.kind === "title") open = undefined;
    }
    start += text.length + 1;
  }

  return blocks;
}

function partsOf({ kind, lines }: Block, block: number, markdown: string, language: string): Quotable[] {
  const [first] = lines;
  const from = first!.start;
  const end = lines.at(-1)!.start + lines.at(-1)!.text.length;
  const text = markdown.slice(from, end).trimEnd();
  if (kind === "code" || kind === "title") return [{ kind, text, start: from, block }];

  if (kind === "paragraph")
    return sentences(text, language).map(({ text: sentence, start }) => ({
      kind: "sentence",
      text: sentence,
      start: from + start,
      block,
    }));

  if (kind === "table") {
    const [head, rule, ...rows] = lines;
    if (!rule || !/^[\s:|-]+$/.test(rule.text)) return [{ kind: "sentence", text, start: from, block }];
    return rows.map((row) => ({
      kind: "table",
      text: `${head!.text}\n${rule.text}\n${row.text}`,
      start: row.start,
      block,
    }));
  }

  const items: Quotable[] = [];
  for (const line of lines) {
    if (itemMark.test(line.text)) items.push({ kind: "item", text: line.text, start: line.start, block });
    else if (items.length) items.at(-1)!.text += `\n${line.text}`;
  }

  return items.map((item) => ({ ...item, text: item.text.trimEnd() }));
}

/**
 * Splits text into sentences, but not inside code, brackets or bold text, and not after common abbreviations.
 */
function sentences(text: string, language: string): { text: string; start: number }[] {
  const parts: { text: string; start: number }[] = [];
  for (const { segment, index } of new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)) {
    const last = parts.at(-1);
    if (last && !isWhole(last.text)) last.text += segment;
    else parts.push({ text: segment, start: index });
  }
  return parts
    .map(({ text: sentence, start }) => ({ text: sentence.trimEnd(), start }))
    .filter((part) => part.text !== "");
}

function isWhole(text: string): boolean {
  const plain = text.replace(/(`+)[^`]+\1/g, "");
  if (/\b(?:e\.g|i\.e|vs|etc|approx|incl|resp|bzw|z\.B|p\.\s?ej)\.\s*$/i.test(plain)) return false;
  const count = (mark: RegExp) => (plain.match(mark) ?? []).length;
  return (
    !plain.includes("`") &&
    count(/\[/g) === count(/\]/g) &&
    count(/\(/g) <= count(/\)/g) &&
    count(/\*\*/g) % 2 === 0
  );
}

/** Minimum number of words of a text for readers, without those in code. */
const leastProse_words = 2;
const fieldLine = /^\s*[-*+]\s+`[^`]+`\s+(?:\(`|→)/m;

/** Whether a section lists the fields of a request or response. */
export function listsFields(markdown: string): boolean {
  return fieldLine.test(markdown);
}

/** Whether a part is text for readers: neither a field of an operation nor mostly code. */
export function isProse(text: string): boolean {
  const words = text.replace(/(`+)[^`]+\1/g, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    !fieldLine.test(text) && (words.length >= leastProse_words || /[\p{sc=Han}\p{sc=Thai}]{4}/u.test(text))
  );
}
