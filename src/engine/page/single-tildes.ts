/**
 * Parses texts in which a single tilde is text, such as in `1~2 days`. In the parser, a pair of them is
 * always markup.
 */

import type { Root, RootContent } from "mdast";

/** The option of the parser that tells pairs of single tildes from strikethrough. */
export const tildeFeature = { subscript: true } as const;

/** Number of times that a text is parsed again. Each time, further tildes can form pairs. */
const attempts_count = 3;
/**
 * Characters that take the place of tildes while a text is parsed. A text uses one that it doesn't contain.
 */
const placeholders = ["\u2e3f", "\u2e4f", "\u2e3e", "\u2e4e"];

/**
 * Parses a text without pairs of single tildes. If some are left, `isTildes` recognizes their nodes. `parse`
 * uses `tildeFeature`.
 */
export function parseWithTildes(text: string, parse: (text: string) => Root): Root {
  let tree = parse(text);
  const placeholder = placeholders.find((character) => !text.includes(character));
  if (placeholder === undefined) return tree;
  const characters: string[] = [];
  for (let attempt = 0; attempt < attempts_count; attempt++) {
    const pairs = text.includes("~") ? pairsIn(tree) : [];
    if (pairs.length === 0) break;
    if (attempt === 0) characters.push(...text.split(""));
    for (const { start, end } of pairs) characters[start] = characters[end - 1] = placeholder;
    tree = parse(characters.join(""));
  }
  if (characters.length > 0) visit(tree, (node) => restore(node, placeholder));
  return tree;
}

/** Whether a node is the text between two single tildes. */
export function isTildes(node: { type: string }): boolean {
  return node.type === "subscript";
}

/** Returns the positions of the pairs, including their tildes. */
function pairsIn(tree: Root): { start: number; end: number }[] {
  const pairs: { start: number; end: number }[] = [];
  visit(tree, (node) => {
    const { start, end } = node.position ?? {};
    if (isTildes(node) && start?.offset !== undefined && end?.offset !== undefined)
      pairs.push({ start: start.offset, end: end.offset });
  });
  return pairs;
}

/** Not recursive, because authors choose the depth of the tree. */
function visit(tree: Root, found: (node: RootContent) => void): void {
  const open: (Root | RootContent)[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type !== "root") found(node);
    if ("children" in node) for (const child of node.children) open.push(child as RootContent);
  }
}

function restore(node: RootContent, placeholder: string): void {
  const texts = node as unknown as Record<string, unknown>;
  for (const key of ["value", "alt", "url", "title"]) {
    const text = texts[key];
    if (typeof text === "string" && text.includes(placeholder))
      texts[key] = text.replaceAll(placeholder, "~");
  }
}
