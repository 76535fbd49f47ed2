/** Adds the files of the search indexes. There is one index per language and access. */

import type { Access } from "../../base/access.ts";
import { searchFilePath } from "../../layout/site-layout.ts";
import { hashOf } from "../hash-of.ts";
import { IndexMerger, pagesOfPart, partNames, passagesVersion } from "../search/build-index.ts";
import {
  type IndexedPage,
  type IndexedPageHeader,
  type IndexSegment,
  SegmentBuilder,
  versionOf,
  type WrittenPassages,
  writtenPassages,
} from "../search/index-segment.ts";
import { IndexTerms } from "../search/index-terms.ts";
import { inlineText } from "../search/plain-text.ts";
import { sectionsOf } from "../section-marks.ts";
import type { Site } from "../site/build-site.ts";
import { pagesInOrder } from "../site/pages-in-order.ts";
import { ancestors, type NavNode } from "../site/resolve-navigation.ts";
import type { Page } from "../site/site-page.ts";
import { type Audiences, keyOf, suffixOf } from "./audiences.ts";
import type { AddFile, ExportTarget } from "./export-target.ts";
import { optional } from "./optional.ts";
import { type RunSize, runsOf } from "./page-runs.ts";
import { PageUrls } from "./page-urls.ts";

export function addSearch(site: Site, audiences: Audiences, target: ExportTarget, add: AddFile): void {
  for (const { access, language, pages } of indexesOf(site, audiences, target)) {
    const files = new IndexFiles(pages, { language, name: `${language}${suffixOf(access)}` }, site, target);
    const pathOf = (name: string) => searchFilePath(name, { language, suffix: suffixOf(access) });
    // The passages come first, so that a page that changed is read once for its passages and its postings.
    for (const name of files.passageNames) {
      const key = () => hashOf(site.generator, ...files.pagesOf(name).map((page) => site.bodies.version(page.key)));
      add(pathOf(name), () => passagesScript(`${language}/${name}`, files.passages(name)), access, key);
    }
    for (const name of files.otherNames) add(pathOf(name), () => script(`${language}/${name}`, files.other(name)), access);
  }
}

interface PlannedIndex {
  access: Access;
  language: string;
  pages: Page[];
}

function indexesOf(site: Site, audiences: Audiences, { readers }: ExportTarget): PlannedIndex[] {
  const indexes = new Map<string, PlannedIndex>();
  const indexOf = (language: string, access: Access) => {
    const key = `${language} ${keyOf(access)}`;
    let index = indexes.get(key);
    if (!index) indexes.set(key, (index = { access, language, pages: [] }));
    return index;
  };
  for (const page of pagesInOrder(site)) {
    const language = languageFolder(site.languageOf(page.route));
    // Pages that search in the browser need an index, even if it is empty.
    if (readers !== "signed-in") indexOf(language, "anyone");
    if (page.visibility.search) indexOf(language, audiences.of(page)).pages.push(page);
  }
  return [...indexes.values()];
}

/** Returns the name of the folder for a language. Replaces characters that are invalid in a language code with `-`. */
export function languageFolder(language: string): string {
  return language.replace(/[^\w-]+/g, "-");
}

/** Number of pages in a run. */
const run_pages: RunSize = { min: 4, usual: 16, max: 64 };
/** Number of segments that are also cached as one segment. After an edit, fewer segments are then read and merged. */
const joined_segments: RunSize = { min: 4, usual: 4, max: 16 };
/** Number of segments from which joined segments are joined again. */
const rejoined_segments = 17;

/** Consecutive pages of an index whose postings are cached as a segment. */
interface Run {
  pages: Page[];
  headers: IndexedPageHeader[];
  /** Hash of everything that the segment depends on. */
  key: string;
  /** Whether the run's segment has been built or read from the cache. */
  isIndexed?: boolean;
}

