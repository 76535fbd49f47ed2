/** Decides where there is a blank between two elements that the parser doesn't return. */

import type { RootContent } from "mdast";

/**
 * Whether there is a blank between two neighbors. The parser removes those between expressions and tags on a
 * line without text. `isTop`: whether the nodes are at the top of the page, where MDX keeps the line breaks
 * between tags.
 */
export function isBlankBetween(left: RootContent, right: RootContent, isTop: boolean): boolean {
  return (
    isMdx(left) && isMdx(right) && (areApart(left, right) || (isTop && isInline(left) && isInline(right)))
  );
}

function isMdx({ type }: RootContent): boolean {
  return type === "mdxJsxFlowElement" || type === "mdxFlowExpression";
}

const inlineElements = new Set(
  "a abbr b Badge br button code em i Icon img input kbd picture small span strong sub sup svg Tooltip".split(
    " ",
  ),
);

/** Whether a node is an element that can be in a line of text. */
export function isInline(node: RootContent): boolean {
  return "name" in node && typeof node.name === "string" && inlineElements.has(node.name);
}

/** Whether two nodes are on the same line, with blanks between them. */
function areApart(left: RootContent, right: RootContent): boolean {
  const [end, start] = [left.position?.end, right.position?.start];
  return end !== undefined && start !== undefined && end.line === start.line && end.column < start.column;
}
