/** Plans and generates all files of an export. */

import { type Access, accessKey } from "../../base/access.ts";
import { basePathOf } from "../../base/base-path.ts";
import { readText } from "../../base/files.ts";
import { escapeHtml } from "../../base/html-text.ts";
import {
  faviconPath,
  isReserved,
  oauthPagePath,
  oauthScriptPath,
  redirectTablePath,
  schemaPath,
  securityTablePath,
  signInPagePath,
  siteFolder,
  variantFolder,
} from "../../layout/site-layout.ts";
import { layoutTemplate, renderPage, renderRedirect, renderSignIn } from "../frame/render-page.tsx";
import { Template } from "../frame/template.ts";
import { messagesOf } from "../i18n/locales.ts";
import { mayRestrict } from "../openapi/api-document.ts";
import { externalAsLinks } from "../page/external-content.ts";
import { feedFile, htmlFile, markdownFile, notFoundRoute } from "../paths.ts";
import { originOf } from "../plan/absolute-urls.ts";
import { planAssets } from "../plan/assets.ts";
import { Audiences, hostOnly, suffixOf } from "../plan/audiences.ts";
import { policiesByAccess } from "../plan/content-security.ts";
import {
  type AddFile,
  type ExportTarget,
  externalContentMode,
  type OutputFile,
  type ProductAssets,
} from "../plan/export-target.ts";
import { type FileContent, type FilePart, isInParts, joinedParts } from "../plan/file-content.ts";
import { type FileNames, fileNames } from "../plan/file-names.ts";
import { InlineParts } from "../plan/inline-parts.ts";
import { NavIcons } from "../plan/nav-icons.ts";
import { PageUrls } from "../plan/page-urls.ts";
import { addPlaygroundFiles } from "../plan/playground-files.ts";
import { Playgrounds } from "../plan/playgrounds.ts";
import { servedContent } from "../plan/served-document.ts";
import { addSpecDownload, specDownload } from "../plan/spec-download.ts";
import { splitCss } from "../plan/split-css.ts";
import type { Site } from "../site/build-site.ts";
import { fragmentKey } from "../site/compile-fragments.ts";
import { findTarget, sitePath } from "../site/link-targets.ts";
import { isCut, type Section } from "../site/nav-sections.ts";
import type { IndexThreads } from "../site/other-threads.ts";
import { isExternalPage, type Page } from "../site/page.ts";
import { pagesInOrder } from "../site/pages-in-order.ts";
import { followRedirect } from "../site/redirects.ts";
import { isPage, type NavTreeItem, pagesBelow } from "../site/resolve-navigation.ts";
import { frameView, navContext, navPath, pageView, type ViewContext } from "../view/build-page-view.ts";
import { compactTree } from "../view/compact-tree.ts";
import { ownFavicon, plainHead } from "../view/head.ts";
import { isNameless } from "../view/nav-view.ts";
import { addNotFound } from "../view/not-found-page.ts";
import { addReaderNavigation } from "../view/reader-navigation.ts";
import { PageKeys } from "./file-keys.ts";
import { feed, llmsFullTxt, llmsTxt, markdownText, robots, schemaText, sitemap } from "./machine-files.ts";
import { addOperatorFile } from "./operator-file.ts";
import { addSearch } from "./search-files.ts";

/**
 * Maximum size of llms-full.txt for a copy in `.well-known`, in bytes. If llms-full.txt is larger, the file
 * there only contains its URL.
 */
const llmsFullCopy_bytes = 2_000_000;

interface ExportOptions {
  assets: ProductAssets;
  /** Returns the date of a file's last change, in ISO 8601 format. Undefined if unknown. */
  changedAt?(file: string): string | undefined;
  /** Other threads, which index pages as soon as the files are planned. */
  threads?: IndexThreads;
}

/** All files of an export, by path. Each file is generated on demand. */
export type ExportPlan = ReadonlyMap<string, PlannedFile>;

export interface PlannedFile {
  access: Access;
  /** Returns a hash of everything that the content depends on. Absent if the dependencies are unknown. */
  key?(): string;
  /**
   * Resolves when other threads don't work on the content. Earlier calls of `key` and `make` do the work of
   * these threads again.
   */
  ready?(): Promise<void>;
  make(): FileContent;
}

