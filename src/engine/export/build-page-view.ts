/** Site and page → view-model, which the layout prints. */

import type { Access } from "../../base/access.ts";
import { contentsPath, islandPath, navigationPath, oauthPagePath, proxyPath, signInPath } from "../../layout/site-layout.ts";
import type { Banner, Footer, Navbar } from "../config/schema.ts";
import { icon } from "../html/icons.ts";
import { direction, messagesOf } from "../i18n/locales.ts";
import { inlineHtml } from "../render/inline-html.tsx";
import type { FooterColumn, NavLink, PageView, PlaygroundLinks } from "../render/page-view.ts";
import type { Site } from "../site/build-site.ts";
import { languageName } from "../site/language-names.ts";
import { isPicture } from "../site/links.ts";
import { crumbs, isCut, type NavContext, navView, pageLink, type Section } from "../site/nav-view.ts";
import { hashOf } from "../site/page-cache.ts";
import { ancestors, isPage, type NavNode, type NavPage, pagesBelow } from "../site/resolve-navigation.ts";
import type { Page } from "../site/site-page.ts";
import type { Playgrounds } from "./api-data.ts";
import type { AssetNames } from "./assets.ts";
import { type Audiences, keyOf, suffixOf } from "./audiences.ts";
import { contextualOptions } from "./contextual.ts";
import { askingView } from "./dialog-links.ts";
import { type ExportTarget, outsideContent } from "./export-target.ts";
import { feedPath, headHtml } from "./head.ts";
import type { InlineParts } from "./inline-parts.ts";
import type { NavIcons } from "./nav-icons.ts";
import { Addresses } from "./page-urls.ts";

export interface ViewContext {
  /** The site as readers with `access` see it. */
  site: Site;
  audiences: Audiences;
  playgrounds: Playgrounds;
  /** Who may read the page. */
  access: Access;
  target: ExportTarget;
  assets: AssetNames;
  navIcons: NavIcons;
  /** Absent where pages can have inline scripts and styles. */
  inline?: InlineParts;
  /** Where pages were last changed, when the site shows it. */
  changedAt(file: string): string | undefined;
}

export function pageView(page: Page, context: ViewContext): PageView {
  const { site, target, assets } = context;
  const { settings } = site.config;
  const { frontmatter, summary } = page;
  const addresses = new Addresses(site, target, page.route);
  const nav = navContext(addresses, context);
  const position = site.navigation.positions.get(page.route);
  const section = position && site.sections.of(position);
  const body = site.bodies.body(page.key);
  const trail = position ? crumbs(position, nav) : [];
  const base = frameView(page.route, addresses, context, position, section);
  const updatedAt =
    (frontmatter.timestamp ?? settings.metadata?.timestamp) ? (frontmatter.lastUpdatedDate ?? context.changedAt(page.file)) : undefined;
  const order = section?.placeOf.get(page);
  const neighbour = (offset: number): NavLink | undefined => {
    const other = order === undefined || frontmatter.hideFooterPagination ? undefined : section!.order[order + offset];
    return other && { label: other.frontmatter.sidebarTitle ?? other.title, href: addresses.page(other) };
  };

  return {
    ...base,
    mode: frontmatter.mode ?? "default",
    headHtml: headHtml(page, trail, { site, target, addresses }),
    scripts: [
      ...base.scripts,
      ...(page.reference ? [addresses.file(assets.reference)] : []),
      ...(summary.hasDiagram ? [addresses.file(assets.mermaid)] : []),
      ...(summary.islands.length ? [addresses.file(assets.islands), ...summary.islands.map((id) => addresses.file(islandPath(id)))] : []),
    ],
    title: page.title,
    ...descriptionOf(frontmatter.description, body.description, addresses),
    eyebrow: settings.styling?.eyebrows === "breadcrumbs" ? trail : trail.slice(-1),
    deprecated: frontmatter.deprecated === true,
    ...optional("version", frontmatter.version || versionAt(position)),
    bodyHtml: addresses.resolve(body.html),
    ...(body.lead ? { leadHtml: addresses.resolve(body.lead) } : {}),
    ...(body.aside ? { asideHtml: addresses.resolve(body.aside) } : {}),
    // Filters replace the table of contents.
    toc: summary.updateTags.length ? [] : summary.toc,
    updateTags: summary.updateTags,
    ...(frontmatter.rss && summary.feed.length ? { rssHref: addresses.file(feedPath(page)) } : {}),
    views: summary.views.map(({ title, icon: name }) => ({ title, ...optional("icon", nav.iconOf(name, undefined)) })),
    contextual: contextualOptions(page, context, addresses),
    ...directoryOf(page, position, nav),
    related: related(page, nav, site),
    ...optional("previous", neighbour(-1)),
    ...optional("next", neighbour(1)),
    ...optional("updatedAt", updatedAt),
    markdownHref: addresses.file(`${page.route || "index"}.md`),
    ...(base.counting ? { counting: { ...base.counting, path: `/${page.route}` } } : {}),
    ...optional("playground", playgroundLinks(page, context, addresses)),
    ...movedFragments(page, site, addresses),
    ...readerNavigation(page, context, addresses),
  };
}

