/** Renders the frame of a page for each page mode. */

import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { PageMode } from "../config/page-mode.ts";
import { Directory } from "./directory.tsx";
import { Footer } from "./footer.tsx";
import { frameId } from "./frame-ids.ts";
import { Header } from "./header.tsx";
import { featureInit, sidebarInit, themeInit } from "./init-scripts.ts";
import { PageFoot } from "./page-foot.tsx";
import { PageHead } from "./page-head.tsx";
import { PageMenu } from "./page-menu.tsx";
import type { PageView } from "./page-view.ts";
import { Sidebar } from "./sidebar.tsx";
import { Banner } from "./site-banner.tsx";
import { hasToc, Toc } from "./toc.tsx";

/**
 * Parts of a page by page mode: head and foot of the page (`around`), right column (`aside`), footer of the
 * site.
 */
const parts: Record<PageMode, { around: boolean; aside: boolean; footer: boolean }> = {
  default: { around: true, aside: true, footer: true },
  wide: { around: true, aside: false, footer: true },
  custom: { around: false, aside: false, footer: false },
  frame: { around: false, aside: false, footer: true },
  center: { around: true, aside: false, footer: true },
  assistant: { around: false, aside: false, footer: false },
};

/**
 * The `<html>` element of a content page. In modes without a visible title, a page whose text has no level-1
 * heading gets a heading for screen readers.
 */
export function Layout({ view }: { view: PageView }) {
  const shown = parts[view.mode];
  return (
    <Document
      view={view}
      firstPaint={shown.around ? "oHead" : frameId(view, "navbar")}
      aside={shown.aside && !view.asideHtml && <Contents view={view} />}
    >
      {shown.around ? <PageHead view={view} /> : !hasTopHeading(view) && <h1 class="o-sr">{view.title}</h1>}
      {view.leadHtml && (
        <div class="o-prose o-start">
          <div class="o-body" dangerouslySetInnerHTML={{ __html: view.leadHtml }} />
        </div>
      )}
      {shown.aside && view.asideHtml && <Samples view={view} />}
      <article class="o-prose">
        <div class="o-body mdx-content" dangerouslySetInnerHTML={{ __html: view.bodyHtml }} />
        <Directory view={view} />
      </article>
      {view.mode === "assistant" && view.assistant && (
        <div id="oAssistant" class="o-js" data-feature="assistant" />
      )}
      {shown.around && <PageFoot view={view} />}
      {shown.footer && <Footer view={view} />}
      {view.movedFragments && (
        <script
          type="application/json"
          id="oMoved"
          dangerouslySetInnerHTML={{ __html: jsonInHtml(view.movedFragments) }}
        />
      )}
      {view.playground && (
        <script
          type="application/json"
          id="oReference"
          dangerouslySetInnerHTML={{ __html: jsonInHtml(view.playground) }}
        />
      )}
    </Document>
  );
}

function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

