/** Converts a Docusaurus or Starlight site to the files of a documentation folder. */

import { stringify } from "yaml";
import { byCodeUnit, type Files, readText } from "../../src/base/files.ts";
import { type Problem, problem } from "../../src/base/problem.ts";
import { unsafeName } from "../../src/base/safe-name.ts";
import { percentDecoded } from "../../src/base/url.ts";
import { splitPage } from "../../src/engine/config/frontmatter.ts";
import { encodePath, folderOf, isPageFile, normalizePath } from "../../src/engine/paths.ts";
import { convertBody } from "./convert-body.ts";
import { convertFrontmatter, heroText } from "./convert-frontmatter.ts";
import { docusaurusSite } from "./docusaurus-site.ts";
import type { ImportedFile } from "./imported-file.ts";
import { mintFiles } from "./mint-files.ts";
import type { SourcePage } from "./source-pages.ts";
import { configFile, type SourceSite } from "./source-site.ts";
import { starlightSite } from "./starlight-site.ts";

export type SiteKind = "docusaurus" | "starlight" | "mint";

export const siteKinds: readonly SiteKind[] = ["docusaurus", "starlight", "mint"];

/**
 * Detects the generator of a site by its configuration file. Undefined if there is no known configuration
 * file.
 */
export function siteKindOf(files: Files): SiteKind | undefined {
  if (configFile(files, "docusaurus.config")) return "docusaurus";
  if (configFile(files, "astro.config")) return "starlight";
  return files.paths.includes("mint.json") && !files.paths.includes("docs.json") ? "mint" : undefined;
}

/**
 * Yields the files of the new site. Files are converted one at a time, when the caller reads them. The paths
 * are safe.
 */
export function* convertSite(
  files: Files,
  kind: SiteKind,
  report: (found: Problem) => void,
): Generator<ImportedFile> {
  if (kind === "mint") return yield* mintFiles(files, report);
  const site = kind === "docusaurus" ? docusaurusSite(files, report) : starlightSite(files, report);
  yield* new SiteConversion(files, site, report).files();
}

const encoder = new TextEncoder();
/** Matches file types that pages can show or link to, but not import as code. */
const assets = /\.(?:avif|gif|jpe?g|png|svg|webp|ico|mp4|webm|mp3|pdf|zip|txt|csv)$/i;
const neverCopied =
  /(?:^|\/)(?:docs\.json|_category_\.(?:json|ya?ml)|\.[^/]*)$|\.(?:[cm]?[jt]sx?|mdx?|astro)$/i;

class SiteConversion {
  private readonly byFile: ReadonlyMap<string, SourcePage>;
  private readonly byUrl = new Map<string, SourcePage>();
  /** Files that are copied: path in the old site → path in the new one. */
  private readonly copies = new Map<string, string>();
  /** Markdown files that pages import: path in the old site → path in the new one. */
  private readonly snippets = new Map<string, string>();
  private readonly taken = new Set<string>(["docs.json"]);

  constructor(
    private readonly source: Files,
    private readonly site: SourceSite,
    private readonly report: (found: Problem) => void,
  ) {
    this.byFile = new Map(site.pages.map((page) => [page.file, page]));
    for (const page of site.pages) {
      this.byUrl.set(urlOf(page.path), page);
      this.taken.add(`${page.path}.mdx`.toLowerCase());
    }
    for (const path of site.linkPages.keys()) this.taken.add(`${path}.mdx`);
    for (const [from, to] of [...site.assetFolders, [site.docsFolder, ""]] as [string, string][])
      for (const file of source.paths)
        if (file.startsWith(`${from}/`) && !neverCopied.test(file))
          this.copy(file, [to, file.slice(from.length + 1)].filter(Boolean).join("/"));
  }

  *files(): Generator<ImportedFile> {
    const { settings, navigation, pages, linkPages, base } = this.site;
    const redirects = base ? [{ source: `${base}/:slug*`, destination: "/:slug*" }] : [];
    const docs = { theme: "mint", ...settings, navigation, ...(redirects.length ? { redirects } : {}) };
    yield {
      path: "docs.json",
      kind: "settings",
      read: () => encoder.encode(`${JSON.stringify(docs, undefined, 2)}\n`),
    };
    for (const [path, frontmatter] of linkPages)
      yield {
        path: `${path}.mdx`,
        kind: "settings",
        read: () => encoder.encode(`---\n${stringify(frontmatter)}---\n`),
      };
    for (const page of pages)
      yield { path: `${page.path}.mdx`, kind: "page", read: () => encoder.encode(this.page(page)) };
    // Snippets can refer to other snippets, and both can refer to more files. Iterating over a map includes
    // entries added meanwhile.
    for (const [file, path] of this.snippets)
      yield { path, kind: "file", read: () => encoder.encode(this.body(file)) };
    for (const [file, path] of this.copies)
      yield { path, kind: "file", read: () => this.source.read(file) ?? new Uint8Array() };
  }

  private page(page: SourcePage): string {
    const { frontmatter } = splitPage(readText(this.source, page.file)!, page.file);
    const lines = readText(this.source, page.file)!.split("\n");
    const lineOf = (key: string) => lines.findIndex((text) => text.startsWith(`${key}:`)) + 1 || 1;
    const converted = convertFrontmatter(frontmatter, (key) => {
      this.leaveOut(
        page.file,
        lineOf(key),
        `The frontmatter key "${key}" wasn't imported, because Octavo has no equivalent`,
        "If you need it, look for a similar key in the frontmatter reference.",
      );
    });
    const label = this.site.labels.get(page.path);
    if (label && !converted.sidebarTitle && label !== converted.title) converted.sidebarTitle = label;
    const hero = frontmatter.hero
      ? heroText(
          frontmatter.hero,
          frontmatter.title ?? "",
          (url) => this.linkTo(page.file, url),
          () =>
            this.leaveOut(
              page.file,
              lineOf("hero"),
              "The hero image wasn't imported, because it's HTML",
              "Add an image to the page.",
            ),
        )
      : "";
    const head = Object.keys(converted).length ? `---\n${stringify(converted, { lineWidth: 0 })}---\n\n` : "";
    return `${head}${hero}${this.body(page.file)}`;
  }

