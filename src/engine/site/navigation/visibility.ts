/**
 * Determines where a page is listed, from its frontmatter, its position in the navigation and the site's
 * settings.
 */

import type { DocsConfig } from "../../config/docs-json.ts";
import { notFoundRoute } from "../../paths.ts";
import { isExternalPage, type Page, type Visibility } from "../page.ts";
import { hiddenState, type Navigation } from "./resolve-navigation.ts";

export function visibilityOf(
  page: Page,
  navigation: Navigation,
  seo: DocsConfig["settings"]["seo"],
): Visibility {
  const { frontmatter } = page;
  const indexAll = seo?.indexing === "all";

  // A site with `noindex` is hidden from search engines and AI agents, but not from its own search.
  const isUnlisted = /noindex/i.test(String(seo?.metatags?.robots ?? ""));
  const position = navigation.positions.get(page.route);
  const place = position ? hiddenState(position) : { hidden: true, searchable: false };
  const isShown = position !== undefined && !place.hidden && frontmatter.hidden !== true;
  const isOpen =
    indexAll ||
    (frontmatter.hidden !== true &&
      (isShown || place.searchable || (position !== undefined && frontmatter.hidden === false)));

  const isIndexed =
    isOpen &&
    page.route !== notFoundRoute &&
    !isExternalPage(page) &&
    frontmatter.noindex !== true &&
    !/noindex/i.test(frontmatter.robots ?? "");

  return {
    navigation: position !== undefined && frontmatter.hidden !== true,
    search: isIndexed && frontmatter.searchable !== false,
    sitemap: isIndexed && !isUnlisted && (!frontmatter.groups || frontmatter.public === true),
    llms: isIndexed && !isUnlisted,
    noindex:
      page.route === notFoundRoute ||
      frontmatter.noindex === true ||
      (frontmatter.hidden === true && !indexAll) ||
      (position !== undefined && place.hidden && !isOpen),
  };
}
