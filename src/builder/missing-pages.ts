/** Lists the files of pages that a site or an export doesn't have because of their access. */

import { isPageFile } from "../engine/paths.ts";
import type { Site } from "../engine/site/build-site.ts";
import { isExternalPage, type Page } from "../engine/site/page.ts";
import type { NotPage } from "../engine/site/sources/classify-files.ts";

/** `isWritten`: whether the output contains a page. Default: it contains all pages that someone can see. */
export function restrictedPages(site: Site, isWritten?: (page: Page) => boolean): NotPage[] {
  return [...site.pages.values()].flatMap((page) => {
    if (isExternalPage(page) || !isPageFile(page.file)) return [];
    const { groups, public: isPublic } = page.frontmatter;
    const isClosed = site.navigation.closed.has(page.route) || (groups?.length === 0 && isPublic !== true);
    if (isWritten ? isWritten(page) : !isClosed) return [];
    return [{ file: page.file, reason: isClosed ? "no one can see it" : "not everyone can see it" }];
  });
}
