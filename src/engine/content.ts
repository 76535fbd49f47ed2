/**
 * The content tree of a page, with imports, snippets, variables and expressions expanded.
 * Input of anchors, link checks, Markdown and HTML.
 */
export type ContentNode = string | ContentElement;

/** A value of an attribute. JSX in an attribute is represented as content nodes. */
export type PropValue = string | number | boolean | null | undefined | ContentElement | PropValue[] | { [key: string]: PropValue };

export type Props = Record<string, PropValue>;

/**
 * An HTML element (lower-case name), a built-in component (capitalized name, `Tree.File`) or a fragment (empty name).
 * Markdown is represented as elements: `p`, `h2`, `a`, `ul`, `table`; code fences as `CodeBlock`, formulas as `Latex`,
 * diagrams as `Mermaid`. HTML attributes have the name that the author wrote, so `class` and `className` both occur.
 */
export interface ContentElement {
  name: string;
  props: Props;
  children: ContentNode[];
  /** Line in the page's file, for elements of that file. */
  line?: number;
  column?: number;
}

export function element(name: string, props: Props = {}, children: ContentNode[] = []): ContentElement {
  return { name, props, children };
}

/** All text below a node. */
export function textOf(node: ContentNode | readonly ContentNode[]): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map((child) => textOf(child)).join("");
  return textOf((node as ContentElement).children);
}

/** Visits every element in document order. Return false to skip an element's children. */
export function visitElements(nodes: readonly ContentNode[], visit: (element: ContentElement) => boolean | void): void {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    if (visit(node) !== false) visitElements(node.children, visit);
  }
}

/** Whether a tag is a component, in any script. Names that start with a lower-case ASCII letter are elements. */
export function isComponentName(name: string): boolean {
  return /^(?![a-z])\p{ID_Start}/u.test(name);
}
