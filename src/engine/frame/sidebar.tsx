import { renderToString } from "preact-render-to-string";
import { withoutMethod } from "../../base/without-method.ts";
import type { SiteMessages } from "../i18n/messages.ts";
import { safeHref } from "../page/safe-href.ts";
import { shortMethods } from "../page/short-methods.ts";
import { frameId } from "./frame-ids.ts";
import { Link, NavIcon } from "./nav-link.tsx";
import type { NavGroup, NavItem, NavLink, NavView, PageView, Selector, TabLink } from "./page-view.ts";
import { SelectorMenu } from "./selector-menu.tsx";

/**
 * The navigation next to the page's text. On screens narrower than 48rem, the sidebar is a panel that the
 * menu button opens: with scripts in a dialog, without scripts as the `:target` of a link.
 */
export function Sidebar({ view }: { view: PageView }) {
  const { nav, messages } = view;
  const selectors = nav.selectors.filter(inSidebar);
  const isFilledIn = nav.rest !== undefined || view.readerNavigation !== undefined;
  return (
    <nav
      id={frameId(view, "sidebar")}
      aria-label={messages.navigation}
      data-path={nav.rest?.path ?? (isFilledIn ? view.path : undefined)}
      data-deprecated={isFilledIn ? messages.deprecated : undefined}
      data-reader-navigation={view.readerNavigation}
    >
      <a class="o-nav-close" href={`#${frameId(view, "content-area")}`}>
        <i class="o-c o-c-x" />
        {messages.close}
      </a>
      <SideTabs tabs={nav.tabs} messages={messages} />
      {selectors.map((selector) => (
        <SelectorMenu selector={selector} messages={messages} />
      ))}
      <Anchors anchors={nav.anchors} messages={messages} />
      <ul
        id={frameId(view, "sidebar-content")}
        class="o-tree"
        dangerouslySetInnerHTML={{
          __html: itemsHtml({ items: nav.tree, messages, contentsHref: nav.rest?.contentsHref, top: true }),
        }}
      />
      {nav.rest && (
        <a class="o-nav-all" href={safeHref(nav.rest.contentsHref)}>
          {messages.allPages}
        </a>
      )}
      <SiteLinks view={view} />
    </nav>
  );
}

/** Whether the sidebar shows nothing, as on the sign-in page. */
export function isSidebarEmpty({ nav, navbar, readerNavigation }: PageView): boolean {
  const { tree, tabs, anchors, selectors, rest } = nav;
  const shown = [tree, tabs, anchors, selectors.filter(inSidebar), navbar.links];
  const isFilledIn = rest !== undefined || readerNavigation !== undefined;
  return shown.every((list) => list.length === 0) && !isFilledIn && !navbar.primary;
}

/** Whether a selector is shown above the tree. The language selector is in the header. */
function inSidebar(selector: Selector): boolean {
  return selector.kind !== "language";
}

/** A copy of the header's tabs, for the menu on small screens and for themes with tabs in the sidebar. */
function SideTabs({ tabs, messages }: { tabs: readonly TabLink[]; messages: SiteMessages }) {
  if (tabs.length === 0) return null;

  return (
    <ul class="o-side-tabs">
      {tabs.flatMap(({ menu, ...tab }) =>
        (menu ?? [tab]).map((link) => (
          <li>
            <Link href={link.href} messages={messages} external={link.external} current={link.current}>
              <NavIcon name={link.icon} />
              {link.label}
            </Link>
          </li>
        )),
      )}
    </ul>
  );
}