  /** Converts the text of a page or snippet, without its frontmatter. */
  private body(file: string): string {
    const { body, linesBeforeBody } = splitPage(readText(this.source, file)!, file);
    return convertBody(body, {
      linesBefore: linesBeforeBody,
      isPlainMarkdown: this.site.hasPlainMarkdown && file.endsWith(".md"),
      linkTo: (url) => this.linkTo(file, url),
      importOf: (source) => this.importOf(file, source),
      report: (line, message, hint) => this.leaveOut(file, line, message, hint),
    });
  }

  private leaveOut(file: string, line: number, message: string, hint: string): void {
    this.report(problem("import-left-out", { file, line }, message, hint));
  }

  /** Plans a copy. Returns the path in the new site. Undefined if the path is unsafe or taken. */
  private copy(file: string, path: string): string | undefined {
    const known = this.copies.get(file);
    if (known) return known;
    if (unsafeName(path)) return undefined;
    if (this.taken.has(path.toLowerCase())) {
      this.leaveOut(
        file,
        1,
        `The file wasn't imported, because another file already uses the path ${path}`,
        "Rename one of the files, and import again.",
      );
      return undefined;
    }
    this.taken.add(path.toLowerCase());
    this.copies.set(file, path);
    return path;
  }

  /**
   * Resolves a relative path, or a path that starts with an import alias, to a file in the old site.
   * Undefined if there is none.
   */
  private fileAt(from: string, path: string): string | undefined {
    const alias = [...this.site.aliases].find(([prefix]) => path.startsWith(prefix));
    const found = alias
      ? normalizePath(alias[1], path.slice(alias[0].length))
      : normalizePath(folderOf(from), path);
    return found !== undefined && this.exists(found) ? found : undefined;
  }

  private exists(file: string): boolean {
    return this.byFile.has(file) || this.copies.has(file) || this.source.size(file) > 0;
  }

  private linkTo(from: string, url: string): string {
    const [, path = "", suffix = ""] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
    if (path.startsWith("pathname:///")) return path.slice("pathname://".length) + suffix;
    if (!path || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return url;
    const decoded = percentDecoded(path);
    const file = decoded.startsWith("/") ? undefined : this.fileAt(from, decoded);
    const page = file === undefined ? this.pageAt(from, decoded) : this.byFile.get(file);
    if (page) return `/${encodePath(urlOf(page.path))}${suffix}`;
    if (file === undefined || isPageFile(file)) return url;
    const copied = this.copies.get(file) ?? (assets.test(file) ? this.copy(file, file) : undefined);
    return copied ? `/${encodePath(copied)}${suffix}` : url;
  }

  /**
   * Finds the page at an old URL. A relative URL is resolved against the URL of the page `from` or, for
   * Docusaurus, against its folder.
   */
  private pageAt(from: string, url: string): SourcePage | undefined {
    const { base } = this.site;
    const own = this.byFile.get(from);
    if (url.startsWith("/")) {
      const inside = base && (url === base || url.startsWith(`${base}/`)) ? url.slice(base.length) : url;
      return this.byUrl.get(urlOf(normalizePath("", inside) ?? ""));
    }
    if (!own) return undefined;
    const isIndex = /(?:^|\/)index$/.test(own.path);
    const folder = this.site.hasPlainMarkdown || isIndex ? urlOf(own.path) : folderOf(own.path);
    const found = normalizePath(folder, url.replace(/\.mdx?$/, ""));
    return found === undefined ? undefined : this.byUrl.get(found);
  }

  private importOf(from: string, source: string): { asset: string } | { snippet: string } | undefined {
    const file = this.fileAt(from, source);
    if (file === undefined) return undefined;
    if (isPageFile(file)) return { snippet: `/${this.snippet(file)}` };
    const copied = assets.test(file) ? (this.copies.get(file) ?? this.copy(file, file)) : undefined;
    return copied ? { asset: `/${encodePath(copied)}` } : undefined;
  }

  /**
   * Returns the path that an imported Markdown file has in the new site. Adds the file to `snippets`, unless
   * it is a page.
   */
  private snippet(file: string): string {
    const page = this.byFile.get(file);
    if (page) return `${page.path}.mdx`;
    const known = this.snippets.get(file);
    if (known) return known;
    const inDocs = file.startsWith(`${this.site.docsFolder}/`)
      ? file.slice(this.site.docsFolder.length + 1)
      : file;
    const path = `snippets/${inDocs.replace(/(^|\/)_+/g, "$1").replace(/\.mdx?$/, "")}`;
    let free = `${path}.mdx`;
    for (let i = 2; this.taken.has(free.toLowerCase()); i++) free = `${path}-${i}.mdx`;
    this.taken.add(free.toLowerCase());
    this.snippets.set(file, free);
    return free;
  }
}

function urlOf(path: string): string {
  return path.replace(/(?:^|\/)index$/, "");
}

/** Sorts problems by file and line. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((a, b) => byCodeUnit(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0));
}
