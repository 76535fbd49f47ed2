/** Site → files. The one way in which pages are made, whatever becomes of them. */
import { escapeHtml } from "../../base/text.ts";
import { htmlFile } from "../paths.ts";
import type { Site } from "../site/build-site.ts";
import { compactTree, isCut, type Section } from "../site/nav-view.ts";
import { isPage, type NavItem, pagesBelow } from "../site/navigation.ts";
import type { Page } from "../site/page.ts";
import { renderNotFound, renderPage, renderRedirect } from "../render/render-page.tsx";
import { strings } from "../render/strings.ts";
import { Addresses } from "./addresses.ts";
import { planAssets } from "./assets.ts";
import { feedPath } from "./head.ts";
import { feed, llmsFullTxt, llmsTxt, markdownTwin, pagesInOrder, robots, sitemap } from "./machine-files.ts";
import { NavIcons } from "./nav-icons.ts";
import { frameView, navContext, pageView, type ViewContext } from "./page-view.ts";
import type { ExportTarget, OutputFile, ProductAssets } from "./target.ts";

export interface ExportOptions {
  assets: ProductAssets;
  /** When a page was last changed, as an ISO date. */
  changedAt?(file: string): string | undefined;
}

const encoder = new TextEncoder();
const text = (path: string, content: string): OutputFile => ({ path, bytes: encoder.encode(content) });

export async function* exportSite(site: Site, target: ExportTarget, options: ExportOptions): AsyncGenerator<OutputFile> {
  const written = new Set<string>();
  const once = function* (files: Iterable<OutputFile>) {
    for (const file of files) {
      if (written.has(file.path)) continue;
      written.add(file.path);
      yield file;
    }
  };
  const navIcons = new NavIcons(site.files, site.config.settings.icons?.library ?? "fontawesome");
  collectNavIcons(site, target, navIcons);
  const assets = await planAssets(site, options.assets, navIcons);
  const context: ViewContext = { site, target, assets: assets.names, navIcons, changedAt: options.changedAt ?? (() => undefined) };

  // An author's own file stands before one that we would make: robots.txt, sitemap.xml, llms.txt.
  for (const path of site.addresses.served) yield* once([{ path, bytes: site.files.read(path)! }]);
  yield* once(assets.files);
  for (const page of site.pages.values()) yield* once(pageFiles(page, context));
  for (const section of site.sections.all()) if (isCut(section)) yield* once(sectionFiles(section, context));
  yield* once(redirectFiles(context));
  yield* once([notFound(context), ...(site.config.settings.favicon ? [] : [text("_octavo/favicon.svg", initialIcon(site))])]);
  yield* once(machineFiles(context));
}

function* pageFiles(page: Page, context: ViewContext): Generator<OutputFile> {
  yield text(htmlFile(page.route), renderPage(pageView(page, context)));
  yield text(`${page.route || "index"}.md`, markdownTwin(page, context.site));
  if (page.summary.feed.length) yield text(feedPath(page), feed(page, context.site, context.target));
}

function* machineFiles({ site, target }: ViewContext): Generator<OutputFile> {
  const llms = llmsTxt(site, target);
  yield text("sitemap.xml", sitemap(site, target));
  yield text("robots.txt", robots(site, target));
  yield text("llms.txt", llms);
  yield text(".well-known/llms.txt", llms);
  const full = encoder.encode([...llmsFullTxt(site, target)].join(""));
  yield { path: "llms-full.txt", bytes: full };
  yield { path: ".well-known/llms-full.txt", bytes: full };
}

/** What a section's pages share: the rest of the tree, as a script, and as a page for readers without. */
function* sectionFiles(section: Section, context: ViewContext): Generator<OutputFile> {
  const route = `_octavo/nav/${section.id}`;
  const addresses = new Addresses(context.site, context.target, route);
  const nav = navContext(addresses, context);
  yield text(`${route}.js`, `octavoNav(${JSON.stringify(compactTree(section.node.children, nav)).replace(/</g, "\\u003c")})\n`);
  const position = pagesBelow(section.node).next().value ?? undefined;
  const frame = frameView(position?.page.route ?? "", addresses, context, position, undefined);
  const title = strings(frame.language).allPages;
  yield text(`${route}.html`, renderPage({ ...frame, path: route, mode: "wide", title, headHtml: `<title>${escapeHtml(title)}</title><meta name="robots" content="noindex">`, bodyHtml: contents(section.node.children, addresses) }));
}