function Anchors({ anchors, messages }: { anchors: NavView["anchors"]; messages: SiteMessages }) {
  if (anchors.length === 0) return null;
  return (
    <ul class="o-anchors nav-anchors">
      {anchors.map((anchor) => (
        <li>
          <Link href={anchor.href} messages={messages} external={anchor.external} current={anchor.current}>
            <NavIcon name={anchor.icon} />
            {anchor.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A copy of the header's links for the menu on small screens. */
function SiteLinks({ view: { navbar, messages } }: { view: PageView }) {
  const { links, primary } = navbar;
  if (links.length === 0 && !primary) return null;

  return (
    <ul class="o-site-links">
      {links.map((link) => (
        <li>
          <Link href={link.href} messages={messages} external={link.external}>
            <NavIcon name={link.icon} />
            {link.label}
          </Link>
        </li>
      ))}
      {primary && (
        <li>
          <a class="o-primary" href={safeHref(primary.href)}>
            {primary.label}
          </a>
        </li>
      )}
    </ul>
  );
}

interface Items {
  items: readonly NavItem[];
  messages: SiteMessages;
  contentsHref: string | undefined;
  top?: boolean;
}

function itemsHtml({ items, ...tree }: Items): string {
  // If one entry has a method badge, all entries leave space for it, so that labels align.
  const hasBadges = items.some((item) => item.kind === "page" && item.method);
  return items.map((item) => itemHtml(item, hasBadges, tree)).join("");
}

/** HTML of entries that the trees of several pages contain, with and without a column for badges. */
const sharedBadgeItems = new WeakMap<NavItem, string>();
const sharedItems = new WeakMap<NavItem, string>();

function itemHtml(item: NavItem, hasBadges: boolean, tree: Omit<Items, "items">): string {
  const known = hasBadges ? sharedBadgeItems : sharedItems;
  const html = known.get(item);
  if (html !== undefined) return html;
  const rendered = renderToString(<Item item={item} hasBadges={hasBadges} {...tree} />);
  if (isIndependent(item)) known.set(item, rendered);
  return rendered;
}

/**
 * Whether the HTML of an entry depends only on the entry. The HTML of external and deprecated pages contains
 * messages.
 */
function isIndependent(item: NavItem): boolean {
  return item.kind === "page" ? !item.external && !item.deprecated : !item.items && item.href !== undefined;
}

function Item({
  item,
  hasBadges,
  messages,
  contentsHref,
  top,
}: { item: NavItem; hasBadges: boolean } & Omit<Items, "items">) {
  if (item.kind === "group")
    return <Group group={item} messages={messages} contentsHref={contentsHref} top={top} />;
  return (
    <li>
      <PageLink link={item} messages={messages} hasBadgeColumn={hasBadges} />
    </li>
  );
}

function PageLink({
  link,
  messages,
  hasBadgeColumn,
}: {
  link: NavLink;
  messages: SiteMessages;
  hasBadgeColumn: boolean;
}) {
  const label = withoutMethod(link.label, link.method);
  return (
    <Link href={link.href} messages={messages} external={link.external} current={link.current}>
      {link.method ? <Method method={link.method} /> : hasBadgeColumn && !link.icon && <b class="o-m" />}
      <NavIcon name={link.icon} />
      {hasBadgeColumn || link.icon || link.tag || link.deprecated ? <span>{label}</span> : label}
      {link.deprecated && <small class="o-tag o-tag-warning">{messages.deprecated}</small>}
      {link.tag && <small class="o-tag">{link.tag}</small>}
    </Link>
  );
}

function Method({ method }: { method: string }) {
  const short = shortMethods[method];
  return (
    <b class={`o-m o-m-${method.toLowerCase()}`} title={short && method}>
      {short ?? method}
    </b>
  );
}

/**
 * A group of the navigation. A top-level group is a heading that is always expanded. A nested group is
 * collapsible. A group whose content is in the shared navigation file is a link until the script has loaded
 * the file.
 */
function Group({ group, messages, contentsHref, top }: { group: NavGroup } & Omit<Items, "items">) {
  const label = (
    <>
      <NavIcon name={group.icon} />
      <span>{group.label}</span>
      {group.tag && <small class="o-tag">{group.tag}</small>}
    </>
  );

  const titleLink = group.href && (
    <Link href={group.href} messages={messages} current={group.current}>
      {label}
    </Link>
  );

  if (!group.items) {
    return (
      <li class={top ? "o-top" : undefined}>
        <Link class="o-more" href={group.href ?? contentsHref ?? "#"} messages={messages}>
          {label}
        </Link>
      </li>
    );
  }

  const content = (
    <ul dangerouslySetInnerHTML={{ __html: itemsHtml({ items: group.items, messages, contentsHref }) }} />
  );

  if (top) {
    return (
      <li class="o-top">
        {titleLink || <p>{label}</p>}
        {content}
      </li>
    );
  }

  // A summary can't contain a link, so the disclosure of a group with a root page is next to its link.
  return (
    <li class={titleLink ? "o-fold" : undefined}>
      {titleLink}
      <details open={group.open}>
        <summary aria-label={titleLink ? group.label : undefined}>{!titleLink && label}</summary>
        {content}
      </details>
    </li>
  );
}
