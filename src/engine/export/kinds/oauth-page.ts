import { oauthPagePath, oauthScriptPath } from "../../../layout/site-layout.ts";
import { PageUrls } from "../../plan/page-urls.ts";
import type { ExportContext, ExportKind } from "./kind.ts";
import { standaloneHead } from "./standalone-head.ts";

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
