/** Where pages are listed. */
import type { DocsConfig } from "../config/docs-json.ts";
import { isHiddenPlace, type Navigation } from "./resolve-navigation.ts";
import { isElsewhere, type Page, type Visibility } from "./site-page.ts";

/** The matrix of hidden pages: where a page is listed, by every way of hiding it. */
export function visibilityOf(page: Page, navigation: Navigation, seo: DocsConfig["settings"]["seo"]): Visibility {
  const { frontmatter } = page;
  const indexAll = seo?.indexing === "all";
  /** The whole site is hidden from search engines and AI agents; its own search works. */
  const isUnlisted = /noindex/i.test(String(seo?.metatags?.robots ?? ""));
  const position = navigation.positions.get(page.route);
  const place = position ? isHiddenPlace(position) : { hidden: true, searchable: false };
  const isShown = position !== undefined && !place.hidden && frontmatter.hidden !== true;
  const isOpen =
    indexAll || (frontmatter.hidden !== true && (isShown || place.searchable || (position !== undefined && frontmatter.hidden === false)));
  const isIndexed = isOpen && !isElsewhere(page) && frontmatter.noindex !== true && !/noindex/i.test(frontmatter.robots ?? "");
  return {
    navigation: position !== undefined && frontmatter.hidden !== true,
    search: isIndexed && frontmatter.searchable !== false,
    sitemap: isIndexed && !isUnlisted && (!frontmatter.groups || frontmatter.public === true),
    llms: isIndexed && !isUnlisted,
    noindex:
      frontmatter.noindex === true || (frontmatter.hidden === true && !indexAll) || (position !== undefined && place.hidden && !isOpen),
  };
}
