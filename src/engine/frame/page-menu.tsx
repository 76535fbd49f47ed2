import type { SiteMessages } from "../i18n/messages.ts";
import { safeHref } from "../page/safe-href.ts";
import { frameId } from "./frame-ids.ts";
import { Menu } from "./menu.tsx";
import { NewTabNote } from "./nav-link.tsx";
import type { ContextualOption, PageView } from "./page-view.ts";

/** The contextual menu: one option as a button, and all options in a list if there are several. */
export function PageMenu({ view }: { view: PageView }) {
  const { contextual, messages, markdownHref, operator } = view;
  const options = contextual.options.filter(works);

  // The operator can turn off a feature, so the button should be an option without one.
  const first = options.find((option) => option.feature === undefined || !operator) ?? options[0];
  if (!first) return null;

  return (
    <div id={frameId(view, "page-context-menu")} class="o-page-menu" data-markdown={markdownHref}>
      <Action option={first} messages={messages} brief />
      {options.length > 1 && (
        <Menu name={messages.pageActions} label={<i class="o-c o-c-down" />}>
          {options.map((option) => (
            <li class={option.href ? undefined : "o-js"} data-feature={option.feature}>
              <Action option={option} messages={messages} />
            </li>
          ))}
        </Menu>
      )}
    </div>
  );
}

/** Whether an option works on this page: it is a link, or an action that the page's script supports. */
function works({ href, copies, id }: ContextualOption): boolean {
  return href !== undefined || copies !== undefined || id === "assistant" || id === "download-pdf";
}

/** Returns the attributes by which the page's script knows what a button does. */
function actionOf({ id, copies }: ContextualOption): Record<string, string> {
  if (copies !== undefined) return { "data-copy": copies };
  return id === "assistant" ? { "data-ask": "" } : { "data-print": "" };
}

function Action({
  option,
  messages,
  brief,
}: {
  option: ContextualOption;
  messages: SiteMessages;
  brief?: boolean;
}) {
  const inner = (
    <>
      {option.icon && <span class="o-svg" dangerouslySetInnerHTML={{ __html: option.icon }} />}
      <span>
        {option.title}
        {!brief && option.description && <small>{option.description}</small>}
      </span>
    </>
  );

  if (option.href === undefined) {
    return (
      <button
        type="button"
        class={brief ? "o-js" : undefined}
        data-feature={option.feature}
        {...actionOf(option)}
      >
        {inner}
      </button>
    );
  }

  return (
    <a
      href={option.opensApp ? option.href : safeHref(option.href)}
      download={option.id === "download-spec" ? "" : undefined}
      {...(option.external ? { target: "_blank", rel: "noopener noreferrer" } : {})}
    >
      {inner}
      {option.external && <NewTabNote messages={messages} />}
    </a>
  );
}