/** Planned files with their paths, in the order in which they are written. */
export type PlannedFiles = AsyncIterable<[string, PlannedFile]> | Iterable<[string, PlannedFile]>;

const encoder = new TextEncoder();

/** Generates the content of a file as bytes. */
export function bytesOf({ make }: PlannedFile): Uint8Array {
  const content = make();
  if (content instanceof Uint8Array) return content;
  if (typeof content === "string") return encoder.encode(content);
  return isInParts(content) ? joinedParts(content) : joinedBytes(content);
}

export async function planExport(
  site: Site,
  target: ExportTarget,
  options: ExportOptions,
): Promise<ExportPlan> {
  const plan = new Map<string, PlannedFile>();
  const audiences = new Audiences(site, target);
  const { exported } = audiences;
  const playgrounds = new Playgrounds(site, audiences);
  const navIcons = new NavIcons(exported);
  const inline = target.kind === "air-gapped" ? new InlineParts(exported, audiences) : undefined;
  const assets = await planAssets(exported, audiences, playgrounds, options.assets, navIcons, target, inline);
  const changedAt = options.changedAt ?? (() => undefined);
  const contextOf = (access: Access): ViewContext => ({
    site: audiences.visibleTo(access),
    audiences,
    playgrounds,
    access,
    target,
    assets: assets.names,
    navIcons,
    navEntries: new Map(),
    changedAt,
    ...(inline ? { inline } : {}),
  });

  const forAnyone = contextOf("anyone");
  const names = target.links === "html" ? fileNames(site.linkTargets) : new Map<string, string>();

  // Only the first file with a path is used, so an author's robots.txt or llms.txt replaces the generated
  // one.
  const add: AddFile = (named, make, access, key, ready) => {
    const path = names.get(named) ?? named;
    if (plan.has(path)) return;
    plan.set(path, {
      access,
      ...(key ? { key } : {}),
      ...(ready ? { ready } : {}),
      make: () => {
        const content = make();
        if (!inline || !path.endsWith(".html") || content instanceof Uint8Array) return content;
        const html = isInParts(content) ? joinedParts(content).toString() : content;
        return typeof html === "string"
          ? inline.page(html, access, new PageUrls(site, target, path).root)
          : html;
      },
    });
  };

  // The content of air-gapped pages also depends on the inline parts of other pages.
  const inputs = { site, audiences, playgrounds, target, assets: assets.names, navIcons, changedAt };
  const keys = inline ? undefined : new PageKeys(inputs);

  addRedirects(forAnyone, add);
  addFolderFiles(site, audiences, target, inline, authored(add));
  for (const { path, bytes, access } of assets.files) add(path, () => bytes, access);

  // Pages with the same access have the same inline parts in their layout, so one page is enough.
  for (const access of inline ? audiences.exportedAccesses : []) {
    const first = [...exported.pages.values()].find(
      (page) => accessKey(audiences.of(page)) === accessKey(access) && !isExternalPage(page),
    );
    if (first) inline!.collect(joinedParts(pageDocument(first, contextOf(access))).toString(), access);
  }

  for (const { path, bytes, access } of inline?.files() ?? []) add(path, () => bytes, access);
  const contexts = new Map(
    audiences.exportedAccesses.map((access) => [accessKey(access), contextOf(access)]),
  );
  const sections = new Map([...contexts.values()].map((context) => [context, new Set<Section>()]));
  for (const page of exported.pages.values()) {
    for (const variant of audiences.variantsOf(page)) {
      const access = audiences.of(variant);
      const context = contexts.get(accessKey(access))!;
      const folder = variant === audiences.variantsOf(page)[0] ? "" : variantFolder(suffixOf(access));
      const addVariant = folder ? add : authored(add);
      if (!isExternalPage(page))
        addPage(variant, folder, context, keys && (() => keys.of(variant)), addVariant);
      const position = context.site.navigation.positions.get(page.route);
      if (position) sections.get(context)!.add(context.site.sections.of(position));
    }
  }

  for (const [context, shown] of sections)
    for (const section of shown) if (isCut(section)) addSection(section, context, add);
  if (target.readers === "signed-in") addReaderNavigation(contexts.values(), audiences, add);
  addPlaygroundFiles(exported, playgrounds, add);
  addSpecDownload(forAnyone.site, audiences, target, add);

  // Before the search index, so that a thread can compress llms-full.txt while the index is merged.
  addMachineFiles(forAnyone, add);
  if (assets.names.playground) addOAuthPage(forAnyone, options.assets, add);
  const fragmentContexts = new Map(contexts);
  for (const [id, access] of audiences.fragmentAccesses()) {
    const context = fragmentContexts.get(accessKey(access)) ?? contextOf(access);
    fragmentContexts.set(accessKey(access), context);
    addFragment(id, context, add);
  }

  // After the pages and schemas, so that other threads can index the pages meanwhile.
  addSearch(exported, audiences, target, add, options.threads);
  addHome(contexts, add);
  addNotFound(forAnyone, options.assets, add);
  addOperatorFile(target, add);
  if (target.readers === "signed-in") addReaderSignIn(forAnyone, add);
  if (!ownFavicon(site)) add(faviconPath, () => initialIcon(site), "anyone");

  add(securityTablePath, () => securityTable(site, target, audiences, playgrounds), hostOnly);
  return plan;
}