function descriptionOf(text: string | undefined, html: string, addresses: Addresses): Partial<PageView> {
  if (html) return { descriptionHtml: addresses.resolve(html), descriptionIsBlock: true };
  return text ? { descriptionHtml: addresses.resolve(inlineHtml(text)) } : {};
}

/** Path of the navigation entries of a section that only some readers may see. */
export function readerNavigationPath(section: Section): string {
  return navigationPath(section.id);
}

function readerNavigation(page: Page, { site, audiences, target }: ViewContext, addresses: Addresses): Pick<PageView, "readerNavigation"> {
  const section = target.readers === "signed-in" ? audiences.restrictedSection(page, site) : undefined;
  return section ? { readerNavigation: addresses.file(readerNavigationPath(section)) } : {};
}

/** Fragments of the page's URL that docs.json redirects, with their destinations. */
function movedFragments(page: Page, site: Site, addresses: Addresses): Pick<PageView, "movedFragments"> {
  const moved = site.addresses.redirects.fragments.get(page.route);
  if (!moved) return {};
  // As browsers write them in `location.hash`.
  const hashOf = (fragment: string) => new URL(`#${fragment}`, "http://site").hash;
  return {
    movedFragments: Object.fromEntries([...moved].map(([fragment, destination]) => [hashOf(fragment), addresses.to(destination).href])),
  };
}

/** The version that the nearest anchor, tab or other division sets. */
function versionAt(position: NavPage | undefined): string | undefined {
  return position && ancestors(position.parent).findLast(({ division }) => division.version !== undefined)?.division.version;
}

function playgroundLinks(
  page: Page,
  { site, playgrounds, assets, access: reads }: ViewContext,
  addresses: Addresses,
): PlaygroundLinks | undefined {
  const playground = playgrounds.of(page);
  if (!playground || !assets.playground) return undefined;
  const { script, style, words } = assets.playground;
  return {
    operation: addresses.file(playground.operation),
    components: addresses.file(playground.components),
    script: addresses.file(script),
    style: addresses.file(style),
    words: addresses.file(words.get(site.languageOf(page.route))!),
    proxy: site.config.settings.api?.playground?.proxy === false ? null : addresses.file(proxyPath),
    oauth: addresses.file(oauthPagePath),
    ...(keyOf(playground.access) === keyOf(reads) ? {} : { signIn: addresses.file(signInPath), access: addresses.file(proxyPath) }),
  };
}

