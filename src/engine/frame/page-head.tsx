import { jsxTemplate } from "preact/jsx-runtime";
import { safeHref } from "../page/safe-href.ts";
import { frameId } from "./frame-ids.ts";
import { Link, NavIcon } from "./nav-link.tsx";
import { PageMenu } from "./page-menu.tsx";
import type { PageView } from "./page-view.ts";

/**
 * The start of a page: eyebrow or breadcrumbs, title with tags, description, contextual menu, RSS link, the
 * switch for views and the filter for updates.
 */
export function PageHead({ view }: { view: PageView }) {
  const { messages } = view;
  return (
    <header id="oHead" class="o-head">
      <Eyebrow view={view} />
      <h1 id={frameId(view, "page-title")}>
        {view.titleHtml ? jsxTemplate([view.titleHtml]) : view.title}{" "}
        {view.deprecated && <small class="o-tag o-tag-warning">{messages.deprecated}</small>}
        {view.tag && <small class="o-tag">{view.tag}</small>}
        {view.version && <small class="o-tag o-tag-plain">{view.version}</small>}
      </h1>
      {view.descriptionHtml && (
        <Lead html={view.descriptionHtml} isBlock={view.descriptionIsBlock === true} />
      )}
      {view.contextual.placement === "header" && <PageMenu view={view} />}
      {view.rssHref && (
        <a class="o-rss" href={safeHref(view.rssHref)}>
          <i class="o-c o-c-rss" />
          {messages.subscribe}
        </a>
      )}
      <ViewSwitch view={view} />
      <UpdateFilter view={view} />
    </header>
  );
}

/**
 * The page's description. A `div` if the description contains components, because components are invalid in a
 * paragraph.
 */
function Lead({ html, isBlock }: { html: string; isBlock: boolean }) {
  const content = { __html: html };
  return isBlock ? (
    <div class="o-lead o-flow" dangerouslySetInnerHTML={content} />
  ) : (
    <p class="o-lead" dangerouslySetInnerHTML={content} />
  );
}

function Eyebrow({ view: { eyebrow, messages } }: { view: PageView }) {
  const [only] = eyebrow;
  if (!only) return null;
  if (eyebrow.length === 1 && !only.href) return <p class="o-eyebrow eyebrow">{only.label}</p>;

  return (
    <nav class="o-eyebrow eyebrow" aria-label={messages.breadcrumbs}>
      <ol>
        {eyebrow.map(({ label, href }) => (
          <li>
            {href ? (
              <Link href={href} messages={messages}>
                {label}
              </Link>
            ) : (
              label
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The switch between the views of a page. Without scripts, all views are shown. */
function ViewSwitch({ view: { views, messages } }: { view: PageView }) {
  if (views.length < 2) return null;
  return (
    <fieldset class="o-views o-js" aria-label={messages.view}>
      {views.map(({ title, icon }, index) => (
        <button type="button" data-show-view={title} aria-pressed={index === 0 ? "true" : "false"}>
          <NavIcon name={icon} />
          {title}
        </button>
      ))}
    </fieldset>
  );
}

function UpdateFilter({ view: { updateTags, messages } }: { view: PageView }) {
  if (updateTags.length === 0) return null;
  return (
    <fieldset class="o-filter o-js" aria-label={messages.filter}>
      {updateTags.map((tag) => (
        <button type="button" data-filter={tag} aria-pressed="false">
          {tag}
        </button>
      ))}
    </fieldset>
  );
}
