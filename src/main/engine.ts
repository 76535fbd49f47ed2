/**
 * The library `octavo/engine`. It has no state and doesn't use the network. `docs/integrate/engine.mdx`
 * describes it.
 */

import { readFileSync } from "node:fs";
import { filesFrom } from "../base/files.ts";
import type { Problem } from "../base/problem.ts";
import { parseUrl } from "../base/url.ts";
import { documentUrls, snapshotDocuments } from "../builder/fetched-documents.ts";
import { usePatterns } from "../builder/use-patterns.ts";
import { closedFiles } from "../engine/export/closed-files.ts";
import { bytesOf, planExport } from "../engine/export/export-site.ts";
import { readDocument } from "../engine/openapi/document/api-document.ts";
import { own, ownText } from "../engine/openapi/nodes/refs.ts";
import { readOperation } from "../engine/openapi/request/operation.ts";
import { htmlFile } from "../engine/paths.ts";
import { payloadOf } from "../engine/search/index-format.ts";
import { SearchIndex } from "../engine/search/search-index.ts";
import * as engine from "../engine/site/build-site.ts";
import type { DeploymentKind } from "../engine/site/features.ts";
import { isExternalPage } from "../engine/site/page.ts";
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
   * Texts of the OpenAPI documents whose URLs are in docs.json, by URL. Each other URL is reported as a
   * problem.
   */
  documents?: Readonly<Record<string, string>>;
}

/**
 * A page that anyone can read.
 *
 * @example
 * ```ts
 * const { pages } = await buildSite("docs");
 * console.log(pages[0].title, pages[0].path); // Hello index.html
 * ```
 */
export interface SitePage {
  /** Path of the page, without a leading slash. Empty for the home page. */
  route: string;
  title: string;
  /** Path of the page's HTML document in the site. */
  path: string;
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
  /**
   * Finds the sections that match a query, the best one first. Default limit: 10. `language`: code of a
   * language of the site. Default: the language of the first index, which is the only one unless the site has
   * several languages.
   */
  search(query: string, options?: { limit?: number; language?: string }): Promise<FoundSection[]>;
}

/**
 * Builds a site from the path of a documentation folder, or from the content of its files by path. Errors in
 * the content are returned as problems. Rejects if the folder can't be read, or with a RangeError if a path
 * or the URL is invalid.
 */
export async function buildSite(
  source: string | Readonly<Record<string, string | Uint8Array>>,
  { kind = "client-hosted", url, documents = {} }: SiteOptions = {},
): Promise<BuiltSite> {
  if (url !== undefined && !/^https?:$/.test(parseUrl(url)?.protocol ?? ""))
    throw new RangeError(`${url} isn't an http or https URL`);
  if (typeof source !== "string") for (const file of Object.keys(source)) requireRelative(file);
  const { files, problems: folderProblems } =
    typeof source === "string" ? docsFolderFiles(source) : { files: filesFrom(source), problems: [] };
  const origin = url === undefined ? {} : { origin: url.replace(/\/+$/, "") };
  const { site, problems } = await engine.buildSite(files, {
    generator: OCTAVO_GENERATOR,
    clock: Date.now,
    fetched: snapshotDocuments(documentUrls(files), documents),
    ...origin,
  });

  const assets = { read: (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url)) };
  const plan = await planExport(site, { kind, links: "html", ...origin }, { assets });
  const read = (path: string) => {
    const file = plan.get(path);
    return file && bytesOf(file);
  };

  const textOf = (path: string) => new TextDecoder().decode(read(path));
  const pages = [...site.pages.values()]
    .filter((page) => !isExternalPage(page) && plan.has(htmlFile(page.route)))
    .map(({ route, title }) => ({ route, title, path: htmlFile(route) }));
  const languages = [...plan.keys()].flatMap((path) => readSearchHeadPath(path)?.language ?? []);
  const indexes = new Map<string, Promise<SearchIndex>>();
  const openIndex = (language: string) => {
    const open =
      indexes.get(language) ??
      SearchIndex.open(async (name) => payloadOf(textOf(searchFilePath(name, { language }))));
    indexes.set(language, open);
    return open;
  };

  return {
    problems: [...folderProblems, ...problems, ...closedFiles(site, { kind, links: "html" })],
    pages,
    paths: [...plan.keys()],
    read,
    renderPage: (route) => (pages.some((page) => page.route === route) ? textOf(htmlFile(route)) : undefined),
    async search(text, { limit = 10, language = languages[0] } = {}) {
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
    },
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
