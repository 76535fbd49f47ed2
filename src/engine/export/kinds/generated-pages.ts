/** Adds pages without content of their own: home page, sign-in page, and OAuth page. */

import { basePathOf } from "../../../base/base-path.ts";
import { oauthPagePath, oauthScriptPath, signInPagePath } from "../../../layout/site-layout.ts";
import { renderSignIn } from "../../frame/render-page.tsx";
import { externalAsLinks } from "../../page/external-content.ts";
import { hostOnly } from "../../plan/audiences.ts";
import { externalContentMode } from "../../plan/export-target.ts";
import { PageUrls } from "../../plan/page-urls.ts";
import { pagesInOrder } from "../../site/navigation/pages-in-order.ts";
import { frameView, type ViewContext } from "../../view/build-page-view.ts";
import { plainHead } from "../../view/head.ts";
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

/**
 * Adds the page that authorization servers redirect to after a playground's sign-in. OAuth clients register
 * the page's URL, so its path must not change.
 */
function addOAuthPage({ target, assets, product, viewOf, add }: ExportContext): void {
  if (!assets.names.playground) return;
  const context = viewOf("anyone");
  const { site } = context;
  const urls = new PageUrls(site, target, oauthPagePath.replace(/\.html$/, ""));
  add(oauthScriptPath, () => product.read("oauth.js"), "anyone");
  add(
    oauthPagePath,
    () =>
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">${standaloneHead(site.config.settings.name, urls, context)}<script src="oauth.js" defer></script></head><body></body></html>\n`,
    "anyone",
  );
}

export const oauthPage: ExportKind = { name: "OAuth page", add: addOAuthPage };

/**
 * Adds the sign-in page for readers. The host serves the page and handles its form. The page doesn't load the
 * folder's scripts and style sheets, since they could read the password.
 */
function addReaderSignIn({ target, viewOf, add }: ExportContext): void {
  if (target.readers !== "signed-in") return;
  const context = viewOf("anyone");
  const { site } = context;
  const { integrations: _, analytics: __, ...assets } = context.assets;
  const own = { ...context, assets: { ...assets, authorCss: [], outsideCss: [], authorScripts: [] } };
  const urls = new PageUrls(site, target, "", `${basePathOf(target.origin)}/`);
  add(
    signInPagePath,
    () => {
      // Search and assistant need a signed-in reader.
      const { search: _, assistant: __, ...frame } = frameView("", urls, own, undefined, undefined);
      const title = frame.messages.signIn;
      // The form's button is the only primary button.
      const navbar = { links: frame.navbar.links };
      return renderSignIn({
        ...frame,
        navbar,
        title,
        headHtml: plainHead(`${title} - ${site.config.settings.name}`, site, urls),
      });
    },
    hostOnly,
  );
}

export const readerSignIn: ExportKind = { name: "sign-in page", add: addReaderSignIn };

/** Returns the head of a document that isn't rendered by `renderPage`, which replaces external content. */
export function standaloneHead(title: string, urls: PageUrls, { site, target }: ViewContext): string {
  const head = plainHead(title, site, urls);
  const outside = externalContentMode(target);
  return outside === "shown" ? head : externalAsLinks(head, outside === "restorable");
}
