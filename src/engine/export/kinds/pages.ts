/** Adds the files of pages: HTML, Markdown and feeds. */

import { variantFolder } from "../../../layout/site-layout.ts";
import { renderPage } from "../../frame/render-page.tsx";
import { Template } from "../../frame/template.ts";
import { changesFile, feedFile, htmlFile, markdownFile } from "../../paths.ts";
import { suffixOf } from "../../plan/audiences.ts";
import type { AddFile } from "../../plan/export-target.ts";
import { type FilePart, joinedParts } from "../../plan/file-content.ts";
import { changesJson } from "../../site/changes/changes-page.ts";
import { isExternalPage, type Page } from "../../site/page.ts";
import { pageView, type ViewContext } from "../../view/build-page-view.ts";
import { feed, markdownText } from "../machine-files.ts";
import { authored, type ExportContext, type ExportKind } from "./kind.ts";

function addPages({ audiences, keys, viewOf, add }: ExportContext): void {
  for (const page of audiences.exported.pages.values()) {
    if (isExternalPage(page)) continue;
    for (const [index, variant] of audiences.variantsOf(page).entries()) {
      const access = audiences.of(variant);
      const folder = index === 0 ? "" : variantFolder(suffixOf(access));
      const addVariant = folder ? add : authored(add);
      addPage(variant, folder, viewOf(access), keys && (() => keys.of(variant)), addVariant);
    }
  }
}

/** Adds the files of a page or of a variant of it. `folder`: folder of the variant's files. */
function addPage(
  page: Page,
  folder: string,
  context: ViewContext,
  key: (() => string) | undefined,
  add: AddFile,
): void {
  const { site, target, access } = context;
  add(folder + htmlFile(page.route), () => pageDocument(page, context), access, key);
  add(folder + markdownFile(page.route), () => markdownText(page, site, target), access, key);
  const { changes } = site;
  if (changes?.apiChanges && page.route === changes.route) {
    const { apiChanges } = changes;
    add(folder + changesFile(page.route), () => changesJson(apiChanges), access, key);
  }
  if (page.summary.feed.length)
    add(folder + feedFile(page.route), () => feed(page, site, target), access, key);
}

/** Returns the HTML document of a page. */
export function pageDocument(page: Page, context: ViewContext): FilePart[] {
  const view = pageView(page, context);
  return new Template(renderPage(view)).fill<FilePart>(view.parts);
}

/** HTML of a page without the layout around it. */
export interface PageHtml {
  /** Tags for `<head>`. */
  head: string;
  description: string;
  body: string;
  /** Examples or a panel, for a column next to the body. */
  aside: string;
  /** URLs. */
  styles: string[];
  scripts: string[];
}

/** Returns the parts of a page's HTML document. */
export function pageHtml(page: Page, context: ViewContext): PageHtml {
  const view = pageView(page, context);
  const text = (html: string | undefined) =>
    joinedParts(new Template(html ?? "").fill<FilePart>(view.parts ?? {})).toString();
  return {
    head: view.headHtml,
    description: text(view.descriptionHtml),
    body: text(view.leadHtml) + text(view.bodyHtml),
    aside: text(view.asideHtml),
    styles: view.styles,
    scripts: view.scripts,
  };
}

export const pages: ExportKind = {
  name: "pages",
  after: { "folder files": "an author's file replaces a page" },
  add: addPages,
};
