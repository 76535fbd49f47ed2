/** Determines which elements of a page are in its right column. */

import { componentNames } from "../components/components.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import { type ContentElement, type ContentNode, visitElements } from "../content.ts";

/**
 * Moves examples and panels to the right column. If there are panels, the column contains only the first
 * panel. In modes other than `default` and `assistant`, omits examples and panels.
 */
export function splitAside(
  nodes: ContentNode[],
  frontmatter: Frontmatter,
): { main: ContentNode[]; aside: ContentNode[] } {
  const aside: ContentElement[] = [];
  const names = new Set<string>(componentNames(({ isAside }) => isAside === true));
  const strip = (list: ContentNode[]): ContentNode[] =>
    list.flatMap((node): ContentNode[] => {
      if (typeof node === "string") return [node];
      if (names.has(node.name)) {
        aside.push(node);
        return [];
      }
      return [node.children.length ? { ...node, children: strip(node.children) } : node];
    });

  if (!hasAside(nodes, names)) return { main: nodes, aside };
  const main = strip(nodes);
  const panel = aside.find((node) => node.name === "Panel");
  const isSuppressed = frontmatter.mode !== undefined && frontmatter.mode !== "assistant";
  return { main, aside: isSuppressed ? [] : panel ? [panel] : aside };
}

function hasAside(nodes: readonly ContentNode[], names: ReadonlySet<string>): boolean {
  let found = false;
  visitElements(nodes, (node) => {
    found ||= names.has(node.name);
    return !found;
  });
  return found;
}
