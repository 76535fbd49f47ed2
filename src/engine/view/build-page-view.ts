/**
 * Creates the view models of pages and generated pages for the layout, and the paths of their navigation
 * files.
 */

import type { Access } from "../../base/access.ts";
import { basePathOf } from "../../base/base-path.ts";
import { fieldIfSet } from "../../base/field-if-set.ts";
import {
  contentsPath,
  islandPath,
  navigationPath,
  oauthPagePath,
  proxyPath,
  signInPath,
} from "../../layout/site-layout.ts";
import type { BannerSettings, FooterSettings, NavbarSettings } from "../config/layout-schema.ts";
import { hasFrameId } from "../frame/frame-ids.ts";
import type { FooterColumn, NavLink, PageParts, PageView, PlaygroundLinks } from "../frame/page-view.ts";
import { hole } from "../frame/template.ts";
import { themeOf } from "../frame/themes.ts";
import { hashOf } from "../hash-of.ts";
import { icon } from "../html/icons.ts";
import { direction, messagesOf } from "../i18n/locales.ts";
import type { HtmlPart } from "../page/body.ts";
import { inlineHtml } from "../page/inline-html.tsx";
import type { TocEntry } from "../page/table-of-contents.ts";
import { feedFile, markdownFile } from "../paths.ts";
import type { AssetNames } from "../plan/assets.ts";
import { type Audiences, covers, suffixOf } from "../plan/audiences.ts";
import { diagramScripts } from "../plan/diagram-files.ts";
import { type ExportTarget, externalContentMode } from "../plan/export-target.ts";
import { featureLinks } from "../plan/feature-links.ts";
import { preloadedFonts } from "../plan/font-files.ts";
import type { InlineParts } from "../plan/inline-parts.ts";
import type { NavIcons } from "../plan/nav-icons.ts";
import { PageUrls } from "../plan/page-urls.ts";
import type { Playgrounds } from "../plan/playgrounds.ts";
import type { Site } from "../site/build-site.ts";
import { isServedOrExternal } from "../site/navigation/link-targets.ts";
import { isCut, type Section } from "../site/navigation/nav-sections.ts";
import { isPage, type NavNode, type NavPage, pagesBelow } from "../site/navigation/resolve-navigation.ts";
import type { Page } from "../site/page.ts";
import { languageName } from "../site/sources/language-names.ts";
import { editLinks } from "./edit-links.ts";
import { agentHint, headHtml } from "./head.ts";
import { crumbs, type NavContext, navView, pageLink } from "./nav-view.ts";
import { contextualOptions } from "./page-menu.ts";
import { unmarkedNavigation } from "./unmarked-navigation.ts";

export interface ViewContext {
  /** The site that readers with `access` may see. */
  site: Site;
  audiences: Audiences;
  playgrounds: Playgrounds;
  /** Access required for the pages that are created with this context. */
  access: Access;
  target: ExportTarget;
  assets: AssetNames;
  navIcons: NavIcons;
  /** Entries of navigation trees, by the root URL of the pages that contain them. */
  navEntries: Map<string, NavContext["entries"]>;
  /** Set if pages must not have inline scripts and styles. */
  inline?: InlineParts;
  /** Returns the date of a file's last change, in ISO 8601 format. Undefined if unknown. */
  changedAt(file: string): string | undefined;
}

