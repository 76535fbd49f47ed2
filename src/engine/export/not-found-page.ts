/** The page for unknown addresses, and the list in which its script looks for near ones. */

import { limits } from "../../base/limits.ts";
import { pageListPath } from "../../layout/site-layout.ts";
import type { NavItem } from "../render/page-view.ts";
import { renderNotFound } from "../render/render-page.tsx";
import { pagesBelow } from "../site/resolve-navigation.ts";
import { frameView, type ViewContext } from "./build-page-view.ts";
import type { Add, ExportTarget } from "./export-target.ts";
import { plainHead } from "./head.ts";
import { pagesInOrder } from "./machine-files.ts";
import { Addresses } from "./page-urls.ts";

export function addNotFound(context: ViewContext, add: Add): void {
  const { site, target } = context;
  const addresses = new Addresses(site, target, "", rootOf(target));
  add("404.html", () => notFound(context, addresses), "anyone");
  add(
    pageListPath,
    () => {
      const pages = pagesInOrder(site).filter((page) => page.visibility.navigation && page.visibility.search && !page.frontmatter.url);
      const list = pages.slice(0, limits.nearPages_count).map((page) => [page.title, addresses.page(page)]);
      return `octavoPages(${JSON.stringify(list)})\n`;
    },
    "anyone",
  );
}

/** Hosts serve the page at the missing address itself, however deep that is. */
function rootOf({ origin }: ExportTarget): string {
  const base = /^https?:\/\/[^/]+(\/[^?#]*)/.exec(origin ?? "")?.[1] ?? "";
  return base.replace(/\/*$/, "/");
}

function notFound(context: ViewContext, addresses: Addresses): string {
  const { site } = context;
  const first = pagesBelow(site.navigation.root).next().value ?? undefined;
  const frame = frameView("404", addresses, context, first, first && site.sections.of(first));
  const title = site.config.settings.errors?.["404"]?.title ?? "";
  const headHtml = plainHead(`${title || frame.messages.notFoundTitle} - ${site.config.settings.name}`, site, addresses);
  return renderNotFound({
    ...frame,
    nav: { ...frame.nav, tree: unmarked(frame.nav.tree) },
    title,
    headHtml,
    scripts: [...frame.scripts, addresses.file(pageListPath)],
    bodyHtml: addresses.resolve(site.notFoundHtml),
  });
}

/** The tree is that of the first page, which is not the one that is shown. */
function unmarked(items: readonly NavItem[]): NavItem[] {
  return items.map((item) => {
    const { current: _, ...rest } = item;
    return rest.kind === "group" && rest.items ? { ...rest, items: unmarked(rest.items) } : rest;
  });
}
