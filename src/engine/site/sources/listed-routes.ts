import type { Division } from "../../config/navigation-types.ts";

/**
 * Returns the routes in the navigation, each with whether its first entry names the index page of a folder.
 */
export function listedRoutes(division: Division, into = new Map<string, boolean>()): Map<string, boolean> {
  const add = (route: string, isIndex = false) => into.has(route) || into.set(route, isIndex);
  if (division.root !== undefined) add(division.root);
  for (const child of division.children) {
    if (child.kind === "page") add(child.route, child.isIndex);
    else if (child.kind !== "operation") listedRoutes(child, into);
  }
  return into;
}