/** Returns the view of a page, which contains holes for its long parts. */
export function pageView(page: Page, context: ViewContext): PageView & { parts: PageParts } {
  const { site, target, assets } = context;
  const { settings } = site.config;
  const { frontmatter, summary } = page;
  const urls = new PageUrls(site, target, page.route);
  const nav = navContext(urls, context);
  const position = site.navigation.positions.get(page.route);
  const section = position && site.sections.of(position);
  const trail = position ? crumbs(position, nav) : [];

  // A home page that isn't in the navigation shows the navigation of the first page.
  const first =
    !position && page.route === "" ? (pagesBelow(site.navigation.root).next().value ?? undefined) : undefined;
  const frame = frameView(
    page.route,
    urls,
    context,
    position ?? first,
    section ?? (first && site.sections.of(first)),
  );

  const base = first ? { ...frame, nav: unmarkedNavigation(frame.nav) } : frame;

  const updatedAt =
    (frontmatter.timestamp ?? settings.metadata?.timestamp)
      ? (frontmatter.lastUpdatedDate ?? context.changedAt(page.file))
      : undefined;

  // The navigation refers to the page, not to its versions.
  const listed = site.pages.get(page.route) ?? page;
  const order = section?.indexOf.get(listed);
  const neighbor = (offset: number): NavLink | undefined => {
    const other =
      order === undefined || frontmatter.hideFooterPagination ? undefined : section!.order[order + offset];
    return other && { label: other.frontmatter.sidebarTitle ?? other.title, href: urls.page(other) };
  };

  const description = site.bodies.bodyPart(page.storedName, "description");
  const toc = site.bodies.bodyPart(page.storedName, "toc");
  const hasOwnIds = hasFrameId(summary.anchors);
  const renamed = new Map([...assets.renamedCss].map(([path, twin]) => [urls.file(path), urls.file(twin)]));

  return {
    ...base,
    mode: frontmatter.mode ?? "default",
    headHtml: headHtml(page, trail, { site, target, urls }),
    agentHint: agentHint({ site, target, urls }),
    ...fieldIfSet("hasOwnIds", hasOwnIds || undefined),
    styles: [
      ...(hasOwnIds ? base.styles.map((href) => renamed.get(href) ?? href) : base.styles),
      ...(page.reference && assets.reference ? [urls.file(assets.reference.style)] : []),
    ],
    scripts: [
      ...base.scripts,
      ...(page.reference && assets.reference ? [urls.file(assets.reference.script)] : []),
      ...diagramScripts(assets.diagrams, summary.diagramParts).map((path) => urls.file(path)),
      ...(assets.codeFeedback ? [urls.file(assets.codeFeedback)] : []),
      ...(summary.hasReaderText ? [urls.file(assets.readerText)] : []),
      ...(summary.islands.length
        ? [urls.file(assets.islands), ...summary.islands.map((id) => urls.file(islandPath(id)))]
        : []),
    ],
    title: page.title,
    ...descriptionOf(frontmatter.description, description, urls),
    eyebrow:
      (settings.styling?.eyebrows ?? themeOf(settings.theme).eyebrows) === "breadcrumbs"
        ? trail
        : trail.slice(-1),
    deprecated: frontmatter.deprecated === true,
    ...fieldIfSet("version", frontmatter.version || versionAt(position)),
    ...longParts(page, context, urls),
    // On a changelog with tags, filters replace the table of contents.
    toc: toc && !summary.updateTags.length ? (JSON.parse(toc) as TocEntry[]) : [],
    updateTags: summary.updateTags,
    ...(frontmatter.rss && summary.feed.length ? { rssHref: urls.file(feedFile(page.route)) } : {}),
    views: summary.views.map(({ title, icon: name }) => ({
      title,
      ...fieldIfSet("icon", nav.iconOf(name, undefined)),
    })),
    contextual: contextualOptions(page, context, urls),
    ...directoryOf(listed, position, nav),
    related: related(page, nav, site),
    ...fieldIfSet("previous", neighbor(-1)),
    ...fieldIfSet("next", neighbor(1)),
    ...fieldIfSet("updatedAt", updatedAt),
    ...editLinks({ page, access: context.access, target, feedback: settings.feedback }),
    markdownHref: urls.file(markdownFile(page.route)),
    ...(base.analytics ? { analytics: { ...base.analytics, path: `/${page.route}` } } : {}),
    ...fieldIfSet("playground", playgroundLinks(listed, context, urls)),
    ...movedFragments(page, site, urls),
    ...readerNavigation(page, context, urls),
  };
}