/** Returns the file that tells a host the site's name and the content security policies of its pages. */
function securityTable(
  site: Site,
  target: ExportTarget,
  audiences: Audiences,
  playgrounds: Playgrounds,
): string {
  const { name } = site.config.settings;
  return `${JSON.stringify({ kind: target.kind, name, ...policiesByAccess(target, audiences, playgrounds) })}\n`;
}

/** Generates all files of an export. */
export async function* exportSite(
  site: Site,
  target: ExportTarget,
  options: ExportOptions,
): AsyncGenerator<OutputFile> {
  const plan = await planExport(site, target, options);
  for (const [path, file] of plan) yield { path, bytes: bytesOf(file), access: file.access };
}

/**
 * Wraps `add` to skip files below `_octavo/`, so that an author's file can't replace a table that hosts
 * trust.
 */
function authored(add: AddFile): AddFile {
  return (path, ...file) => {
    if (!isReserved(path)) add(path, ...file);
  };
}

/** Adds the files of the documentation folder that the site serves, except for pages. */
function addFolderFiles(
  site: Site,
  audiences: Audiences,
  target: ExportTarget,
  inline: InlineParts | undefined,
  add: AddFile,
): void {
  for (const path of site.linkTargets.served) {
    const access = audiences.ofFile(path);
    if (!audiences.isExported(access)) continue;
    const document = site.documents.at(path);
    // A document that can't be parsed could contain parts that only some groups may read.
    if (document === "broken" && mayRestrict(readText(site.files, path) ?? "")) continue;
    if (typeof document === "object") add(path, () => servedContent(document, site, audiences), access);
    else if (path.endsWith(".css") && externalContentMode(target) !== "shown") {
      const css = splitCss(readText(site.files, path) ?? "", target).inside;
      const whole =
        inline?.css(css, access, `${"../".repeat(path.split("/").length - 1)}${siteFolder}`) ?? css;
      add(path, () => whole, access);
    } else add(path, () => site.files.read(path) ?? new Uint8Array(), access);
  }
}

/** Adds the files of a page or of a variant of it. `folder`: folder of the variant's files. */
function addPage(
  page: Page,
  folder: string,
  context: ViewContext,
  key: (() => string) | undefined,
  add: AddFile,
): void {
  const { site, target, access } = context;
  add(folder + htmlFile(page.route), () => pageDocument(page, context), access, key);
  add(folder + markdownFile(page.route), () => markdownText(page, site, target), access, key);
  if (page.summary.feed.length)
    add(folder + feedFile(page.route), () => feed(page, site, target), access, key);
}

function pageDocument(page: Page, context: ViewContext): FilePart[] {
  const view = pageView(page, context);
  return new Template(renderPage(view)).fill<FilePart>(view.parts);
}

