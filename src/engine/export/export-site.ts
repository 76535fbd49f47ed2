/** Site → files. Every kind of output is made here. */
import type { Access } from "../../base/access.ts";
import { readText } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { escapeHtml } from "../../base/text.ts";
import {
  faviconPath,
  oauthPagePath,
  oauthScriptPath,
  redirectTablePath,
  schemaPath,
  securityTablePath,
  signInPagePath,
  siteFolder,
} from "../../layout/site-layout.ts";
import { messagesOf } from "../i18n/locales.ts";
import { mayRestrict } from "../openapi/api-document.ts";
import { htmlFile } from "../paths.ts";
import { outsideAsLinks } from "../render/external-content.ts";
import { renderPage, renderRedirect, renderSignIn } from "../render/render-page.tsx";
import type { Site } from "../site/build-site.ts";
import { fragmentKey } from "../site/compile-fragments.ts";
import { findTarget } from "../site/links.ts";
import { compactTree, isCut, type Section } from "../site/nav-view.ts";
import { isPage, type NavItem, pagesBelow } from "../site/resolve-navigation.ts";
import { isElsewhere, type Page } from "../site/site-page.ts";
import { addApiData, Playgrounds } from "./api-data.ts";
import { planAssets, splitCss } from "./assets.ts";
import { Audiences, keyOf, nobody } from "./audiences.ts";
import { frameView, navContext, navPath, pageView, type ViewContext } from "./build-page-view.ts";
import { policiesByAccess } from "./content-security.ts";
import { addOperatorFile } from "./dialog-links.ts";
import { type Add, type ExportTarget, type OutputFile, outsideContent, type ProductAssets } from "./export-target.ts";
import { type FileNames, fileNames } from "./file-names.ts";
import { feedPath, originOf, ownFavicon, plainHead } from "./head.ts";
import { InlineParts } from "./inline-parts.ts";
import { feed, llmsFullTxt, llmsTxt, markdownTwin, pagesInOrder, robots, sitemap } from "./machine-files.ts";
import { NavIcons } from "./nav-icons.ts";
import { addNotFound } from "./not-found-page.ts";
import { Addresses } from "./page-urls.ts";
import { addReaderNavigation } from "./reader-navigation.ts";
import { addSearch } from "./search-files.ts";
import { servedText } from "./served-document.ts";
import { addSpecDownload, specDownload } from "./spec-download.ts";

export interface ExportOptions {
  assets: ProductAssets;
  /** When a page was last changed, as an ISO date. */
  changedAt?(file: string): string | undefined;
  /** Called with the paths of all files, before the first is made. */
  onPlan?(paths: readonly string[]): void;
}

/** Every file of an export, generated on demand: a preview generates one page, an export all. */
export type ExportPlan = ReadonlyMap<string, PlannedFile>;

export interface PlannedFile {
  access: Access;
  make(): Uint8Array;
}

const encoder = new TextEncoder();