interface DocumentProps {
  view: PageView;
  /**
   * ID of the last element that the browser's first paint must include, so that the elements before it don't
   * move.
   */
  firstPaint: string;
  /** The column next to the text. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * The `<html>` element of a page with the site's layout: head, banner, header, sidebar, and the page's
 * content in the main landmark.
 */
export function Document({ view, firstPaint, aside, children }: DocumentProps) {
  const { nav, banner, appearance, messages } = view;
  const classes = [
    nav.tabs.length > 0 && "o-tabbed",
    view.asideHtml && parts[view.mode].aside && "o-wide-aside",
  ].filter(Boolean);

  return (
    <html
      lang={view.language}
      dir={view.direction}
      class={classes.join(" ") || undefined}
      data-theme={view.theme}
      data-mode={appearance.default}
      data-strict={appearance.strict ? "" : undefined}
      data-banner={banner?.dismissible ? banner.id : undefined}
      data-page={view.mode}
      data-fonts={view.fonts?.join(" ") || undefined}
      data-root={view.root}
      data-link-suffix={view.linkSuffix}
      data-kind={view.operator?.kind}
      data-services={view.operator?.services}
    >
      <head
        dangerouslySetInnerHTML={{
          __html: renderToString(<Head view={view} firstPaint={firstPaint} />) + view.headHtml,
        }}
      />
      <body data-copied={messages.copied} data-copy-failed={messages.copyFailed} data-close={messages.close}>
        <a class="o-skip" href={`#${frameId(view, "content-area")}`}>
          {messages.skipToContent}
        </a>
        {view.agentHint && (
          <p class="o-sr" aria-hidden="true" data-nosnippet="">
            {view.agentHint}
          </p>
        )}
        <Banner view={view} />
        <Header view={view} />
        <div id={frameId(view, "body-content")} class="o-shell">
          <Sidebar view={view} />
          {view.init ? (
            <script src={view.init.sidebar} />
          ) : (
            <script dangerouslySetInnerHTML={{ __html: sidebarInit(view.isBelowPath) }} />
          )}
          <main class="o-main">
            {aside}
            <div id={frameId(view, "content-area")} tabindex={-1}>
              {children}
            </div>
          </main>
        </div>
        {view.analytics && (
          <script
            type="application/json"
            id="oCounting"
            dangerouslySetInnerHTML={{ __html: jsonInHtml(view.analytics) }}
          />
        )}
        {view.search && (
          <script
            type="application/json"
            id="oAsking"
            dangerouslySetInnerHTML={{ __html: jsonInHtml(dialogConfig(view)) }}
          />
        )}
      </body>
    </html>
  );
}

/** Returns the configuration of the search and assistant scripts. */
function dialogConfig({ dialogMessages, search, assistant, messages }: PageView): object {
  const { askAssistant: ask, askAboutCode: askCode, loadFailed: failed } = messages;
  return { words: dialogMessages, search, failed, ...(assistant ? { assistant, ask, askCode } : {}) };
}

/** Preact's types don't have this attribute. */
const blocksPaint = { blocking: "render" };

function Head({ view, firstPaint }: { view: PageView; firstPaint: string }) {
  const { nav, styles, diskStyles = {}, outsideStyles = [], scripts, operator, init } = view;
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <link rel="expect" href={`#${firstPaint}`} {...blocksPaint} />
      {!init && <script dangerouslySetInnerHTML={{ __html: themeInit(view.isBelowPath) }} />}
      {operator && <script src={operator.file} />}
      {operator && !init && <script dangerouslySetInnerHTML={{ __html: featureInit }} />}
      {init && <script src={init.head} />}
      {styles.map((href) => (
        <link rel="stylesheet" href={href} data-disk={diskStyles[href]} />
      ))}
      {outsideStyles.length > 0 && (
        <noscript data-outside>
          {outsideStyles.map((href) => (
            <link rel="stylesheet" href={href} />
          ))}
        </noscript>
      )}
      {(nav.rest ? [...scripts, nav.rest.script] : scripts).map((src) => (
        <script defer src={src} />
      ))}
    </>
  );
}

/** The right column of the text, with samples or a panel. Below the page's title on narrow screens. */
function Samples({ view }: { view: PageView }) {
  return (
    <aside class="o-aside" aria-label={view.messages.codeExample}>
      <div class="o-flow" dangerouslySetInnerHTML={{ __html: view.asideHtml ?? "" }} />
      {view.contextual.placement === "toc" && <PageMenu view={view} />}
    </aside>
  );
}

/**
 * The column next to the text, above it on narrow screens: the table of contents, and the contextual menu if
 * it is configured for it.
 */
function Contents({ view }: { view: PageView }) {
  const toc = hasToc(view);
  const menu = view.contextual.placement === "toc" && <PageMenu view={view} />;
  if (!toc && !menu) return null;
  return (
    <div class="o-aside">
      {toc && <Toc view={view} />}
      {menu}
    </div>
  );
}

function hasTopHeading({ bodyHtml, parts }: PageView): boolean {
  const html = parts?.html ? Buffer.from(parts.html) : bodyHtml;
  return html.includes("<h1>") || html.includes("<h1 ");
}