/** Adds files for crawlers and language models. These files list only public pages. */
function addMachineFiles({ site, target, audiences, changedAt }: ViewContext, addFile: AddFile): void {
  const add = (path: string, make: () => string) => addFile(path, make, "anyone");
  add("sitemap.xml", () => sitemap(site, target, changedAt));
  add("robots.txt", () => robots(site, target));
  let listed: string | undefined;
  const index = () => (listed ??= llmsTxt(site, target, audiences));
  add("llms.txt", index);
  add(".well-known/llms.txt", index);

  /** Size of `llms-full.txt`. Undefined if it hasn't been generated yet. */
  let full_bytes: number | undefined;
  addFile(
    "llms-full.txt",
    function* () {
      let length = 0;
      for (const chunk of llmsFullTxt(site, target, audiences)) {
        length += chunk.length;
        yield chunk;
      }
      full_bytes = length;
    },
    "anyone",
  );

  // A copy of llms-full.txt, or a link to it if the text is long.
  addFile(
    ".well-known/llms-full.txt",
    () => {
      const whole =
        full_bytes !== undefined && full_bytes > llmsFullCopy_bytes
          ? undefined
          : joinedBytes(llmsFullTxt(site, target, audiences), llmsFullCopy_bytes);
      return whole && whole.length <= llmsFullCopy_bytes
        ? whole
        : `# ${site.config.settings.name}\n\nThe full text is at ${originOf(site, target) ?? ""}/llms-full.txt.\n`;
    },
    "anyone",
  );
}

/** Joins the chunks. Stops when the length exceeds `most_bytes`. */
function joinedBytes(chunks: Iterable<Uint8Array>, most_bytes = Number.POSITIVE_INFINITY): Uint8Array {
  let joined = Buffer.allocUnsafe(1_000_000);
  let length = 0;
  for (const chunk of chunks) {
    if (length + chunk.length > joined.length) {
      const longer = Buffer.allocUnsafe(2 * (length + chunk.length));
      joined.copy(longer, 0, 0, length);
      joined = longer;
    }
    joined.set(chunk, length);
    length += chunk.length;
    if (length > most_bytes) break;
  }
  return joined.subarray(0, length);
}

/**
 * Adds the complete tree of a section, which the section's pages share, as a script and as a page for
 * browsers without JavaScript.
 */
function addSection(section: Section, context: ViewContext, add: AddFile): void {
  const route = navPath(section, context);
  const { access } = context;
  const urls = new PageUrls(context.site, context.target, route);
  const nav = navContext(urls, context);
  add(`${route}.js`, () => `octavoNav(${JSON.stringify(compactTree(section.node.children, nav))})\n`, access);

  add(
    `${route}.html`,
    () => {
      const position = pagesBelow(section.node).next().value ?? undefined;
      const frame = frameView(position?.page.route ?? "", urls, context, position, undefined);
      const title = messagesOf(frame.language).site.allPages;
      const headHtml = plainHead(title, context.site, urls);
      return renderPage({
        ...frame,
        path: route,
        mode: "wide",
        title,
        headHtml,
        bodyHtml: contents(section.node.children, urls),
      });
    },
    access,
  );
}

/**
 * Adds a schema that pages share, as a script that inserts it, as a page for browsers without JavaScript, and
 * as Markdown.
 */
function addFragment(id: string, context: ViewContext, add: AddFile): void {
  const { site, target, access } = context;
  const route = schemaPath(id);
  const cut = site.fragments.get(id)!;
  const urls = new PageUrls(site, target, route);
  const key = fragmentKey(id);
  const body = () => urls.fill(site.bodies.htmlPart(key, "html"));
  add(
    `${route}.js`,
    () => {
      const html = body().toString();
      const shown = context.inline?.html(html, access, urls.root) ?? html;
      return `octavoSchema(${JSON.stringify(id)},${JSON.stringify(shown)})\n`;
    },
    access,
  );
  add(
    `${route}.html`,
    () => {
      const title = escapeHtml(cut.name);
      const head = standaloneHead(cut.name, urls, context);
      return fragmentLayout(urls, context).fill<FilePart>({ title, head, body: body() });
    },
    access,
  );
  if (site.config.settings.markdown?.schema !== false)
    add(`${route}.md`, () => schemaText(cut, site, target), access);
}

/** Returns the head of a document that isn't rendered by `renderPage`, which replaces external content. */
function standaloneHead(title: string, urls: PageUrls, { site, target }: ViewContext): string {
  const head = plainHead(title, site, urls);
  const outside = externalContentMode(target);
  return outside === "shown" ? head : externalAsLinks(head, outside === "restorable");
}

const fragmentLayouts = new WeakMap<ViewContext, Template>();

/**
 * Returns the layout of shared schemas' pages, which is the same for all of them: they are in one folder and
 * not in the navigation.
 */
