/**
 * The library `octavo/engine`. It has no state and doesn't use the network. `docs/integrate/engine.mdx`
 * describes it.
 */

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { byCodeUnit, type Files, filesFrom } from "../base/files.ts";
import type { Problem } from "../base/problem.ts";
import { parseUrl } from "../base/url.ts";
import { documentUrls, snapshotDocuments } from "../builder/fetched-documents.ts";
import { UnsavedStore } from "../builder/unsaved-texts.ts";
import { usePatterns } from "../builder/use-patterns.ts";
import { closedFiles } from "../engine/export/closed-files.ts";
import { bytesOf, openExport } from "../engine/export/export-site.ts";
import { pageHtml } from "../engine/export/kinds/pages.ts";
import { hashOf } from "../engine/hash-of.ts";
import { readDocument } from "../engine/openapi/document/api-document.ts";
import { own, ownText } from "../engine/openapi/nodes/refs.ts";
import { readOperation } from "../engine/openapi/request/operation.ts";
import type { TocEntry } from "../engine/page/table-of-contents.ts";
import { htmlFile } from "../engine/paths.ts";
import { payloadOf } from "../engine/search/index-format.ts";
import { SearchIndex } from "../engine/search/search-index.ts";
import * as engine from "../engine/site/build-site.ts";
import type { DeploymentKind } from "../engine/site/features.ts";
import { isPage, type NavNode } from "../engine/site/navigation/resolve-navigation.ts";
import { isExternalPage, type Page } from "../engine/site/page.ts";
import { linkedTarget } from "../engine/site/references/page-links.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";
import { readSearchHeadPath, searchFilePath } from "../layout/site-layout.ts";

export type { DeploymentKind, Problem };

/** The bundler replaces this with a string that identifies the build of the product. */
declare const OCTAVO_GENERATOR: string;

usePatterns(new URL("./patterns/", import.meta.url));

/**
 * How a site is built.
 *
 * @example
 * ```ts
 * const site = await buildSite("docs", { kind: "air-gapped", url: "https://docs.example.com" });
 * console.log(site.paths.includes("sitemap.xml")); // true
 * ```
 */
export interface SiteOptions {
  /** Deployment type. Default: `client-hosted`. */
  kind?: DeploymentKind;
  /** The site's public URL, for canonical links and feeds. */
  url?: string;
  /**
   * Links between pages: `html` for relative links to files, or `clean` for paths such as `/guides/start`.
   * Default: `html`.
   */
  links?: "html" | "clean";
  /**
   * Texts of the OpenAPI documents whose URLs are in docs.json, by URL. Each other URL is reported as a
   * problem.
   */
  documents?: Readonly<Record<string, string>>;
  /** Ends the build. The promise is then rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called before each page that has to be compiled. `done`: number of pages before it. */
  onProgress?(done: number, total: number): void;
}

/**
 * A page that anyone can read.
 *
 * @example
 * ```ts
 * const { pages } = await buildSite("docs");
 * console.log(pages[0].title, pages[0].path, pages[0].file); // Hello index.html index.mdx
 * ```
 */
export interface SitePage {
  /** Path of the page, without a leading slash. Empty for the home page. */
  route: string;
  title: string;
  /** Path of the page's HTML document in the site. */
  path: string;
  /** Path of the page's file in the documentation folder, or of the OpenAPI document it's generated from. */
  file: string;
  /** The description in the frontmatter, or else the beginning of the text. Absent if there is no text. */
  description?: string;
  /** Language code, as in `lang` attributes. */
  language: string;
  /** Keys of the frontmatter with a valid value. */
  frontmatter: Readonly<Record<string, unknown>>;
  /** Headings in the table of contents. */
  headings: readonly PageHeading[];
  /** Links within the site. */
  links: readonly LinkInSite[];
}

/**
 * A heading of a page.
 *
 * @example
 * ```ts
 * const { pages } = await buildSite("docs");
 * console.log(pages[0].headings[0].id, pages[0].headings[0].level); // install 2
 * ```
 */
export interface PageHeading {
  /** ID of the element, for links. */
  id: string;
  text: string;
  /** 2 to 4. */
  level: number;
}

/**
 * A link, an image, or another file that a page refers to.
 *
 * @example
 * ```ts
 * const { pages } = await buildSite("docs");
 * console.log(pages[0].links[0].href, pages[0].links[0].route); // /missing undefined
 * ```
 */
export interface LinkInSite {
  /** Path from the root of the documentation folder, or a fragment. */
  href: string;
  /** Route of the linked page. Absent if it's another file, or if there is no such page. */
  route?: string;
  /** Line in the page's file. Absent for links from snippets and components. */
  line?: number;
}

