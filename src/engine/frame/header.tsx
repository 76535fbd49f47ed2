import type { SiteMessages } from "../i18n/messages.ts";
import { safeHref } from "../page/safe-href.ts";
import { frameId } from "./frame-ids.ts";
import { Menu, MenuLinks } from "./menu.tsx";
import { Link, NavIcon } from "./nav-link.tsx";
import type { PageView, TabLink } from "./page-view.ts";
import { SelectorMenu } from "./selector-menu.tsx";
import { isSidebarEmpty } from "./sidebar.tsx";

/**
 * The header: logo, search and assistant buttons, links, language and color mode menus, primary button, and a
 * row of tabs.
 */
export function Header({ view }: { view: PageView }) {
  const { nav, navbar, messages, appearance } = view;
  return (
    <header id={frameId(view, "navbar")}>
      <div class="o-bar">
        {!isSidebarEmpty(view) && (
          <a class="o-menu-button" href={`#${frameId(view, "sidebar")}`} aria-label={messages.menu}>
            <i class="o-c o-c-menu" />
          </a>
        )}
        <Logo view={view} />
        <DialogButtons view={view} />
        {navbar.links.length > 0 && (
          <ul class="o-links navbar-links" aria-label={messages.siteLinks}>
            {navbar.links.map((link) => (
              <li>
                <Link href={link.href} messages={messages} external={link.external}>
                  <NavIcon name={link.icon} />
                  {link.label}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {nav.selectors
          .filter((selector) => selector.kind === "language")
          .map((selector) => (
            <SelectorMenu selector={selector} messages={messages} />
          ))}
        {!appearance.strict && <ColorModeMenu messages={messages} />}
        {navbar.primary && (
          <a
            id={frameId(view, "topbar-cta-button")}
            class={`o-primary o-primary-${navbar.primary.type}`}
            href={safeHref(navbar.primary.href)}
          >
            {navbar.primary.label}
          </a>
        )}
        {nav.tabs.length > 0 && <Tabs tabs={nav.tabs} messages={messages} />}
      </div>
    </header>
  );
}

/** The search and assistant buttons. Their scripts load on first use. */
function DialogButtons({ view }: { view: PageView }) {
  const { search, assistant, messages } = view;
  return (
    <>
      {search && (
        <button
          type="button"
          id={frameId(view, "search-bar-entry")}
          class="o-search-button o-js"
          aria-label={search.prompt ?? messages.search}
          aria-haspopup="dialog"
          data-feature="search"
        >
          <i class="o-c o-c-search" />
          <span>{search.prompt ?? messages.search}</span>
          <kbd data-keys="Ctrl K" />
        </button>
      )}
      {assistant && (
        <button
          type="button"
          id={frameId(view, "assistant-entry")}
          class="o-ask-button o-js"
          aria-label={messages.assistant}
          data-ask=""
          data-feature="assistant"
        >
          <i class="o-c o-c-assistant" />
          <span>{messages.assistant}</span>
        </button>
      )}
    </>
  );
}

function Logo({ view: { site } }: { view: PageView }) {
  const { logo, name, logoHref } = site;
  return (
    <a class="o-logo nav-logo" href={safeHref(logoHref)}>
      {!logo ? (
        name
      ) : logo.light.src === logo.dark.src ? (
        <img {...logo.light} alt={name} />
      ) : (
        <>
          <img class="o-only-light" {...logo.light} alt={name} />
          <img class="o-only-dark" {...logo.dark} alt={name} />
        </>
      )}
    </a>
  );
}

/** The color mode menu. Only visible if scripts run. */
function ColorModeMenu({ messages }: { messages: SiteMessages }) {
  const choices = [
    ["system", messages.themeSystem],
    ["light", messages.themeLight],
    ["dark", messages.themeDark],
  ];

  return (
    <Menu class="o-theme o-js" name={messages.theme} label={<i class="o-c o-c-theme" />}>
      {choices.map(([mode, label]) => (
        <li>
          <button type="button" data-mode={mode}>
            <i class={`o-c o-c-${mode}`} />
            {label}
          </button>
        </li>
      ))}
    </Menu>
  );
}

function Tabs({ tabs, messages }: { tabs: TabLink[]; messages: SiteMessages }) {
  return (
    <nav class="o-sections nav-tabs" aria-label={messages.sections}>
      <ul>
        {tabs.map((tab) => (
          <li class={tab.alignEnd ? "o-end" : undefined}>
            {tab.menu ? (
              <Menu class={tab.current ? "o-current" : ""} label={<TabLabel tab={tab} />}>
                <MenuLinks links={tab.menu} messages={messages} />
              </Menu>
            ) : (
              <Link href={tab.href} messages={messages} external={tab.external} current={tab.current}>
                <TabLabel tab={tab} />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function TabLabel({ tab }: { tab: TabLink }) {
  return (
    <>
      <NavIcon name={tab.icon} />
      {tab.label}
      {tab.tag && <small class="o-tag">{tab.tag}</small>}
    </>
  );
}