function fragmentLayout(urls: PageUrls, context: ViewContext): Template {
  let layout = fragmentLayouts.get(context);
  if (!layout)
    fragmentLayouts.set(
      context,
      (layout = layoutTemplate(frameView("", urls, context, undefined, undefined))),
    );
  return layout;
}

/**
 * Adds the page that authorization servers redirect to after a playground's sign-in. OAuth clients register
 * the page's URL, so its path must not change.
 */
function addOAuthPage(context: ViewContext, product: ProductAssets, add: AddFile): void {
  const { site, target } = context;
  const urls = new PageUrls(site, target, oauthPagePath.replace(/\.html$/, ""));
  add(oauthScriptPath, () => product.read("oauth.js"), "anyone");
  add(
    oauthPagePath,
    () =>
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">${standaloneHead(site.config.settings.name, urls, context)}<script src="oauth.js" defer></script></head><body></body></html>\n`,
    "anyone",
  );
}

function contents(items: readonly NavTreeItem[], urls: PageUrls): string {
  return `<ul>${contentsEntries(items, urls)}</ul>`;
}

function contentsEntries(items: readonly NavTreeItem[], urls: PageUrls): string {
  const entries = items.map((item) => {
    if (isPage(item))
      return item.page.visibility.navigation
        ? `<li><a href="${escapeHtml(urls.page(item.page))}">${escapeHtml(item.page.title)}</a></li>`
        : "";
    if (item.division.hidden) return "";
    if (isNameless(item)) return contentsEntries(item.children, urls);
    const label = escapeHtml(item.division.label);
    return `<li>${item.rootPage ? `<a href="${escapeHtml(urls.page(item.rootPage))}">${label}</a>` : label}${contents(item.children, urls)}</li>`;
  });
  return entries.join("");
}

/**
 * Adds a home page that redirects to the first page, preferably a public one. Does nothing if the site has a
 * home page.
 */
function addHome(contexts: ReadonlyMap<string, ViewContext>, add: AddFile): void {
  const context = contexts.get("anyone") ?? contexts.get("readers") ?? contexts.values().next().value;
  if (!context) return;
  const { site, target, access } = context;
  const listed = pagesInOrder(site);
  const first = listed.find((page) => page.visibility.navigation) ?? listed[0];
  if (first)
    add("index.html", () => redirectStub("", new PageUrls(site, target, "").page(first), site), access);
}

/**
 * Adds the sign-in page for readers. The host serves the page and handles its form. The page doesn't load the
 * folder's scripts and style sheets, since they could read the password.
 */
function addReaderSignIn(context: ViewContext, add: AddFile): void {
  const { site, target } = context;
  const { integrations: _, analytics: __, ...assets } = context.assets;
  const own = { ...context, assets: { ...assets, authorCss: [], outsideCss: [], authorScripts: [] } };
  const urls = new PageUrls(site, target, "", `${basePathOf(target.origin)}/`);
  add(
    signInPagePath,
    () => {
      // Search and assistant need a signed-in reader.
      const { search: _, assistant: __, ...frame } = frameView("", urls, own, undefined, undefined);
      const title = frame.messages.signIn;
      // The form's button is the only primary button.
      const navbar = { links: frame.navbar.links };
      return renderSignIn({
        ...frame,
        navbar,
        title,
        headHtml: plainHead(`${title} - ${site.config.settings.name}`, site, urls),
      });
    },
    hostOnly,
  );
}

/**
 * Adds redirect pages for static hosts: for the redirects in docs.json, and for folders with pages but no
 * page of their own. For other hosts, adds `redirects.json`, a table of the redirects and of other settings
 * for URLs.
 */