export async function planExport(site: Site, target: ExportTarget, options: ExportOptions): Promise<ExportPlan> {
  const plan = new Map<string, PlannedFile>();
  const audiences = new Audiences(site, target);
  const { exported } = audiences;
  const playgrounds = new Playgrounds(site, audiences);
  const navIcons = new NavIcons(exported);
  const inline = target.kind === "air-gapped" ? new InlineParts(exported, audiences) : undefined;
  const assets = await planAssets(exported, audiences, playgrounds, options.assets, navIcons, target, inline);
  const changedAt = options.changedAt ?? (() => undefined);
  const contextOf = (access: Access): ViewContext => ({
    site: audiences.seenBy(access),
    audiences,
    playgrounds,
    access,
    target,
    assets: assets.names,
    navIcons,
    changedAt,
    ...(inline ? { inline } : {}),
  });
  const forAnyone = contextOf("anyone");
  // The first file of a path wins: an author's own robots.txt or llms.txt comes before ours.
  const names = target.links === "html" ? fileNames(site.addresses) : new Map<string, string>();
  const add: Add = (named, make, access) => {
    const path = names.get(named) ?? named;
    if (plan.has(path)) return;
    plan.set(path, {
      access,
      make: () => {
        const made = make();
        if (typeof made !== "string") return made;
        return encoder.encode(inline && path.endsWith(".html") ? inline.page(made, access, new Addresses(site, target, path).root) : made);
      },
    });
  };

  addRedirects(forAnyone, add);
  addFolderFiles(site, audiences, target, inline, add);
  for (const { path, bytes, access } of assets.files) add(path, () => bytes, access);
  // Pages of one access differ in their texts only, or by script: one page has all inline parts.
  for (const access of inline ? audiences.classes : []) {
    const first = [...exported.pages.values()].find((page) => keyOf(audiences.of(page)) === keyOf(access) && !isElsewhere(page));
    if (first) inline!.collect(renderPage(pageView(first, contextOf(access))), access);
  }
  for (const { path, bytes, access } of inline?.files() ?? []) add(path, () => bytes, access);
  const contexts = new Map(audiences.classes.map((access) => [keyOf(access), contextOf(access)]));
  const sections = new Map([...contexts.values()].map((context) => [context, new Set<Section>()]));
  for (const page of exported.pages.values()) {
    const context = contexts.get(keyOf(audiences.of(page)))!;
    if (!isElsewhere(page)) addPage(page, context, add);
    const position = context.site.navigation.positions.get(page.route);
    if (position) sections.get(context)!.add(context.site.sections.of(position));
  }
  for (const [context, shown] of sections) for (const section of shown) if (isCut(section)) addSection(section, context, add);
  if (target.readers === "signed-in") addReaderNavigation(contexts.values(), audiences, add);
  addApiData(exported, playgrounds, add);
  addSpecDownload(forAnyone.site, audiences, target, add);
  addSearch(exported, audiences, target, add);
  if (assets.names.playground) addSignInPage(forAnyone, options.assets, add);
  for (const [id, access] of audiences.fragments()) addFragment(id, contextOf(access), add);
  addHome(contexts, add);
  addNotFound(forAnyone, add);
  addOperatorFile(target, add);
  if (target.readers === "signed-in") addReaderSignIn(forAnyone, add);
  if (!ownFavicon(site)) add(faviconPath, () => initialIcon(site), "anyone");
  addMachineFiles(forAnyone, add);
  add(securityTablePath, () => `${JSON.stringify({ kind: target.kind, ...policiesByAccess(target, audiences, playgrounds) })}\n`, nobody);
  return plan;
}

/** Generates every file of a site. */
export async function* exportSite(site: Site, target: ExportTarget, options: ExportOptions): AsyncGenerator<OutputFile> {
  const plan = await planExport(site, target, options);
  options.onPlan?.([...plan.keys()]);
  for (const [path, { access, make }] of plan) yield { path, bytes: make(), access };
}

/** Files of the folder that aren't pages. */
function addFolderFiles(site: Site, audiences: Audiences, target: ExportTarget, inline: InlineParts | undefined, add: Add): void {
  for (const path of site.addresses.served) {
    const access = audiences.ofFile(path);
    if (!audiences.isExported(access)) continue;
    const document = site.documents.at(path);
    // A document that can't be parsed may contain parts for some groups only.
    if (document === "broken" && mayRestrict(readText(site.files, path) ?? "")) continue;
    if (typeof document === "object") add(path, () => servedText(document, site, audiences), access);
    else if (path.endsWith(".css") && outsideContent(target) !== "shown") {
      const css = splitCss(readText(site.files, path) ?? "", target).inside;
      const whole = inline?.css(css, access, `${"../".repeat(path.split("/").length - 1)}${siteFolder}`) ?? css;
      add(path, () => whole, access);
    } else add(path, () => site.files.read(path) ?? new Uint8Array(), access);
  }
}

function addPage(page: Page, context: ViewContext, add: Add): void {
  const { site, target, access } = context;
  add(htmlFile(page.route), () => renderPage(pageView(page, context)), access);
  add(`${page.route || "index"}.md`, () => markdownTwin(page, site), access);
  if (page.summary.feed.length) add(feedPath(page), () => feed(page, site, target), access);
}

