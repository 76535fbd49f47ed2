import { externalAsLinks } from "../../page/external-content.ts";
import { externalContentMode } from "../../plan/export-target.ts";
import type { PageUrls } from "../../plan/page-urls.ts";
import type { ViewContext } from "../../view/build-page-view.ts";
import { plainHead } from "../../view/head.ts";

export /** Returns the head of a document that isn't rendered by `renderPage`, which replaces external content. */
function standaloneHead(title: string, urls: PageUrls, { site, target }: ViewContext): string {
  const head = plainHead(title, site, urls);
  const outside = externalContentMode(target);
  return outside === "shown" ? head : externalAsLinks(head, outside === "restorable");
}
