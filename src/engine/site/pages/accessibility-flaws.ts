/** Finds what makes the content of a page hard to use with a screen reader. */

import { type ContentElement, type ContentNode, textOf, visitElements } from "../../content.ts";
import { text } from "../../html/prop-values.ts";

export interface AccessibilityFlaw {
  kind: "alt" | "heading" | "link";
  /** The image's URL, the heading, or the link's text. */
  what: string;
  line?: number;
  column?: number;
}

/** Texts of links that don't say where the link leads, in lowercase. */
const vague = new Set(
  [
    "here|click here|this|this link|this page|link|more|read more|learn more|details|see here|see more",
    "hier|hier klicken|mehr|weiterlesen|ici|cliquez ici|en savoir plus|aquí|haz clic aquí|más|leer más",
    "qui|clicca qui|aqui|clique aqui|saiba mais|здесь|тут|подробнее|こちら|ここ|여기|这里|点击这里|這裡",
  ].flatMap((line) => line.split("|")),
);

/** Returns the flaws of a page in the order of its content. */
export function accessibilityFlaws(nodes: readonly ContentNode[]): AccessibilityFlaw[] {
  const flaws: AccessibilityFlaw[] = [];
  // The title of the page has level 1.
  let level = 1;

  visitElements(nodes, (node) => {
    const { name, props } = node;
    if (isHidden(node)) return false;
    const add = (kind: AccessibilityFlaw["kind"], what: string) =>
      flaws.push({ kind, what, ...(node.line ? { line: node.line, column: node.column ?? 1 } : {}) });

    if (name === "img" && (props.alt === undefined || node.isUndescribed) && !labelOf(node))
      add("alt", text(props.src) ?? "");
    if (name === "a" && props.href !== undefined) {
      const label = labelOf(node) ?? nameIn(node.children);
      if (label === "" || vague.has(label.toLowerCase().replace(/[\s.…!→»>]+$/, ""))) add("link", label);
    }
    const next = /^h([1-6])$/.exec(name)?.[1];
    if (next !== undefined) {
      if (Number(next) > level + 1) add("heading", textOf(node).trim());
      level = Number(next);
    }
  });

  return flaws;
}

function isHidden({ props }: ContentElement): boolean {
  return props["aria-hidden"] === true || props["aria-hidden"] === "true" || props.role === "presentation";
}

function labelOf({ props }: ContentElement): string | undefined {
  return text(props["aria-label"]) ?? text(props["aria-labelledby"]) ?? text(props.title);
}

/** Returns the text of content, and the alternative texts of its images. */
function nameIn(nodes: readonly ContentNode[]): string {
  const parts = nodes.map((node): string => {
    if (typeof node === "string") return node;
    if (isHidden(node)) return "";
    // What other components show isn't known here.
    if (/^[A-Z]/.test(node.name) && node.children.length === 0) return node.name;
    return node.name === "img"
      ? (text(node.props.alt) ?? labelOf(node) ?? "")
      : (labelOf(node) ?? nameIn(node.children));
  });
  return parts.join("").trim();
}