/** Files for machines that are not signed in: they list what anyone may read. */
function addMachineFiles({ site, target }: ViewContext, addFile: Add): void {
  const add = (path: string, make: () => string) => addFile(path, make, "anyone");
  add("sitemap.xml", () => sitemap(site, target));
  add("robots.txt", () => robots(site, target));
  const index = () => llmsTxt(site, target);
  let text: string | undefined;
  const whole = () => (text ??= [...llmsFullTxt(site, target)].join(""));
  add("llms.txt", index);
  add(".well-known/llms.txt", index);
  add("llms-full.txt", whole);
  // A copy, or a link when the text is long.
  add(".well-known/llms-full.txt", () => {
    return whole().length > limits.llmsFullTwin_chars
      ? `# ${site.config.settings.name}\n\nThe full text is at ${originOf(site, target) ?? ""}/llms-full.txt.\n`
      : whole();
  });
}

/** The complete tree of a section, which its pages share: as a script, and as a page for readers without script. */
function addSection(section: Section, context: ViewContext, add: Add): void {
  const route = navPath(section, context);
  const { access } = context;
  const addresses = new Addresses(context.site, context.target, route);
  const nav = navContext(addresses, context);
  add(`${route}.js`, () => `octavoNav(${JSON.stringify(compactTree(section.node.children, nav)).replace(/</g, "\\u003c")})\n`, access);
  add(
    `${route}.html`,
    () => {
      const position = pagesBelow(section.node).next().value ?? undefined;
      const frame = frameView(position?.page.route ?? "", addresses, context, position, undefined);
      const title = messagesOf(frame.language).site.allPages;
      const headHtml = plainHead(title, context.site, addresses);
      return renderPage({ ...frame, path: route, mode: "wide", title, headHtml, bodyHtml: contents(section.node.children, addresses) });
    },
    access,
  );
}

/** A schema that pages share: as a script that shows it in place, and as a page for readers without script. */
function addFragment(id: string, context: ViewContext, add: Add): void {
  const { site, target, access } = context;
  const route = schemaPath(id);
  const cut = site.fragments.get(id)!;
  const html = () => site.bodies.body(fragmentKey(id)).html;
  const addresses = new Addresses(site, target, route);
  add(
    `${route}.js`,
    () => {
      const resolved = addresses.resolve(html());
      const outside = outsideContent(target);
      const shown = outside === "shown" ? resolved : outsideAsLinks(resolved, outside === "held");
      const alone = context.inline?.html(shown, access, addresses.root) ?? shown;
      return `octavoSchema(${JSON.stringify(id)},${JSON.stringify(alone).replace(/</g, "\\u003c")})\n`;
    },
    access,
  );
  add(
    `${route}.html`,
    () => {
      const frame = frameView("", addresses, context, undefined, undefined);
      const headHtml = plainHead(cut.name, site, addresses);
      return renderPage({ ...frame, path: route, title: cut.name, headHtml, bodyHtml: addresses.resolve(html()) });
    },
    access,
  );
}

/** Redirect target of authorization servers. Clients register its URL, so its path never changes. */
function addSignInPage({ site, target }: ViewContext, product: ProductAssets, add: Add): void {
  add(oauthScriptPath, () => product.read("oauth.js"), "anyone");
  add(
    oauthPagePath,
    () =>
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">${plainHead(site.config.settings.name, site, new Addresses(site, target, oauthPagePath.replace(/\.html$/, "")))}<script src="oauth.js" defer></script></head><body></body></html>\n`,
    "anyone",
  );
}

function contents(items: readonly NavItem[], addresses: Addresses): string {
  const entries = items.map((item) => {
    if (isPage(item))
      return item.page.visibility.navigation
        ? `<li><a href="${escapeHtml(addresses.page(item.page))}">${escapeHtml(item.page.title)}</a></li>`
        : "";
    if (item.division.hidden) return "";
    const label = escapeHtml(item.division.label);
    return `<li>${item.rootPage ? `<a href="${escapeHtml(addresses.page(item.rootPage))}">${label}</a>` : label}${contents(item.children, addresses)}</li>`;
  });
  return `<ul>${entries.join("")}</ul>`;
}