/**
 * A page's HTML without the layout around it. Links are relative to the page, unless `links` is `clean`.
 *
 * @example
 * ```ts
 * const site = await buildSite("docs");
 * console.log(site.renderParts("").body.includes("<h2")); // true
 * ```
 */
export interface RenderedParts {
  /** Tags for `<head>`, apart from the title, style sheets, and scripts. */
  head: string;
  /** The description. Empty if the page has none. */
  description: string;
  body: string;
  /** Examples or a panel, for a column next to the body. Empty if the page has none. */
  aside: string;
  /** URLs of style sheets. */
  styles: readonly string[];
  /** URLs of scripts, which are loaded with `defer`. */
  scripts: readonly string[];
}

/**
 * An entry of the navigation: a page, or a division such as a group or a tab.
 *
 * @example
 * ```ts
 * const { navigation } = await buildSite("docs");
 * console.log(navigation[0].kind, navigation[0].title, navigation[0].route.length); // page Hello 0
 * ```
 */
export interface NavigationEntry {
  kind: "page" | "product" | "language" | "version" | "tab" | "item" | "dropdown" | "anchor" | "group";
  title: string;
  /** Route of the page, or of the page that the division's title links to. */
  route?: string;
  /** URL of a division that is a link. */
  href?: string;
  children: readonly NavigationEntry[];
}

/**
 * A new version of a site, and what is different.
 *
 * @example
 * ```ts
 * const site = await buildSite("docs");
 * const update = await site.update({ "new.mdx": "# New" });
 * console.log(update.added, update.changed, update.removed); // [ 'new' ] [ '' ] []
 * ```
 */
export interface SiteUpdate {
  site: BuiltSite;
  /** Routes of new pages. */
  added: readonly string[];
  /** Routes of pages whose HTML can be different, such as pages that show a changed title. */
  changed: readonly string[];
  /** Routes of pages that are gone. */
  removed: readonly string[];
}

/**
 * A section that matches a query.
 *
 * @example
 * ```ts
 * const site = await buildSite("docs");
 * const [section] = await site.search("install");
 * console.log(section.title, section.anchor); // Hello install
 * ```
 */
export interface FoundSection {
  /** Path of the page, without a leading slash. Empty for the home page. */
  route: string;
  /** ID of the section on the page. Empty for the beginning of the page. */
  anchor: string;
  title: string;
  /** Headings from the outermost one on the page to the section's own heading. */
  headings: readonly string[];
  /** The passage of the section that matches best, in Markdown. */
  passage: string;
}

/**
 * A site whose files are generated on demand.
 *
 * @example
 * ```ts
 * const site = await buildSite("docs");
 * console.log(site.problems[0].message); // Page not found: /missing
 * ```
 */
export interface BuiltSite {
  /** Errors and warnings, sorted by severity, file and line. A site with errors can still be written. */
  problems: readonly Problem[];
  /** Pages that anyone may read, sorted by route. */
  pages: readonly SitePage[];
  /** Paths of all files of the site. */
  paths: readonly string[];
  /** Generates a file. Undefined if the site has no such path. */
  read(path: string): Uint8Array | undefined;
  /** Generates the HTML document of the page at a route. Undefined if there is no such page. */
  renderPage(route: string): string | undefined;
  /** Generates the parts of the page at a route. Undefined if there is no such page. */
  renderParts(route: string): RenderedParts | undefined;
  /** The navigation, without hidden parts. */
  navigation: readonly NavigationEntry[];
  /**
   * Builds the site with other files, by path, where null deletes a file. A site from a folder also reads the
   * folder again. Only pages that the change affects are compiled. This site stays the same.
   */
  update(
    files?: Readonly<Record<string, string | Uint8Array | null>>,
    options?: Pick<SiteOptions, "signal" | "onProgress">,
  ): Promise<SiteUpdate>;
  /**
   * Finds the sections that match a query, the best one first. Default limit: 10. `language`: code of a
   * language of the site. Default: the language of the first index, which is the only one unless the site has
   * several languages.
   */
  search(query: string, options?: { limit?: number; language?: string }): Promise<FoundSection[]>;
}

type Source = string | Readonly<Record<string, string | Uint8Array>>;

/**
 * Builds a site from the path of a documentation folder, or from the content of its files by path. Errors in
 * the content are returned as problems. Rejects if the folder can't be read, or with a RangeError if a path
 * or the URL is invalid.
 */
export async function buildSite(source: Source, options: SiteOptions = {}): Promise<BuiltSite> {
  const { url } = options;
  if (url !== undefined && !/^https?:$/.test(parseUrl(url)?.protocol ?? ""))
    throw new RangeError(`${url} isn't an http or https URL`);
  if (typeof source !== "string") for (const file of Object.keys(source)) requireRelative(file);
  return (await openSite({ source, changes: {}, store: new UnsavedStore(undefined) }, options)).site;
}

