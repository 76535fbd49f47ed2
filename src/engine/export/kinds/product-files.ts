/**
 * Adds the style sheets, scripts and fonts of the product and, on air-gapped sites, the inline parts of
 * pages.
 */

import { accessKey } from "../../../base/access.ts";
import { escapeHtml } from "../../../base/html-text.ts";
import { faviconPath } from "../../../layout/site-layout.ts";
import type { Audiences } from "../../plan/audiences.ts";
import { joinedParts } from "../../plan/file-content.ts";
import type { InlineParts } from "../../plan/inline-parts.ts";
import type { Site } from "../../site/build-site.ts";
import { isExternalPage } from "../../site/page.ts";
import { ownFavicon } from "../../view/head.ts";
import type { ExportContext, ExportKind } from "./kind.ts";
import { pageDocument } from "./pages.ts";

function addProductFiles({ site, audiences, assets, inline, viewOf, add }: ExportContext): void {
  for (const { path, bytes, access } of assets.files) add(path, () => bytes, access);
  if (inline) collectLayoutParts(inline, audiences, viewOf);
  for (const { path, bytes, access } of inline?.files() ?? []) add(path, () => bytes, access);
  if (!ownFavicon(site)) add(faviconPath, () => initialIcon(site), "anyone");
}

/** Pages with the same access have the same inline parts in their layout, so one page is enough. */
function collectLayoutParts(
  inline: InlineParts,
  audiences: Audiences,
  viewOf: ExportContext["viewOf"],
): void {
  for (const access of audiences.exportedAccesses) {
    const first = [...audiences.exported.pages.values()].find(
      (page) => accessKey(audiences.of(page)) === accessKey(access) && !isExternalPage(page),
    );
    if (first) inline.collect(joinedParts(pageDocument(first, viewOf(access))).toString(), access);
  }
}

/**
 * Creates the favicon of a site that has none: the first character of the site's name on its primary color.
 */
function initialIcon(site: Site): string {
  const { name, colors } = site.config.settings;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colors.primary}"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="#fff">${escapeHtml([...name.trim()][0]?.toUpperCase() ?? "D")}</text></svg>\n`;
}

export const productFiles: ExportKind = {
  name: "product files",
  after: { "folder files": "style sheets in the folder can contain images that become files" },
  add: addProductFiles,
};
