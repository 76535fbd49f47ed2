/** Adds the complete navigation trees of sections that pages show only in part. */

import { escapeHtml } from "../../../base/html-text.ts";
import { renderPage } from "../../frame/render-page.tsx";
import { messagesOf } from "../../i18n/locales.ts";
import type { AddFile } from "../../plan/export-target.ts";
import { PageUrls } from "../../plan/page-urls.ts";
import { isCut, type Section } from "../../site/nav-sections.ts";
import { isPage, type NavTreeItem, pagesBelow } from "../../site/resolve-navigation.ts";
import { frameView, navContext, navPath, type ViewContext } from "../../view/build-page-view.ts";
import { compactTree } from "../../view/compact-tree.ts";
import { plainHead } from "../../view/head.ts";
import { isNameless } from "../../view/nav-view.ts";
import type { ExportContext, ExportKind } from "./kind.ts";

function addSections({ audiences, viewOf, add }: ExportContext): void {
  const sections = new Map<ViewContext, Set<Section>>();
  for (const page of audiences.exported.pages.values()) {
    for (const variant of audiences.variantsOf(page)) {
      const context = viewOf(audiences.of(variant));
      const position = context.site.navigation.positions.get(page.route);
      if (!position) continue;
      sections.set(context, (sections.get(context) ?? new Set()).add(context.site.sections.of(position)));
    }
  }

  for (const [context, shown] of sections)
    for (const section of shown) if (isCut(section)) addSection(section, context, add);
}

/**
 * Adds the complete tree of a section, which the section's pages share, as a script and as a page for
 * browsers without JavaScript.
 */
function addSection(section: Section, context: ViewContext, add: AddFile): void {
  const route = navPath(section, context);
  const { access } = context;
  const urls = new PageUrls(context.site, context.target, route);
  const nav = navContext(urls, context);
  add(`${route}.js`, () => `octavoNav(${JSON.stringify(compactTree(section.node.children, nav))})\n`, access);

  add(
    `${route}.html`,
    () => {
      const position = pagesBelow(section.node).next().value ?? undefined;
      const frame = frameView(position?.page.route ?? "", urls, context, position, undefined);
      const title = messagesOf(frame.language).site.allPages;
      const headHtml = plainHead(title, context.site, urls);
      return renderPage({
        ...frame,
        path: route,
        mode: "wide",
        title,
        headHtml,
        bodyHtml: contents(section.node.children, urls),
      });
    },
    access,
  );
}

function contents(items: readonly NavTreeItem[], urls: PageUrls): string {
  return `<ul>${contentsEntries(items, urls)}</ul>`;
}

function contentsEntries(items: readonly NavTreeItem[], urls: PageUrls): string {
  const entries = items.map((item) => {
    if (isPage(item))
      return item.page.visibility.navigation
        ? `<li><a href="${escapeHtml(urls.page(item.page))}">${escapeHtml(item.page.title)}</a></li>`
        : "";
    if (item.division.hidden) return "";
    if (isNameless(item)) return contentsEntries(item.children, urls);
    const label = escapeHtml(item.division.label);
    return `<li>${item.rootPage ? `<a href="${escapeHtml(urls.page(item.rootPage))}">${label}</a>` : label}${contents(item.children, urls)}</li>`;
  });
  return entries.join("");
}

export const sections: ExportKind = { name: "sections", add: addSections };