function addRedirects({ site, audiences, target }: ViewContext, add: AddFile): void {
  const { all, exact } = site.linkTargets.redirects;

  // A redirect reveals its destination, so it has the same access.
  const accessTo = (destination: string): Access => {
    const found = /^[a-z][a-z\d+.-]*:/i.test(destination)
      ? undefined
      : findTarget(destination, site.linkTargets);
    return found?.kind === "page"
      ? audiences.of(found.page)
      : found?.kind === "file"
        ? audiences.ofFile(found.path)
        : "anyone";
  };

  const isListed = ({ destination }: { destination: string }) => audiences.isExported(accessTo(destination));
  for (const { path, destination } of [...exact.values()].filter(isListed)) {
    const route = path.replace(/^\/+|\/+$/g, "").replace(/\.html$/, "");
    const urls = new PageUrls(site, target, route);
    const { href } = urls.link(destination);
    // Skips redirects whose destination is the page itself in a different spelling.
    if (isSafeRoute(route) && !isReserved(route) && href.replace(/[?#].*$/s, "") !== urls.route(route))
      add(htmlFile(route), () => redirectStub(route, href, site), accessTo(destination));
  }

  // Public pages come first, since all readers can follow them.
  const landings = new Map([...audiences.exported.linkTargets.landings, ...site.linkTargets.landings]);
  landings.delete("");

  if (target.links === "html")
    for (const [route, page] of landings)
      if (isSafeRoute(route) && followRedirect(`/${route}`, site.linkTargets.redirects) === undefined)
        add(
          htmlFile(route),
          () => redirectStub(route, new PageUrls(site, target, route).page(page), site),
          audiences.of(page),
        );

  const table = all.filter(isListed).map(({ source, destination, permanent }) => ({
    source,
    destination: sitePath(destination, site.linkTargets),
    status: permanent ? 308 : 307,
  }));

  const { settings } = site.config;
  const names: FileNames = target.links === "html" ? fileNames(site.linkTargets) : new Map();
  const documents = audiences.exported.documents.all
    .filter(({ isRemote }) => !isRemote)
    .map(({ file }) => file);

  const downloads = [
    ...new Set(
      [...documents, ...[specDownload(site, target) ?? []].flat()].map((file) => names.get(file) ?? file),
    ),
  ];

  const htmlFiles = [...site.linkTargets.served].filter((path) => /\.html$/i.test(path));
  const basePath = basePathOf(target.origin);
  const addressing = {
    redirects: table,
    notFound: settings.errors?.["404"]?.redirect === false || site.pages.has(notFoundRoute) ? "page" : "home",
    ...(target.links === "clean" ? { links: "clean" } : {}),
    ...(basePath ? { basePath } : {}),
    ...(settings.seo?.trailingSlash ? { trailingSlash: true } : {}),
    ...(landings.size
      ? { landings: Object.fromEntries([...landings].map(([route, page]) => [route, page.route])) }
      : {}),
    ...(htmlFiles.length ? { htmlFiles } : {}),
    ...(downloads.length ? { downloads } : {}),
    ...(names.size ? { files: Object.fromEntries(names) } : {}),
    ...variantTable(audiences),
  };

  add(redirectTablePath, () => `${JSON.stringify(addressing)}\n`, hostOnly);
}

/**
 * Returns the folders that contain variants of pages, in the order in which `Audiences.variantsOf` returns
 * the variants, by route.
 */
function variantTable(audiences: Audiences): { versions?: Record<string, string[]> } {
  const entries = [...audiences.exported.pages.values()].flatMap((page) => {
    const folders = audiences
      .variantsOf(page)
      .slice(1)
      .map((variant) => variantFolder(suffixOf(audiences.of(variant))));
    return folders.length ? [[page.route, folders] as const] : [];
  });
  return entries.length ? { versions: Object.fromEntries(entries) } : {};
}

function redirectStub(route: string, href: string, site: Site): string {
  const language = site.languageOf(route);
  return renderRedirect(href, messagesOf(language).site, language);
}

/**
 * Maximum length of one segment in the path of a redirect page, in characters. File systems allow names of up
 * to 255 bytes.
 */
const segment_chars = 80;
/** Maximum length of the path of a redirect page, in characters. */
const path_chars = 1_000;

/** Whether the source of a redirect in docs.json is a path inside the export and within the length limits. */
function isSafeRoute(route: string): boolean {
  const isPath = route !== "" && !/(?:^|\/)\.{0,2}(?:\/|$)|[\u0000-\u001f\\]/.test(route);
  return (
    isPath &&
    route.length <= path_chars &&
    route.split("/").every((segment) => segment.length <= segment_chars)
  );
}

/**
 * Creates the favicon of a site that has none: the first character of the site's name on its primary color.
 */
function initialIcon(site: Site): string {
  const { name, colors } = site.config.settings;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colors.primary}"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="#fff">${escapeHtml([...name.trim()][0]?.toUpperCase() ?? "D")}</text></svg>\n`;
}