/** A cached segment, and what it depends on. */
interface CachedSegment {
  /** Route of the first page. */
  route: string;
  headers: readonly IndexedPageHeader[];
  key: string;
  /** Returns the segment as JSON. */
  read(): string;
}

/** Generates the files of one index. */
class IndexFiles {
  private readonly pages: readonly Page[];
  private readonly language: string;
  private readonly indexTerms: IndexTerms;
  /** Name that identifies the index among the site's indexes. */
  private readonly name: string;
  private readonly site: Site;
  private readonly runs: Run[];
  private readonly runOf = new Map<Page, Run>();
  /** Passages of pages whose run has been built, until they are read or all runs have been merged. */
  private readonly recent = new Map<Page, WrittenPassages>();
  private built: ReadonlyMap<string, string> | undefined;

  constructor(pages: readonly Page[], { language, name }: { language: string; name: string }, site: Site, target: ExportTarget) {
    this.pages = pages;
    this.language = language;
    this.indexTerms = new IndexTerms(language);
    this.name = name;
    this.site = site;
    this.runs = runsOf(pages, ({ route }) => route, run_pages).map((run) => {
      const headers = run.map((page) => headerOf(page, site, target));
      const versions = run.map((page) => site.bodies.version(page.key));
      return { pages: run, headers, key: hashOf(language, ...versions, JSON.stringify(headers)) };
    });
    for (const run of this.runs) for (const page of run.pages) this.runOf.set(page, run);
  }

  get passageNames(): string[] {
    return partNames(this.pages.length).filter((name) => name.startsWith("p"));
  }

  get otherNames(): string[] {
    return partNames(this.pages.length).filter((name) => !name.startsWith("p"));
  }

  /** Returns the pages whose passages are in a part. `name`: name of a part with passages, which starts with `p`. */
  pagesOf(name: string): readonly Page[] {
    const { from, before } = pagesOfPart(Number(name.slice(1)), this.pages.length);
    return this.pages.slice(from, before);
  }

  /** Returns the passages of each page of a part. */
  passages(name: string): WrittenPassages[] {
    return this.pagesOf(name).map((page) => this.passagesOf(page));
  }

  /** Returns the payload of any other part. */
  other(name: string): string {
    const merge = () => {
      const merger = new IndexMerger();
      for (const segment of this.segments()) merger.add(JSON.parse(segment.read()) as IndexSegment);
      this.recent.clear();
      return merger.finish(
        this.runs.flatMap(({ headers }) => headers),
        this.language,
      );
    };
    return (this.built ??= merge()).get(name)!;
  }

  /** Returns the segments to merge: the ones of all runs, joined until there are few. */
  private segments(): CachedSegment[] {
    const ofRuns = this.runs.map(
      (run): CachedSegment => ({ route: run.pages[0]!.route, headers: run.headers, key: run.key, read: () => this.segmentOf(run) }),
    );
    let segments = this.joined(ofRuns, "joined");
    for (let level = 2; segments.length >= rejoined_segments; level++) segments = this.joined(segments, `joined ${level}`);
    return segments;
  }

  /** Joins consecutive segments. `level`: name of the level in the cache. */
  private joined(segments: readonly CachedSegment[], level: string): CachedSegment[] {
    return runsOf(segments, ({ route }) => `${level} ${route}`, joined_segments).map((parts): CachedSegment => {
      const [first] = parts;
      if (parts.length === 1) return first!;
      const { route } = first!;
      const headers = parts.flatMap((part) => part.headers);
      const key = hashOf(...parts.map((part) => part.key));
      const join = () => {
        const merger = new IndexMerger();
        for (const part of parts) merger.add(JSON.parse(part.read()) as IndexSegment);
        return JSON.stringify(merger.segment(headers));
      };
      return { route, headers, key, read: () => this.site.bodies.derived(`${level} search\n${this.name}\n${route}`, key, join) };
    });
  }

