import { basePathOf } from "../../../base/base-path.ts";
import { signInPagePath } from "../../../layout/site-layout.ts";
import { renderSignIn } from "../../frame/render-page.tsx";
import { hostOnly } from "../../plan/audiences.ts";
import { PageUrls } from "../../plan/page-urls.ts";
import { frameView } from "../../view/build-page-view.ts";
import { plainHead } from "../../view/head.ts";
import type { ExportContext, ExportKind } from "./kind.ts";

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