/** A site without a home page redirects to its first page, of those that most readers may read. */
function addHome(contexts: ReadonlyMap<string, ViewContext>, add: Add): void {
  const context = contexts.get("anyone") ?? contexts.get("readers") ?? contexts.values().next().value;
  if (!context) return;
  const { site, target, access } = context;
  const listed = pagesInOrder(site);
  const first = listed.find((page) => page.visibility.navigation) ?? listed[0];
  if (first) add("index.html", () => redirectStub("", new Addresses(site, target, "").page(first), site), access);
}

/** The sign-in page of readers. The host shows it and handles its form. */
function addReaderSignIn(context: ViewContext, add: Add): void {
  const { site, target } = context;
  const addresses = new Addresses(site, target, "", "/");
  add(
    signInPagePath,
    () => {
      const frame = frameView("", addresses, context, undefined, undefined);
      const title = frame.messages.signIn;
      return renderSignIn({ ...frame, title, headHtml: plainHead(`${title} - ${site.config.settings.name}`, site, addresses) });
    },
    nobody,
  );
}

/** Redirect pages for static hosts, and a table of all redirects for other hosts. */
function addRedirects({ site, audiences, target }: ViewContext, add: Add): void {
  const { all, exact } = site.addresses.redirects;
  // A redirect reveals that its destination exists.
  const accessTo = (destination: string): Access => {
    const found = /^[a-z][a-z\d+.-]*:/i.test(destination) ? undefined : findTarget(destination, site.addresses);
    return found?.kind === "page" ? audiences.of(found.page) : found?.kind === "file" ? audiences.ofFile(found.path) : "anyone";
  };
  const isListed = ({ destination }: { destination: string }) => audiences.isExported(accessTo(destination));
  for (const { source, destination } of [...exact.values()].filter(isListed)) {
    const route = source.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
    const addresses = new Addresses(site, target, route);
    const { href } = addresses.to(destination);
    // A destination can be the page itself in another spelling.
    if (isSafeRoute(route) && href.replace(/[?#].*$/s, "") !== addresses.route(route))
      add(htmlFile(route), () => redirectStub(route, href, site), accessTo(destination));
  }
  const table = all.filter(isListed).map(({ source, destination, permanent }) => ({ source, destination, status: permanent ? 308 : 307 }));
  const { settings } = site.config;
  const names: FileNames = target.links === "html" ? fileNames(site.addresses) : new Map();
  const documents = audiences.exported.documents.all.filter(({ isRemote }) => !isRemote).map(({ file }) => file);
  const downloads = [...new Set([...documents, ...[specDownload(site, target) ?? []].flat()].map((file) => names.get(file) ?? file))];
  const htmlFiles = [...site.addresses.served].filter((path) => /\.html$/i.test(path));
  const addressing = {
    redirects: table,
    notFound: settings.errors?.["404"]?.redirect === false ? "page" : "home",
    ...(target.links === "clean" ? { links: "clean" } : {}),
    ...(settings.seo?.trailingSlash ? { trailingSlash: true } : {}),
    ...(htmlFiles.length ? { htmlFiles } : {}),
    ...(downloads.length ? { downloads } : {}),
    ...(names.size ? { files: Object.fromEntries(names) } : {}),
  };
  add(redirectTablePath, () => `${JSON.stringify(addressing)}\n`, nobody);
}

function redirectStub(route: string, href: string, site: Site): string {
  const language = site.languageOf(route);
  return renderRedirect(href, messagesOf(language).site, language);
}

/** File systems take names of 255 bytes. */
const segment_chars = 80;
const path_chars = 1_000;

/** Whether the source of a redirect, which docs.json sets, is a path inside of the export. */
function isSafeRoute(route: string): boolean {
  const isPath = route !== "" && !/(?:^|\/)\.{0,2}(?:\/|$)|[\u0000-\u001f\\]/.test(route);
  return isPath && route.length <= path_chars && route.split("/").every((segment) => segment.length <= segment_chars);
}

/** Favicon of a site without one: its initial on its color. */
function initialIcon(site: Site): string {
  const { name, colors } = site.config.settings;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colors.primary}"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="#fff">${escapeHtml([...name.trim()][0]?.toUpperCase() ?? "D")}</text></svg>\n`;
}
