/** Defines the content tree of a page, and functions that create and read its nodes. */

/**
 * A node of a page's content tree. In this tree, imports, snippets, variables and expressions are already
 * expanded. The anchors, links, Markdown and HTML of the page are derived from this tree.
 */
export type ContentNode = string | ContentElement;

/** The value of an attribute. JSX in an attribute is a `ContentElement`. */
export type PropValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | ContentElement
  | PropValue[]
  | { [key: string]: PropValue };

export type Props = Record<string, PropValue>;

/**
 * An HTML element (lowercase name), a built-in or unknown component (capitalized name, such as `Tree.File`)
 * or a fragment (empty name). Markdown becomes elements such as `p`, `h2` and `table`. Code fences become
 * `CodeBlock`, formulas `Latex`, and diagrams `Mermaid`. Attributes keep their names from the source, so both
 * `class` and `className` can occur.
 */
export interface ContentElement {
  name: string;
  props: Props;
  children: ContentNode[];
  /** Line in the page's file. Absent for some elements, such as those from snippets and components. */
  line?: number;
  column?: number;
  /**
   * The lines in the page or snippet that contain the element's URLs. Only set while the links of a page are
   * listed.
   */
  source?: { file: string; line: number; endLine: number };
  /** Set for a Markdown image without alternative text. In HTML, an empty text marks a decoration. */
  isUndescribed?: true;
}

export function element(name: string, props: Props = {}, children: ContentNode[] = []): ContentElement {
  return { name, props, children };
}

export function isContentElement(value: PropValue): value is ContentElement {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    Array.isArray((value as ContentElement).children)
  );
}

/** Returns the text of a node and its descendants. */
export function textOf(node: ContentNode | readonly ContentNode[]): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map((child) => textOf(child)).join("");
  return textOf((node as ContentElement).children);
}

/** Returns the text of code. `lineBreak`: takes the place of `<br>` elements. */
export function codeTextOf(nodes: readonly ContentNode[], lineBreak = "\n"): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      return node.name === "br" ? lineBreak : codeTextOf(node.children, lineBreak);
    })
    .join("");
}

/**
 * Visits every element in document order, except in attributes. Return false from `visit` to skip an
 * element's children.
 */
export function visitElements(
  nodes: readonly ContentNode[],
  visit: (element: ContentElement) => boolean | void,
): void {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    if (visit(node) !== false) visitElements(node.children, visit);
  }
}

/**
 * Whether a tag name is the name of a component. Names that start with `a` to `z` are HTML elements. Names
 * can be in any script.
 */
export function isComponentName(name: string): boolean {
  return /^(?![a-z])\p{ID_Start}/u.test(name);
}
