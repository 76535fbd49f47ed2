/**
 * The content tree: what a page says, after imports, snippets, variables and expressions
 * have been worked out. Everything downstream reads it: anchors, links, Markdown twin, HTML.
 */
export type ContentNode = string | ContentElement;

/** A value that an attribute may hold. JSX in an attribute arrives as content nodes. */
export type PropValue = string | number | boolean | null | undefined | ContentElement | PropValue[] | { [key: string]: PropValue };

export type Props = Record<string, PropValue>;

/**
 * An HTML element (lower-case name), a component of the platform (capitalised, `Tree.File`)
 * or the fragment (empty name). Markdown arrives as elements: `p`, `h2`, `a`, `ul`, `table`;
 * code fences as `CodeBlock`, formulas as `Latex`, diagrams as `Mermaid`.
 * HTML attributes keep the name that the author wrote (`class` and `className` both occur).
 */
export interface ContentElement {
  name: string;
  props: Props;
  children: ContentNode[];
  /** Line in the page's file, when the element stands in that file. */
  line?: number;
  column?: number;
}

export function element(name: string, props: Props = {}, children: ContentNode[] = []): ContentElement {
  return { name, props, children };
}

/** All text below a node, as a reader would hear it. */
export function textOf(node: ContentNode | readonly ContentNode[]): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map((child) => textOf(child)).join("");
  return textOf((node as ContentElement).children);
}

/** Visits every element in reading order. Return false to leave an element's children out. */
export function visitElements(nodes: readonly ContentNode[], visit: (element: ContentElement) => boolean | void): void {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    if (visit(node) !== false) visitElements(node.children, visit);
  }
}

/** Whether a tag names a component, in any script; names that begin with a lower-case ASCII letter are elements. */
export function isComponentName(name: string): boolean {
  return /^(?![a-z])\p{ID_Start}/u.test(name);
}