interface SiteInput {
  source: Source;
  /** Content of files that are different from the source, by path. Null: deleted. */
  changes: Readonly<Record<string, string | Uint8Array | null>>;
  /** Keeps compiled pages for updates. */
  store: UnsavedStore;
}

interface OpenSite {
  site: BuiltSite;
  /** Routes of the pages that anyone can read. */
  routes: ReadonlySet<string>;
  /** Returns the key of a page, which changes if its HTML can be different. */
  keyOf(route: string): string;
}

async function openSite(input: SiteInput, options: SiteOptions): Promise<OpenSite> {
  const { kind = "client-hosted", links = "html", documents = {}, signal, onProgress } = options;
  const origin = options.url === undefined ? {} : { origin: options.url.replace(/\/+$/, "") };
  const { files, problems: folderProblems } = readSource(input);
  const { site, problems } = await engine.buildSite(files, {
    generator: OCTAVO_GENERATOR,
    clock: Date.now,
    store: input.store,
    fetched: snapshotDocuments(documentUrls(files), documents),
    onPage: async (_, done, total) => {
      onProgress?.(done, total);
      if (done % pagesPerTurn_count === 0) await setImmediate();
      signal?.throwIfAborted();
    },
    ...origin,
  });

  signal?.throwIfAborted();
  const target = { kind, links, ...origin };
  const assets = { read: (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url)) };
  const { plan, viewOf } = await openExport(site, target, { assets });
  const read = (path: string) => {
    const file = plan.get(path);
    return file && bytesOf(file);
  };

  const textOf = (path: string) => new TextDecoder().decode(read(path));
  const shown = [...site.pages.values()].filter(
    (page) => !isExternalPage(page) && plan.has(htmlFile(page.route)),
  );
  const pages = shown.map((page) => sitePage(page, site));
  const routes = new Set(shown.map(({ route }) => route));
  let keys: Map<string, string> | undefined;
  const keyOf = (route: string) => {
    keys ??= new Map();
    const path = htmlFile(route);
    const key = keys.get(route) ?? plan.get(path)!.key?.() ?? hashOf(read(path)!);
    keys.set(route, key);
    return key;
  };
  const built: BuiltSite = {
    problems: [...folderProblems, ...problems, ...closedFiles(site, target)],
    pages,
    paths: [...plan.keys()],
    navigation: navigationOf(viewOf("anyone").site.navigation.root),
    read,
    renderPage: (route) => (routes.has(route) ? textOf(htmlFile(route)) : undefined),
    renderParts: (route) =>
      routes.has(route) ? pageHtml(site.pages.get(route)!, viewOf("anyone")) : undefined,
    async update(changes = {}, updated = {}) {
      for (const file of Object.keys(changes)) requireRelative(file);
      const next = { ...input, changes: { ...input.changes, ...changes } };
      const { signal: _, onProgress: __, ...same } = options;
      const after = await openSite(next, { ...same, ...updated });
      return {
        site: after.site,
        added: [...after.routes].filter((route) => !routes.has(route)),
        changed: [...after.routes].filter(
          (route) => routes.has(route) && keyOf(route) !== after.keyOf(route),
        ),
        removed: [...routes].filter((route) => !after.routes.has(route)),
      };
    },
    search: searchIn([...plan.keys()], textOf),
  };
  return { site: built, routes, keyOf };
}

/** Number of pages after which the event loop runs, so that a build can be ended. */
const pagesPerTurn_count = 8;

function readSource({ source, changes }: SiteInput): { files: Files; problems: Problem[] } {
  const { files, problems } =
    typeof source === "string" ? docsFolderFiles(source) : { files: filesFrom(source), problems: [] };
  if (Object.keys(changes).length === 0) return { files, problems };
  const encoder = new TextEncoder();
  const changed = new Map(
    Object.entries(changes).map(([path, content]) => [
      path.normalize("NFC"),
      typeof content === "string" ? encoder.encode(content) : content,
    ]),
  );
  const added = [...changed].flatMap(([path, content]) => (content ? [path] : []));
  const kept = files.paths.filter((path) => !changed.has(path));
  return {
    problems,
    files: {
      paths: [...kept, ...added].sort(byCodeUnit),
      read: (path) => (changed.has(path) ? (changed.get(path) ?? undefined) : files.read(path)),
      size: (path) => changed.get(path)?.length ?? files.size(path),
      stamp: (path) => (changed.has(path) ? undefined : files.stamp?.(path)),
    },
  };
}

