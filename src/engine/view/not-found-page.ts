/**
 * Creates the 404 page and a list of pages. The script of the 404 page suggests pages from this list whose
 * paths and titles have words in common with the requested path.
 */

import { pageListPath } from "../../layout/site-layout.ts";
import { renderNotFound } from "../frame/render-page.tsx";
import { htmlFile, notFoundRoute } from "../paths.ts";
import type { AddFile, ProductAssets } from "../plan/export-target.ts";
import { PageUrls } from "../plan/page-urls.ts";
import { pagesInOrder } from "../site/navigation/pages-in-order.ts";
import { pagesBelow } from "../site/navigation/resolve-navigation.ts";
import { frameView, type ViewContext } from "./build-page-view.ts";
import { plainHead } from "./head.ts";
import { unmarkedNavigation } from "./unmarked-navigation.ts";

/** Maximum number of pages in the list that the 404 page's suggestions come from. */
const nearPages_count = 2_000;

export function addNotFound(context: ViewContext, product: ProductAssets, add: AddFile): void {
  const { site, target } = context;
  const urls = new PageUrls(site, target, notFoundRoute);
  add(htmlFile(notFoundRoute), () => notFound(context, urls), "anyone");

  add(
    pageListPath,
    () => {
      const pages = pagesInOrder(site).filter(
        (page) => page.visibility.navigation && page.visibility.search && !page.frontmatter.url,
      );
      const list = pages.slice(0, nearPages_count).map((page) => [page.title, urls.page(page)]);
      return `${new TextDecoder().decode(product.read("suggest-pages.js"))}octavoPages?.(${JSON.stringify(list)})\n`;
    },
    "anyone",
  );
}

function notFound(context: ViewContext, urls: PageUrls): string {
  const { site } = context;
  const first = pagesBelow(site.navigation.root).next().value ?? undefined;
  const frame = frameView(notFoundRoute, urls, context, first, first && site.sections.of(first));
  const title = site.config.settings.errors?.["404"]?.title ?? "";
  const headHtml = plainHead(
    `${title || frame.messages.notFoundTitle} - ${site.config.settings.name}`,
    site,
    urls,
  );

  return renderNotFound({
    ...frame,
    nav: unmarkedNavigation(frame.nav),
    title,
    headHtml,
    scripts: [...frame.scripts, urls.file(pageListPath)],
    bodyHtml: urls.resolve(site.notFoundHtml),
  });
}