function contents(items: readonly NavItem[], addresses: Addresses): string {
  const entries = items.map((item) => {
    if (isPage(item)) return item.page.visibility.navigation ? `<li><a href="${escapeHtml(addresses.page(item.page))}">${escapeHtml(item.page.title)}</a></li>` : "";
    if (item.division.hidden) return "";
    const label = escapeHtml(item.division.label);
    return `<li>${item.rootPage ? `<a href="${escapeHtml(addresses.page(item.rootPage))}">${label}</a>` : label}${contents(item.children, addresses)}</li>`;
  });
  return `<ul>${entries.join("")}</ul>`;
}

/** Stubs for exact redirects, for hosts that know none; and all of them as a table, for hosts that do. */
function* redirectFiles({ site, target }: ViewContext): Generator<OutputFile> {
  const first = pagesInOrder(site).find((page) => page.visibility.navigation) ?? pagesInOrder(site)[0];
  if (!site.pages.has("") && first) {
    const addresses = new Addresses(site, target, "");
    yield text("index.html", renderRedirect(addresses.page(first), strings(site.languageOf("")), site.languageOf("")));
  }
  const { all, exact } = site.addresses.redirects;
  for (const redirect of exact.values()) {
    const route = redirect.source.replace(/^\/+|\/+$/g, "");
    if (site.pages.has(route) || route === "" || /(?:^|\/)\.{1,2}(?:\/|$)|[\\\u0000]/.test(route)) continue;
    const addresses = new Addresses(site, target, route);
    const language = site.languageOf(route);
    yield text(/\.\w{2,5}$/.test(route) && !route.endsWith(".html") ? `${route}.html` : htmlFile(route.replace(/\.html$/, "")), renderRedirect(addresses.to(redirect.destination).href, strings(language), language));
  }
  const table = all.map(({ source, destination, permanent }) => ({ source, destination, status: permanent ? 308 : 307 }));
  yield text("_octavo/redirects.json", `${JSON.stringify({ redirects: table, notFound: site.config.settings.errors?.["404"]?.redirect === false ? "page" : "home" })}\n`);
}

function notFound(context: ViewContext): OutputFile {
  const { site, target } = context;
  const addresses = new Addresses(site, target, "");
  const position = [...pagesBelow(site.navigation.root)][0];
  const frame = frameView("", addresses, context, position, position && site.sections.of(position));
  const own = site.config.settings.errors?.["404"];
  const title = own?.title ?? frame.strings.notFoundTitle;
  return text("404.html", renderNotFound({ ...frame, path: "404", title: own?.title ?? "", headHtml: `<title>${escapeHtml(title)} - ${escapeHtml(site.config.settings.name)}</title><meta name="robots" content="noindex">`, bodyHtml: own?.description ? `<p>${escapeHtml(own.description)}</p>` : "" }));
}

/** Icons are named while views are made; the style sheet that draws them must be complete before the first page. */
function collectNavIcons(site: Site, target: ExportTarget, navIcons: NavIcons): void {
  const addresses = new Addresses(site, target, "");
  const context: ViewContext = { site, target, navIcons, assets: undefined as never, changedAt: () => undefined };
  const nav = navContext(addresses, context);
  const visit = (items: readonly NavItem[]) => {
    for (const item of items) {
      if (isPage(item)) navIcons.classOf(item.page.frontmatter.icon, item.page.frontmatter.iconType);
      else {
        nav.iconOf(item.division.icon, item.division.iconType);
        for (const division of item.division.global) nav.iconOf(division.icon, division.iconType);
        for (const link of item.division.navbar?.links ?? []) nav.iconOf(link.icon ?? link.type, link.iconType);
        visit(item.children);
      }
    }
  };
  visit([site.navigation.root]);
  for (const link of site.config.settings.navbar?.links ?? []) nav.iconOf(link.icon ?? link.type, link.iconType);
}

/** A site without an icon of its own gets its initial on its colour. */
function initialIcon(site: Site): string {
  const { name, colors } = site.config.settings;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colors.primary}"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="#fff">${escapeHtml([...name.trim()][0]?.toUpperCase() ?? "D")}</text></svg>\n`;
}