/** What pages of every kind have in common: the frame around the text. */
export function frameView(
  route: string,
  addresses: Addresses,
  context: ViewContext,
  position: NavPage | undefined,
  section: Section | undefined,
): PageView {
  const { site, target, assets } = context;
  const { settings } = site.config;
  const language = site.languageOf(route);
  const nav = navContext(addresses, context);
  const inLanguage = position && ancestors(position.parent).findLast((node) => node.division.kind === "language");
  const own = inLanguage?.division;
  const start = inLanguage && pagesBelow(inLanguage).next().value?.page;
  const view = navView(position, site.navigation.root, section, nav);
  if (section && isCut(section)) {
    view.rest = {
      script: addresses.file(`${navPath(section, context)}.js`),
      contentsHref: addresses.file(`${navPath(section, context)}.html`),
      path: position ? addresses.stem(position.page) : route || "index",
    };
  }
  const home = site.pages.get("");
  const messages = messagesOf(language).site;
  return {
    language,
    direction: direction(language),
    messages,
    theme: settings.theme,
    mode: "default",
    path: route || "index",
    root: addresses.root,
    linkSuffix: target.links === "html" ? ".html" : "",
    homeHref: home ? addresses.page(home) : addresses.route(""),
    site: {
      name: settings.name,
      ...logoOf(settings.logo, addresses, site),
      logoHref:
        typeof settings.logo === "object" && settings.logo.href
          ? addresses.to(settings.logo.href).href
          : start
            ? addresses.page(start)
            : addresses.route(""),
    },
    headHtml: "",
    styles: [assets.css, assets.siteCss, ...(assets.utilities ? [assets.utilities] : []), ...assets.authorCss].map((path) =>
      addresses.file(path),
    ),
    diskStyles: Object.fromEntries([...assets.onDisk].map(([path, twin]) => [addresses.file(path), addresses.file(twin)])),
    ...(assets.init ? { init: { head: addresses.file(assets.init.head), sidebar: addresses.file(assets.init.sidebar) } } : {}),
    outsideStyles: assets.outsideCss.map((path) => addresses.file(path)),
    scripts: [assets.page, ...assets.authorScripts].map((path) => addresses.file(path)),
    outside: outsideContent(target),
    appearance: { default: settings.appearance?.default ?? "system", strict: settings.appearance?.strict ?? false },
    ...bannerOf(own?.banner ?? settings.banner, addresses, settings.colors),
    navbar: navbarOf(own?.navbar ?? settings.navbar, addresses, nav),
    nav: view,
    title: "",
    eyebrow: [],
    deprecated: false,
    bodyHtml: "",
    toc: [],
    updateTags: [],
    views: [],
    contextual: { options: [], placement: "header" },
    related: [],
    footer: footerOf(own?.footer ?? settings.footer, addresses),
    ...askingView({ language, prompt: settings.search?.prompt, target, assets, addresses, position, integrations: settings.integrations }),
  };
}

/** Path of a section's complete tree, without extension. Pages with the same access share it. */
export function navPath(section: Section, { access }: ViewContext): string {
  return contentsPath(section.id + suffixOf(access));
}

