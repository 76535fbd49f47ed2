/** Lists the links of pages with their places in the files that the author wrote. */

import { readText } from "../../../base/files.ts";
import { percentDecoded } from "../../../base/url.ts";
import type { TextSpan } from "../../json-positions.ts";
import { expandPage } from "../../page/expand-page.ts";
import type { ContentUrl, UrlPlace } from "../../page/root-relative-urls.ts";
import type { Site } from "../build-site.ts";
import { findTarget, idOfAnchor } from "../navigation/link-targets.ts";
import type { Page } from "../page.ts";
import type { CompileContext } from "../pages/compile-context.ts";
import { sourceOfFile } from "../pages/page-source.ts";
import { SourceText } from "./source-text.ts";

/** A site, and what is needed to read its pages again. */
export interface ReadSite {
  site: Site;
  context: CompileContext;
}

/** A link, import, or entry as the author wrote it. */
export interface WrittenLink extends TextSpan {
  file: string;
  written: string;
  /**
   * `url`: a URL in a page or in a document. `import`: the file of an import. `snippet`: the file of a
   * `<Snippet>`. `entry`: a page in the navigation. `setting`: a URL or path in docs.json or in frontmatter.
   * `redirect`: the destination of a redirect.
   */
  use: "url" | "import" | "snippet" | "entry" | "setting" | "redirect";
  /** The root-relative URL. Absent for files. */
  address?: string;
  /** The files that a relative URL is relative to. */
  place?: UrlPlace;
  /** Index of the redirect. */
  redirect?: number;
  target: LinkedTarget;
}

/** What a link refers to. */
export interface LinkedTarget {
  /** Path of a page's file, or of another file. */
  file: string;
  page?: Page;
  /** The id that the link's fragment means. Absent if there is none. */
  id?: string;
}

/** Reads the texts of files once. */
export class SourceTexts {
  private readonly site: Site;
  private readonly texts = new Map<string, SourceText>();

  constructor(site: Site) {
    this.site = site;
  }

  of(file: string): SourceText {
    let text = this.texts.get(file);
    if (!text) this.texts.set(file, (text = new SourceText(readText(this.site.files, file) ?? "")));
    return text;
  }
}

/** Finds what a root-relative URL refers to. `page`: the page that contains it, for fragments. */
export function linkedTarget(address: string, page: Page | undefined, site: Site): LinkedTarget | undefined {
  const isFragment = address.startsWith("#");
  if (!isFragment && !address.startsWith("/")) return undefined;
  const target = isFragment
    ? page && { kind: "page" as const, page, suffix: address }
    : findTarget(address, site.linkTargets);
  if (target?.kind === "file") return { file: target.path };
  if (target?.kind !== "page") return undefined;

  const start = target.suffix.indexOf("#");
  const anchor = start < 0 ? "" : percentDecoded(target.suffix.slice(start + 1));
  const id = anchor === "" ? undefined : idOfAnchor(anchor, target.page);
  return { file: target.page.file, page: target.page, ...(id === undefined ? {} : { id }) };
}

/** Lists the links of a page and its snippets that refer to certain targets. */
export function linksOfPage(
  page: Page,
  { site, context }: ReadSite,
  texts: SourceTexts,
  isWanted: (target: LinkedTarget) => boolean,
): WrittenLink[] {
  const isGenerated = page.storedName !== page.file;
  if (isGenerated) return otherLinks(page, new Set(), site, texts, isWanted);
  const { text, linesBefore, file } = sourceOfFile(page.file, context, "author");
  const urls: ContentUrl[] = [];
  const files = new Set([page.file]);
  const links: WrittenLink[] = [];
  expandPage({ text: text ?? "", file, linesBefore }, context.mdx, {
    report: () => {},
    dependsOn: () => {},
    linksTo: (url) => urls.push(url),
    includes: ({ written, from, file: included, isTag }) => {
      files.add(included);
      const target = { file: included };
      if (!isWanted(target)) return;
      for (const span of texts.of(from).links(written))
        links.push({ file: from, ...span, written, use: isTag ? "snippet" : "import", target });
    },
  });

  const seen = new Set<string>();
  for (const url of urls) {
    const target = linkedTarget(url.address, page, site);
    if (!target) continue;
    seen.add(url.address);
    if (!isWanted(target)) continue;
    const { written, page: of, file: document, isImage } = url;
    const place = { page: of, file: document, isImage };
    for (const found of placesOf(url, files, texts))
      links.push({ ...found, written, use: "url", address: url.address, place, target });
  }

  return [...links, ...otherLinks(page, seen, site, texts, isWanted)];
}

/** Finds the places of a URL: in its element, or else in quotes in the files of the page. */
function placesOf(
  { element, written, file }: ContentUrl,
  files: ReadonlySet<string>,
  texts: SourceTexts,
): (TextSpan & { file: string })[] {
  const { source } = element;
  const own = source?.file ?? file;
  const near = source ? texts.of(own).linksBetween(source.line, source.endLine, written) : [];
  if (near.length > 0) return near.map((span) => ({ file: own, ...span }));
  for (const other of new Set([own, ...files])) {
    const found = texts.of(other).links(written);
    if (found.length > 0) return found.map((span) => ({ file: other, ...span }));
  }
  return [];
}

/**
 * Lists links that aren't in the content of a page's file, such as those in its description, and those in the
 * part of an OpenAPI document that a page shows.
 */
function otherLinks(
  page: Page,
  seen: ReadonlySet<string>,
  site: Site,
  texts: SourceTexts,
  isWanted: (target: LinkedTarget) => boolean,
): WrittenLink[] {
  return page.summary.links.flatMap(({ address, file }) => {
    const target = seen.has(address) ? undefined : linkedTarget(address, page, site);
    if (!target || !isWanted(target)) return [];
    const from = file ?? page.file;
    return texts
      .of(from)
      .links(address)
      .map((span) => ({ file: from, ...span, written: address, use: "url" as const, address, target }));
  });
}