function longParts(
  page: Page,
  { site }: ViewContext,
  urls: PageUrls,
): Pick<PageView, "bodyHtml" | "leadHtml" | "asideHtml"> & { parts: PageParts } {
  const parts: Record<string, Buffer> = {};
  const partHtml = (name: HtmlPart): string => {
    const part = urls.fill(site.bodies.htmlPart(page.storedName, name));
    if (part.length === 0) return "";
    parts[name] = part;
    return hole(name);
  };
  return { bodyHtml: partHtml("html"), leadHtml: partHtml("lead"), asideHtml: partHtml("aside"), parts };
}

function descriptionOf(text: string | undefined, html: string, urls: PageUrls): Partial<PageView> {
  if (html) return { descriptionHtml: urls.resolve(html), descriptionIsBlock: true };
  return text ? { descriptionHtml: urls.resolve(inlineHtml(text)) } : {};
}

/** Returns the path of the file with the navigation entries of a section and the access of each entry. */
export function readerNavigationPath(section: Section): string {
  return navigationPath(section.id);
}

function readerNavigation(
  page: Page,
  { site, audiences, target }: ViewContext,
  urls: PageUrls,
): Pick<PageView, "readerNavigation"> {
  const section = target.readers === "signed-in" ? audiences.restrictedSection(page, site) : undefined;
  return section ? { readerNavigation: urls.file(readerNavigationPath(section)) } : {};
}

/** Returns the redirects in docs.json for fragments of a page's URL: destinations by `location.hash`. */
function movedFragments(page: Page, site: Site, urls: PageUrls): Pick<PageView, "movedFragments"> {
  const moved = site.linkTargets.redirects.fragments.get(page.route);
  if (!moved) return {};
  // Converts a fragment to the format of `location.hash`.
  const locationHash = (fragment: string) => new URL(`#${fragment}`, "http://site").hash;
  return {
    movedFragments: Object.fromEntries(
      [...moved].map(([fragment, destination]) => [locationHash(fragment), urls.link(destination).href]),
    ),
  };
}

/** Returns the `version` setting of the nearest division that has one. */
function versionAt(position: NavPage | undefined): string | undefined {
  return position?.parent.chain.findLast(({ division }) => division.version !== undefined)?.division.version;
}

function playgroundLinks(
  page: Page,
  { site, playgrounds, assets, access: pageAccess }: ViewContext,
  urls: PageUrls,
): PlaygroundLinks | undefined {
  const playground = playgrounds.of(page);
  if (!playground || !assets.playground) return undefined;
  const { script, style, messages } = assets.playground;
  return {
    operation: urls.file(playground.operation),
    components: urls.file(playground.components),
    script: urls.file(script),
    style: urls.file(style),
    words: urls.file(messages.get(site.languageOf(page.route))!),
    proxy: site.config.settings.api?.playground?.proxy === false ? null : urls.file(proxyPath),
    oauth: urls.file(oauthPagePath),
    ...(covers(playground.access, pageAccess)
      ? {}
      : { signIn: urls.file(signInPath), access: urls.file(proxyPath) }),
  };
}

/**
 * Returns the parts of a view that all pages share, including generated pages, such as header, navigation and
 * footer.
 */