export function navContext(addresses: Addresses, context: ViewContext): NavContext {
  return {
    hrefOf: (page) => addresses.page(page),
    pathOf: (page) => addresses.stem(page),
    hrefTo: (address) => addresses.to(address),
    iconOf: (value, type) => context.navIcons.classOf(value, type),
    languageName,
    drilldown: context.site.config.settings.interaction?.drilldown === true,
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

type Logo = NonNullable<Site["config"]["settings"]["logo"]>;

function logoOf(logo: Logo | undefined, addresses: Addresses, site: Site): { logo?: { light: string; dark: string } } {
  if (!logo) return {};
  const light = typeof logo === "string" ? logo : logo.light;
  const dark = typeof logo === "string" ? logo : logo.dark;
  if (![light, dark].every((address) => isPicture(address, site.addresses))) return {};
  return { logo: { light: addresses.to(light).href, dark: addresses.to(dark).href } };
}

function bannerOf(banner: Banner | undefined, addresses: Addresses, colors: { primary: string; dark?: string }): Pick<PageView, "banner"> {
  if (!banner?.content) return {};
  const color = typeof banner.color === "string" ? { light: banner.color, dark: banner.color } : banner.color;
  const light = color?.light ?? color?.dark;
  return {
    banner: {
      html: addresses.resolve(inlineHtml(banner.content)),
      type: banner.type ?? "info",
      ...(light
        ? { color: { light, dark: color?.dark ?? light } }
        : banner.type === undefined && colors.dark
          ? { color: { light: colors.dark, dark: colors.dark } }
          : {}),
      dismissible: banner.dismissible ?? false,
      id: hashOf(banner.content).slice(0, 8),
    },
  };
}

function navbarOf(navbar: Navbar | undefined, addresses: Addresses, nav: NavContext): PageView["navbar"] {
  const names = { github: "GitHub", discord: "Discord" };
  const primary = navbar?.primary;
  return {
    links: (navbar?.links ?? []).map((link) => {
      const iconName = nav.iconOf(link.icon ?? link.type, link.iconType);
      return {
        label: link.label ?? (link.type ? names[link.type] : link.href),
        ...addresses.to(link.href),
        ...(iconName ? { icon: iconName } : {}),
      };
    }),
    ...(primary
      ? {
          primary: {
            label: primary.label ?? (primary.type === "button" ? primary.href : names[primary.type]),
            href: addresses.to(primary.href).href,
            type: primary.type,
          },
        }
      : {}),
  };
}

const socialIcons: Record<string, string> = {
  x: "x-twitter",
  website: "globe",
  "hacker-news": "hacker-news",
  podcast: "podcast",
  "earth-americas": "earth-americas",
};

function footerOf(footer: Footer | undefined, addresses: Addresses): PageView["footer"] {
  const socials = Object.entries(footer?.socials ?? {}).flatMap(([name, href]) => {
    const iconSvg = icon(socialIcons[name] ?? name, { library: "fontawesome" });
    return /^https?:\/\//.test(href) && iconSvg ? [{ name, href, iconSvg }] : [];
  });
  const columns = (footer?.links ?? []).map(
    (column): FooterColumn => ({
      ...(column.header ? { header: column.header } : {}),
      items: column.items.map((item) => ({ label: item.label, ...addresses.to(item.href) })),
    }),
  );
  return { socials, columns };
}

/** The root page of a group lists the group's pages, if the navigation sets `directory`. */
function directoryOf(page: Page, position: NavPage | undefined, nav: NavContext): Pick<PageView, "directory"> {
  const group =
    position &&
    [position.parent, ...position.parent.children.filter((child): child is NavNode => !isPage(child))].find(
      (node) => node.rootPage === page,
    );
  const style = group && ancestors(group).findLast((node) => node.division.directory !== undefined)?.division.directory;
  if (!group || !style || style === "none") return {};
  const links = (node: NavNode): NavLink[] =>
    node.children.flatMap((child) => {
      if (!isPage(child)) return links(child);
      if (child.page === page || !child.page.visibility.navigation) return [];
      const { description } = child.page.frontmatter;
      return [{ ...pageLink(child.page, nav), ...(description ? { description } : {}) }];
    });
  const direct = group.children.filter(isPage).filter((child) => child.page !== page && child.page.visibility.navigation);
  const groups = group.children
    .filter((child): child is NavNode => !isPage(child) && !child.division.hidden)
    .map((child) => ({ label: child.division.label, links: links(child) }));
  const own = direct.map((child) => ({ ...pageLink(child.page, nav), ...optional("description", child.page.frontmatter.description) }));
  return { directory: { style, groups: [...(own.length ? [{ links: own }] : []), ...groups.filter((entry) => entry.links.length)] } };
}

function related(page: Page, nav: NavContext, site: Site): NavLink[] {
  const entries = Array.isArray(page.frontmatter.related) ? page.frontmatter.related : [];
  return entries.slice(0, 10).flatMap((entry): NavLink[] => {
    if (typeof entry === "string") {
      const route = entry.replace(/^\//, "");
      const known = site.pages.get(route);
      if (!known && site.addresses.pages.has(route)) return [];
      return [{ label: known?.title ?? entry, ...nav.hrefTo(entry) }];
    }
    if (typeof entry !== "object" || entry === null) return [];
    return Object.entries(entry).flatMap(([label, href]) => (typeof href === "string" ? [{ label, ...nav.hrefTo(href) }] : []));
  });
}
