/** Finds the built-in components that lose their style and behavior in the browser. */

import { componentNamed } from "../../components/components.ts";
import type { ContentNode } from "../../content.ts";

/** Built-in components that islands show in the same way as pages do. */
const alike = new Set(["Icon", "Island"]);

/**
 * Returns the names of the built-in components that interactive components render themselves. Content that a
 * page passes to an interactive component stays as it is.
 */
export function plainComponents(nodes: readonly ContentNode[]): Set<string> {
  const found = new Set<string>();
  const visit = (below: readonly ContentNode[], isInIsland: boolean) => {
    for (const node of below) {
      if (typeof node === "string") continue;
      if (isInIsland && componentNamed(node.name) && !alike.has(node.name)) found.add(node.name);
      visit(node.children, node.name === "Island" || (isInIsland && node.name !== "octavo-slot"));
    }
  };
  visit(nodes, false);
  return found;
}