export function frameView(
  route: string,
  urls: PageUrls,
  context: ViewContext,
  position: NavPage | undefined,
  section: Section | undefined,
): PageView {
  const { site, target, assets } = context;
  const { settings } = site.config;
  const language = site.languageOf(route);
  const nav = navContext(urls, context);
  const inLanguage = position?.parent.chain.findLast((node) => node.division.kind === "language");
  const own = inLanguage?.division;
  const start = inLanguage && pagesBelow(inLanguage).next().value?.page;
  const view = navView(position, site.navigation.root, section, nav);

  if (section && isCut(section)) {
    view.rest = {
      script: urls.file(`${navPath(section, context)}.js`),
      contentsHref: urls.file(`${navPath(section, context)}.html`),
      path: position ? urls.stem(position.page) : route || "index",
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
    root: urls.root,
    isBelowPath: basePathOf(target.origin) !== "",
    linkSuffix: target.links === "html" ? ".html" : "",
    homeHref: home ? urls.page(home) : urls.route(""),
    site: {
      name: settings.name,
      ...logoOf(settings.logo, urls, site),
      logoHref:
        typeof settings.logo === "object" && settings.logo.href
          ? urls.link(settings.logo.href).href
          : start
            ? urls.page(start)
            : urls.route(""),
    },
    headHtml: "",
    fonts: preloadedFonts(assets.fonts, language).map((path) => urls.file(path)),
    styles: [
      assets.css,
      assets.siteCss,
      ...(assets.utilities ? [assets.utilities] : []),
      ...assets.authorCss,
    ].map((path) => urls.file(path)),
    diskStyles: Object.fromEntries(
      [...assets.onDisk].map(([path, twin]) => [urls.file(path), urls.file(twin)]),
    ),
    ...(assets.init
      ? { init: { head: urls.file(assets.init.head), sidebar: urls.file(assets.init.sidebar) } }
      : {}),
    outsideStyles: assets.outsideCss.map((path) => urls.file(path)),
    scripts: [assets.page, ...assets.authorScripts].map((path) => urls.file(path)),
    outside: externalContentMode(target),
    appearance: {
      default: settings.appearance?.default ?? "system",
      strict: settings.appearance?.strict ?? false,
    },
    ...bannerOf(own?.banner ?? settings.banner, urls, settings.colors),
    navbar: navbarOf(own?.navbar ?? settings.navbar, urls, nav),
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
    footer: footerOf(own?.footer ?? settings.footer, urls),
    ...featureLinks({ language, prompt: settings.search?.prompt, target, assets, urls, position, settings }),
  };
}

/**
 * Returns the path, without extension, of the files with the complete navigation tree of a section. Pages
 * with the same access share these files.
 */
export function navPath(section: Section, { access }: ViewContext): string {
  return contentsPath(section.id + suffixOf(access));
}

export function navContext(urls: PageUrls, context: ViewContext): NavContext {
  return {
    hrefOf: (page) => urls.page(page),
    pathOf: (page) => urls.stem(page),
    hrefTo: (address) => urls.link(address),
    iconOf: (value, type) => context.navIcons.classOf(value, type),
    languageName,
    drilldown: context.site.config.settings.interaction?.drilldown === true,
    entries: entriesAt(urls.root, context),
  };
}

/** Returns the entries of navigation trees whose links are relative to this root URL. */
function entriesAt(root: string, { navEntries }: ViewContext): NavContext["entries"] {
  let entries = navEntries.get(root);
  if (!entries) navEntries.set(root, (entries = new Map()));
  return entries;
}

type Logo = NonNullable<Site["config"]["settings"]["logo"]>;

function logoOf(logo: Logo | undefined, urls: PageUrls, site: Site): Pick<PageView["site"], "logo"> {
  if (!logo) return {};
  const light = typeof logo === "string" ? logo : logo.light;
  const dark = typeof logo === "string" ? logo : logo.dark;
  if (![light, dark].every((address) => isServedOrExternal(address, site.linkTargets))) return {};
  const { logoSizes } = site;
  return {
    logo: {
      light: { src: urls.link(light).href, ...logoSizes.light },
      dark: { src: urls.link(dark).href, ...logoSizes.dark },
    },
  };
}

function bannerOf(
  banner: BannerSettings | undefined,
  urls: PageUrls,
  colors: { primary: string; dark?: string },
): Pick<PageView, "banner"> {
  if (!banner?.content) return {};
  const color = typeof banner.color === "string" ? { light: banner.color, dark: banner.color } : banner.color;
  const light = color?.light ?? color?.dark;
  return {
    banner: {
      html: urls.resolve(inlineHtml(banner.content)),
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

function navbarOf(navbar: NavbarSettings | undefined, urls: PageUrls, nav: NavContext): PageView["navbar"] {
  const names = { github: "GitHub", discord: "Discord" };
  const primary = navbar?.primary;
  return {
    links: (navbar?.links ?? []).map((link) => {
      const service = link.type === "button" ? undefined : link.type;
      const iconName = nav.iconOf(link.icon ?? service, link.iconType);
      return {
        label: link.label ?? (service ? names[service] : link.href),
        ...urls.link(link.href),
        ...(iconName ? { icon: iconName } : {}),
      };
    }),
    ...(primary
      ? {
          primary: {
            label: primary.label ?? (primary.type === "button" ? primary.href : names[primary.type]),
            href: urls.link(primary.href).href,
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

function footerOf(footer: FooterSettings | undefined, urls: PageUrls): PageView["footer"] {
  const socials = Object.entries(footer?.socials ?? {}).flatMap(([name, href]) => {
    const iconSvg = icon(socialIcons[name] ?? name, { library: "fontawesome" });
    return /^https?:\/\//.test(href) && iconSvg ? [{ name, href, iconSvg }] : [];
  });
  const columns = (footer?.links ?? []).map(
    (column): FooterColumn => ({
      ...(column.header ? { header: column.header } : {}),
      items: column.items.map((item) => ({ label: item.label, ...urls.link(item.href) })),
    }),
  );
  return { socials, columns };
}

/**
 * Returns the list of a group's pages, which the group's root page shows if the navigation sets `directory`.
 */
function directoryOf(
  page: Page,
  position: NavPage | undefined,
  nav: NavContext,
): Pick<PageView, "directory"> {
  const group =
    position &&
    [position.parent, ...position.parent.children.filter((child): child is NavNode => !isPage(child))].find(
      (node) => node.rootPage === page,
    );

  const style = group?.chain.findLast((node) => node.division.directory !== undefined)?.division.directory;
  if (!group || !style || style === "none") return {};

  const links = (node: NavNode): NavLink[] =>
    node.children.flatMap((child) => {
      if (!isPage(child)) return links(child);
      if (child.page === page || !child.page.visibility.navigation) return [];
      const { description } = child.page.frontmatter;
      return [{ ...pageLink(child.page, nav), ...(description ? { description } : {}) }];
    });

  const direct = group.children
    .filter(isPage)
    .filter((child) => child.page !== page && child.page.visibility.navigation);
  const groups = group.children
    .filter((child): child is NavNode => !isPage(child) && !child.division.hidden)
    .map((child) => ({ label: child.division.label, links: links(child) }));

  const own = direct.map((child) => ({
    ...pageLink(child.page, nav),
    ...fieldIfSet("description", child.page.frontmatter.description),
  }));

  return {
    directory: {
      style,
      groups: [...(own.length ? [{ links: own }] : []), ...groups.filter((entry) => entry.links.length)],
    },
  };
}

function related(page: Page, nav: NavContext, site: Site): NavLink[] {
  const entries = Array.isArray(page.frontmatter.related) ? page.frontmatter.related : [];
  return entries.slice(0, 10).flatMap((entry): NavLink[] => {
    if (typeof entry === "string") {
      const route = entry.replace(/^\//, "");
      const known = site.pages.get(route);
      if (!known && site.linkTargets.pages.has(route)) return [];
      return [{ label: known?.title ?? entry, ...nav.hrefTo(entry) }];
    }
    if (typeof entry !== "object" || entry === null) return [];
    return Object.entries(entry).flatMap(([label, href]) =>
      typeof href === "string" ? [{ label, ...nav.hrefTo(href) }] : [],
    );
  });
}