function sitePage(page: Page, site: engine.Site): SitePage {
  const { route, title, file, frontmatter, summary, storedName } = page;
  const toc = site.bodies.bodyPart(storedName, "toc");
  const description = frontmatter.description ?? summary.firstWords;
  return {
    route,
    title,
    path: htmlFile(route),
    file,
    ...(description ? { description } : {}),
    language: site.languageOf(route),
    frontmatter,
    headings:
      toc === "" ? [] : (JSON.parse(toc) as TocEntry[]).map(({ id, text, level }) => ({ id, text, level })),
    links: summary.links.map(({ address: href, line }) => {
      const target = linkedTarget(href, page, site)?.page?.route;
      return {
        href,
        ...(target === undefined ? {} : { route: target }),
        ...(line === undefined ? {} : { line }),
      };
    }),
  };
}

function navigationOf({ children }: NavNode): NavigationEntry[] {
  return children.flatMap((child): NavigationEntry[] => {
    if (isPage(child))
      return [{ kind: "page", title: child.page.title, route: child.page.route, children: [] }];
    const { division, rootPage } = child;
    if (division.hidden || division.kind === "root") return [];
    return [
      {
        kind: division.kind,
        title: division.name ?? division.label,
        ...(rootPage ? { route: rootPage.route } : {}),
        ...(division.href === undefined ? {} : { href: division.href }),
        children: navigationOf(child),
      },
    ];
  });
}

/** Returns the search of a site. `paths`: paths of its files. */
function searchIn(paths: readonly string[], textOf: (path: string) => string): BuiltSite["search"] {
  const languages = paths.flatMap((path) => readSearchHeadPath(path)?.language ?? []);
  const indexes = new Map<string, Promise<SearchIndex>>();
  const openIndex = (language: string) => {
    const open =
      indexes.get(language) ??
      SearchIndex.open(async (name) => payloadOf(textOf(searchFilePath(name, { language }))));
    indexes.set(language, open);
    return open;
  };

  return async (text, { limit = 10, language = languages[0] } = {}) => {
    if (language === undefined || !languages.includes(language)) return [];
    const index = await openIndex(language);
    const { hits } = await index.search({ text, limit });
    const passages = await index.passages(hits);
    return hits.map(({ route, anchor, title, headings, passage }, place) => ({
      route,
      anchor,
      title,
      headings,
      passage: passages[place]!.find(({ number }) => number === passage)!.text,
    }));
  };
}

function requireRelative(file: string): void {
  if (file.split("/").some((segment) => ["", ".", ".."].includes(segment)))
    throw new RangeError(`${JSON.stringify(file)} isn't a relative path, such as guides/start.mdx`);
}

/**
 * An operation or a webhook of a document.
 *
 * @example
 * ```ts
 * const text = "openapi: 3.1.0\ninfo: { title: Plants, version: '1' }\npaths: { /plants: { get: {} } }";
 * const { document } = await readOpenApi(text);
 * console.log(document?.operations[0].method, document?.operations[0].path); // GET /plants
 * ```
 */
export interface OpenApiOperation {
  kind: "operation" | "webhook";
  /** HTTP method in uppercase. */
  method: string;
  /** The path, such as `/pets/{id}`, or the name of a webhook. */
  path: string;
  operationId?: string;
  summary?: string;
  description?: string;
  tags: readonly string[];
  deprecated: boolean;
}

/**
 * A document that could be read. It can still have problems.
 *
 * @example
 * ```ts
 * const { document } = await readOpenApi("openapi: 3.1.0\ninfo: { title: Plants, version: '1' }\npaths: {}");
 * console.log(document?.title); // Plants
 * ```
 */
export interface OpenApiDocument {
  title: string;
  version: string;
  /** The parsed document. Swagger 2.0 is converted to OpenAPI 3.0. */
  root: Readonly<Record<string, unknown>>;
  /** The document's operations, and then its webhooks. */
  operations: readonly OpenApiOperation[];
}

/**
 * Reads an OpenAPI document in JSON or YAML, and checks it. `document` is absent if the text can't be parsed
 * or isn't an OpenAPI document. `file`: name of the document in problems.
 */
export async function readOpenApi(
  text: string,
  file = "openapi.yaml",
): Promise<{ document?: OpenApiDocument; problems: Problem[] }> {
  const { document, problems } = await readDocument(file, text);
  if (!document) return { problems };
  const { root, refs } = document;
  const operations = document.operations.flatMap((entry) => {
    const operation = readOperation(refs, entry.pathItem, entry.method, entry.path, entry.kind);
    if (!operation) return [];
    const { method, path, operationId, summary, description, tags, deprecated } = operation;
    return [
      { kind: entry.kind, method, path, ...defined({ operationId, summary, description }), tags, deprecated },
    ];
  });

  const info = own(root, "info");
  return {
    document: {
      title: ownText(info, "title") ?? "",
      version: ownText(info, "version") ?? "",
      root,
      operations,
    },
    problems,
  };
}

/** Removes the keys whose value is undefined. */
function defined<T extends Record<string, string | undefined>>(values: T): { [Key in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: string;
  };
}
