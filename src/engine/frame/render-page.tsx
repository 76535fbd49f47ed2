/** Renders complete HTML documents: pages, the 404 page, redirects and the sign-in page. */

import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { signInPath } from "../../layout/site-layout.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import { externalAsLinks } from "../page/external-content.ts";
import { safeHref } from "../page/safe-href.ts";
import { Document, Layout } from "./layout.tsx";
import type { PageView } from "./page-view.ts";
import { hole, Template } from "./template.ts";

/** Renders the HTML document of a page. */
export function renderPage(view: PageView): string {
  return documentText(<Layout view={view} />, view.outside);
}

/** Returns the layout of pages that differ only in these parts: `title`, `head` and `body`. */
export function layoutTemplate(view: PageView): Template {
  return new Template(
    renderPage({ ...view, titleHtml: hole("title"), headHtml: hole("head"), bodyHtml: hole("body") }),
  );
}

/**
 * Renders the 404 page. Default texts replace an empty `view.title` and an empty `view.bodyHtml`. A script
 * adds links to similar pages, because a static file doesn't know the requested path.
 */
export function renderNotFound(view: PageView): string {
  const { messages } = view;
  return documentText(
    <Document view={{ ...view, mode: "center" }} firstPaint="navbar">
      <article class="o-prose o-flow o-missing">
        <p class="o-eyebrow">404</p>
        <h1 id="page-title">{view.title || messages.notFoundTitle}</h1>
        {view.bodyHtml ? (
          <div class="o-body" dangerouslySetInnerHTML={{ __html: view.bodyHtml }} />
        ) : (
          <p class="o-lead">{messages.notFoundText}</p>
        )}
        <section id="near" class="o-js" hidden>
          <h2>{messages.notFoundNear}</h2>
          <ul />
        </section>
        <p class="o-missing-actions">
          {view.search && (
            <button type="button" class="o-primary o-js" data-feature="search" aria-haspopup="dialog">
              <i class="o-c o-c-search" />
              {messages.search}
            </button>
          )}
          <a class="o-body-link" href={safeHref(view.homeHref)}>
            {messages.goHome}
          </a>
        </p>
      </article>
    </Document>,
    view.outside,
  );
}

/**
 * Renders the sign-in page. The form and the error messages are hidden and have ids that start with
 * `o-sign-in-`. The host removes `hidden` from those to show.
 */
export function renderSignIn(view: PageView): string {
  const { messages } = view;
  return documentText(
    <Document view={{ ...view, mode: "center" }} firstPaint="navbar">
      <article class="o-prose o-flow o-missing o-sign-in-page">
        <p class="o-eyebrow">{view.site.name}</p>
        <h1 id="page-title">{view.title}</h1>
        <p id="o-sign-in-wrong" hidden role="alert">
          {messages.signInWrong}
        </p>
        <p id="o-sign-in-wait" hidden role="alert">
          {messages.signInWait}
        </p>
        <div id="o-sign-in-failed" hidden role="alert">
          <p>{messages.signInFailed}</p>
          <p>
            <a class="o-primary" href={view.root + signInPath}>
              {messages.signInAgain}
            </a>
          </p>
        </div>
        <form id="o-sign-in-form" hidden method="post" class="o-sign-in">
          <p>{messages.signInText}</p>
          <label for="o-password">{messages.signInPassword}</label>
          <input id="o-password" name="password" type="password" required autocomplete="current-password" />
          <button type="submit" class="o-primary">
            {messages.signIn}
          </button>
        </form>
      </article>
    </Document>,
  );
}

/** Renders a redirect page, for hosts that don't support redirects. */
export function renderRedirect(target: string, messages: SiteMessages, language: string): string {
  const href = safeHref(target);
  return documentText(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{messages.movedTitle}</title>
        <link rel="canonical" href={href} />
        <meta http-equiv="refresh" content={`0; url=${href}`} />
      </head>
      <body>
        <p>
          {messages.movedTitle}. {messages.movedText} <a href={href}>{target}</a>
        </p>
      </body>
    </html>,
  );
}

function documentText(root: VNode, outside: PageView["outside"] = "shown"): string {
  const html = `<!doctype html>\n${renderToString(root)}\n`;
  return outside === "shown" ? html : externalAsLinks(html, outside === "restorable");
}
