import { PageUrls } from "../../plan/page-urls.ts";
import { pagesInOrder } from "../../site/pages-in-order.ts";
import type { ExportContext, ExportKind } from "./kind.ts";
import { redirectStub } from "./redirects.ts";

/**
 * Adds a home page that redirects to the first page, preferably a public one. Does nothing if the site has a
 * home page.
 */
function addHome({ target, audiences, viewOf, add }: ExportContext): void {
  const accesses = audiences.exportedAccesses;
  const access =
    accesses.find((one) => one === "anyone") ?? accesses.find((one) => one === "readers") ?? accesses[0];
  if (access === undefined) return;
  const { site } = viewOf(access);
  const listed = pagesInOrder(site);
  const first = listed.find((page) => page.visibility.navigation) ?? listed[0];
  if (first)
    add("index.html", () => redirectStub("", new PageUrls(site, target, "").page(first), site), access);
}

export const home: ExportKind = {
  name: "home page",
  after: { pages: "a page replaces it", "folder files": "an author's file replaces it" },
  add: addHome,
};
