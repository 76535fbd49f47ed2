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

const hasCjk = /[\u1100-\u11ff\u2e80-\uffee]/;
const letter = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]";
const mark = "(?<![\\\\*~])(?:\\*{1,3}|~~)(?![*~])";
const letterAtMark = new RegExp(
  `${letter}(?=${mark}[\\p{P}\\p{S}])|(?<=[\\p{P}\\p{S}]${mark})${letter}`,
  "gu",
);
const sign = /[、。〈-】〔-〛…‘’“”（），．：；？！～｛｝「」]/g;
const asciiUrlEnd = /[\w/#?=&%.-]/;

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

/**
 * Returns the positions of letters in text that are next to a mark and whose other neighbor, beyond the mark,
 * is punctuation.
 */
function letters(tree: Root, text: string): [number, string][] {
  const found = [...text.matchAll(letterAtMark)];
  if (found.length === 0) return [];
  const isText = new Uint8Array(text.length);
  for (const { type, position } of nodesIn(tree))
    if (type === "text") isText.fill(1, position?.start.offset, position?.end.offset);
  return found
    .filter(({ index }) => isText[index] === 1)
    .flatMap(({ 0: { length }, index }) =>
      Array.from({ length }, (_, unit): [number, string] => [index + unit, letterPlaceholder]),
    );
}

/** Returns the positions of the first sign in each bare URL, and of signs after further URLs in it. */
function signs(tree: Root, text: string): [number, string][] {
  const found: [number, string][] = [];
  for (const { type, position } of nodesIn(tree)) {
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (type !== "link" || start === undefined || end === undefined) continue;
    const source = text.slice(start, end);
    if (!/^(?:https?:|www\.)/i.test(source)) continue;
    const places = [...source.matchAll(sign)].map(({ index }) => index);
    for (const [count, index] of places.entries())
      if (count === 0 || asciiUrlEnd.test(source.charAt(index - 1)))
        found.push([start + index, signPlaceholder]);
  }
  return found;
}

/** Puts the characters of the text back. */
function restore(node: Text, text: string, replaced: ReadonlyMap<number, string>): void {
  if (!node.value.includes(letterPlaceholder) && !node.value.includes(signPlaceholder)) return;
  let at = node.position?.start.offset ?? 0;
  node.value = node.value.replace(/[\u2e4d\f]/g, () => {
    while (!replaced.has(at) && at < text.length) at++;
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
