import type { Site } from "../build-site.ts";
import type { Page } from "../page.ts";
import { pagesBelow } from "./resolve-navigation.ts";

/**
 * Returns all pages: first the pages in the navigation, in its order and including hidden ones, and then the
 * other pages by route.
 */
export function pagesInOrder(site: Site): Page[] {
  const listed = [...pagesBelow(site.navigation.root, { includeHidden: true })].map(
    (position) => position.page,
  );
  return [...new Set([...listed, ...site.pages.values()])];
}