  private passagesOf(page: Page): WrittenPassages {
    let passages = this.recent.get(page);
    if (!passages) {
      const run = this.runOf.get(page)!;
      if (!run.isIndexed) this.segmentOf(run);
      passages = this.recent.get(page) ?? writtenPassages(this.indexed(page, run.headers[run.pages.indexOf(page)]!));
    }
    this.recent.delete(page);
    return passages;
  }

  /** Returns the segment of a run as JSON, from the cache if the run's pages are unchanged. */
  private segmentOf(run: Run): string {
    run.isIndexed = true;
    return this.site.bodies.derived(`search\n${this.name}\n${run.pages[0]!.route}`, run.key, () => {
      const builder = new SegmentBuilder(this.indexTerms);
      for (const [index, page] of run.pages.entries()) this.recent.set(page, builder.add(this.indexed(page, run.headers[index]!)));
      return JSON.stringify(builder.finish());
    });
  }

  private indexed(page: Page, header: IndexedPageHeader): IndexedPage {
    return { ...header, sections: sectionsOfPage(page, this.site) };
  }
}

function headerOf(page: Page, site: Site, target: ExportTarget): IndexedPageHeader {
  const { frontmatter, reference } = page;
  const position = site.navigation.positions.get(page.route);
  const above = position ? ancestors(position.parent) : [];
  const named = above.filter(({ division }) => division.label.trim() && !["root", "language", "version"].includes(division.kind));
  const group = named.find(({ division }) => division.kind === "group") ?? named.at(-1);
  const nameIn = ({ division }: NavNode) => division.name ?? division.label;
  const nameOf = (kind: "version" | "product") => above.findLast(({ division }) => division.kind === kind)?.division.label;
  const endpoint = reference?.kind === "operation" ? reference.entry : undefined;
  const boost = frontmatter.boost ?? above.findLast(({ division }) => division.boost !== undefined)?.division.boost ?? 1;
  return {
    route: page.route && new PageUrls(site, target, "").stem(page),
    title: page.title,
    breadcrumbs: named.map(nameIn),
    ...optional("group", group && nameIn(group)),
    keywords: [...(frontmatter.keywords ?? []), ...(frontmatter.sidebarTitle ? [frontmatter.sidebarTitle] : [])],
    boost: boost > 0 ? boost : 1,
    ...(endpoint ? { method: endpoint.kind === "webhook" ? "WEBHOOK" : endpoint.method.toUpperCase() } : {}),
    ...optional("version", nameOf("version")),
    ...optional("product", nameOf("product")),
  };
}

function sectionsOfPage(page: Page, site: Site): IndexedPage["sections"] {
  const body = site.bodies.body(page.key);
  const [first, ...sections] = [...withBeginning(sectionsOf(body.markdown))];
  return [
    { ...first!, text: [page.frontmatter.description, first!.text, body.reference].filter(Boolean).join("\n\n") },
    ...sections.map((section) => ({ ...section, headings: section.headings.map(inlineText) })),
  ];
}

/** Adds an empty first section, for the page's description, if there is no text before the first heading. */
function withBeginning(sections: ReturnType<typeof sectionsOf>): ReturnType<typeof sectionsOf> {
  return sections[0]?.anchor === "" ? sections : [{ anchor: "", headings: [], text: "" }, ...sections];
}

function passagesScript(name: string, pages: readonly WrittenPassages[]): string[] {
  const version = passagesVersion(pages.map((page) => page.version));
  return [`${scriptStart(name, version)}[`, ...pages.flatMap(({ json }, index) => (index === 0 ? [json] : [",", json])), "])\n"];
}

function script(name: string, payload: string): string {
  return `${scriptStart(name, versionOf(payload))}${JSON.stringify(payload)})\n`;
}

function scriptStart(name: string, version: string): string {
  return `octavoSearch(${JSON.stringify(name)},${JSON.stringify(version)},`;
}
