/**
 * Parses text in Chinese, Japanese, or Korean. Such text has no blanks around marks and URLs, which the rules
 * of Markdown rely on: bold text that ends in punctuation needs a blank after it, and a URL ends at a blank.
 */

import type { Nodes, Root, Text } from "mdast";

/** Takes the place of a letter next to a mark while a text is parsed. It's punctuation. */
const letterPlaceholder = "\u2e4d";
/**
 * Takes the place of a sign after a URL while a text is parsed. In Markdown, it's a blank that isn't removed.
 */
const signPlaceholder = "\f";
/** Takes the place of a sign before `www.` while a text is parsed. Otherwise, such a URL ends at a space. */
const startPlaceholder = "(";

const hasCjk = /[\u1100-\u11ff\u2e80-\uffee]/;
const letter = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]";
const mark = "(?<![\\\\*~])(?:\\*{1,3}|~~)(?![*~])";
const anyMark = new RegExp(mark, "g");
const isLetter = new RegExp(`^${letter}$`, "u");
const isPunctuation = /^[\p{P}\p{S}]$/u;
const letterAtMark = new RegExp(
  `${letter}(?=${mark}[\\p{P}\\p{S}])|(?<=[\\p{P}\\p{S}]${mark})${letter}`,
  "gu",
);
const sign = /[、。〈-】〔-〛…‘’“”（），．：；？！～｛｝「」]/g;
const urlStart = /https?:\/\/|www\./i;

/** Parses a text. Marks next to letters and signs after URLs have the meaning that their authors expect. */
export function parseWithCjk(text: string, parse: (text: string) => Root): Root {
  const tree = parse(text);

  if (
    !/[*:]|~~|www\./.test(text) ||
    !hasCjk.test(text) ||
    text.includes(letterPlaceholder) ||
    text.includes(signPlaceholder)
  )
    return tree;

  const replaced = new Map([...letters(tree, text), ...signs(tree, text)]);
  if (replaced.size === 0) return tree;
  const units = text.split("");
  for (const [index, placeholder] of replaced) units[index] = placeholder;
  const changed = parse(units.join(""));
  for (const node of nodesIn(changed)) if (node.type === "text") restore(node, text, replaced);

  return changed;
}

/** Nodes whose text is a single run for marks: a mark that one opens ends in the same run. */
const runs = new Set(["paragraph", "heading", "tableCell"]);
const codes = new Set(["inlineCode", "inlineMath", "mdxTextExpression"]);

/**
 * Returns the positions of letters before a mark that starts emphasis in front of punctuation, and after one
 * that ends emphasis behind punctuation. CommonMark 0.31.2, section 6.2, doesn't read these as emphasis.
 */
function letters(tree: Root, text: string): [number, string][] {
  letterAtMark.lastIndex = 0;
  if (!letterAtMark.test(text)) return [];

  const isText = new Uint8Array(text.length);
  const isCode = new Uint8Array(text.length);
  const blocks: { start: number; end: number }[] = [];
  for (const node of nodesIn(tree)) {
    const [start, end] = [node.position?.start.offset, node.position?.end.offset];
    if (start === undefined || end === undefined) continue;
    if (node.type === "text") isText.fill(1, start, end);
    else if (codes.has(node.type)) isCode.fill(1, start, end);
    else if (runs.has(node.type) || hasText(node)) blocks.push({ start, end });
  }

  return blocks
    .flatMap(({ start, end }) =>
      lettersIn(text.slice(start, end), (index) => isCode[start + index] === 1, start),
    )
    .filter((index) => isText[index] === 1)
    .flatMap((index) => {
      const isPair = /[\ud800-\udbff]/.test(text.charAt(index));
      return (isPair ? [index, index + 1] : [index]).map((at): [number, string] => [at, letterPlaceholder]);
    });
}

/** Whether a component contains text outside a paragraph. */
function hasText(node: Nodes): boolean {
  return (
    /^mdxJsxFlow/.test(node.type) && "children" in node && node.children.some(({ type }) => type === "text")
  );
}

/** Returns the positions of the letters in a run of text. `offset`: position of the run. */
function lettersIn(run: string, isCode: (index: number) => boolean, offset: number): number[] {
  const found: number[] = [];
  const open = new Set<string>();
  for (const { 0: mark, index } of run.matchAll(anyMark)) {
    const before = lastCharacter(run.slice(Math.max(0, index - 2), index));
    const after = String.fromCodePoint(run.codePointAt(index + mark.length) ?? 32);
    const [blankBefore, blankAfter] = [before.trim() === "", after.trim() === ""];
    if (isCode(index) || (blankBefore && blankAfter)) continue;

    const closes = blankAfter || (open.has(mark) && !blankBefore);
    if (closes) open.delete(mark);
    else open.add(mark);

    if (closes && isPunctuation.test(before) && isLetter.test(after))
      found.push(offset + index + mark.length);
    if (!closes && isLetter.test(before) && isPunctuation.test(after))
      found.push(offset + index - before.length);
  }

  return found;
}

function lastCharacter(text: string): string {
  return [...text].at(-1) ?? " ";
}

/**
 * Returns the positions of the first sign in each bare URL, of signs after further URLs in it, and of a sign
 * before `www.`.
 */
function signs(tree: Root, text: string): [number, string][] {
  const found: [number, string][] = [];
  for (const { type, position } of nodesIn(tree)) {
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (type !== "link" || start === undefined || end === undefined) continue;
    const source = text.slice(start, end);
    if (!/^(?:https?:|www\.)/i.test(source)) continue;
    const places = [...source.matchAll(sign)].map(({ index }) => index);
    if (places.length > 0 && /^www/i.test(source) && hasCjk.test(text.charAt(start - 1)))
      found.push([start - 1, startPlaceholder]);
    for (const [count, index] of places.entries())
      if (count === 0 || urlStart.test(asciiBefore(source, index)))
        found.push([start + index, signPlaceholder]);
  }
  return found;
}

/** Returns the run of ASCII characters, without blanks, that ends at an index. */
function asciiBefore(source: string, end: number): string {
  let start = end;
  while (/[!-~]/.test(source.charAt(start - 1))) start--;
  return source.slice(start, end);
}

/** Puts the characters of the text back. */
function restore(node: Text, text: string, replaced: ReadonlyMap<number, string>): void {
  const last = (node.position?.end.offset ?? 0) - 1;
  if (replaced.get(last) === startPlaceholder) node.value = node.value.slice(0, -1) + text.charAt(last);
  if (!node.value.includes(letterPlaceholder) && !node.value.includes(signPlaceholder)) return;
  let at = node.position?.start.offset ?? 0;
  node.value = node.value.replace(/[\u2e4d\f]/g, () => {
    while ((replaced.get(at) ?? startPlaceholder) === startPlaceholder && at < text.length) at++;
    return text.charAt(at++);
  });
}

/** Not recursive, because authors choose the depth of the tree. */
function* nodesIn(tree: Root): Generator<Nodes> {
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    if ("children" in node) open.push(...node.children);
  }
}
