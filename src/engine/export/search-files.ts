/** Adds the files of the search indexes. There is one index per language and access. */

import type { Access } from "../../base/access.ts";
import { searchFilePath } from "../../layout/site-layout.ts";
import { buildIndex, type IndexedPage, pagesOfPart, partNames, passagesPart, versionOf } from "../search/build-index.ts";
import { inlineText } from "../search/plain-text.ts";
import { sectionsOf } from "../section-marks.ts";
import type { Site } from "../site/build-site.ts";
import { ancestors, type NavNode } from "../site/resolve-navigation.ts";
import type { Page } from "../site/site-page.ts";
import { type Audiences, keyOf, suffixOf } from "./audiences.ts";
import type { AddFile, ExportTarget } from "./export-target.ts";
import { pagesInOrder } from "./machine-files.ts";
import { PageUrls } from "./page-urls.ts";

export function addSearch(site: Site, audiences: Audiences, target: ExportTarget, add: AddFile): void {
  for (const { access, language, pages } of indexesOf(site, audiences, target)) {
    let built: ReadonlyMap<string, string> | undefined;
    const parts = () => (built ??= build(pages, language, site, target));
    for (const name of partNames(pages.length)) {
      const payload = () => {
        if (!name.startsWith("p")) return parts().get(name)!;
        const { from, before } = pagesOfPart(Number(name.slice(1)), pages.length);
        return passagesPart(pages.slice(from, before).map((page) => indexedPage(page, site, target)));
      };
      add(searchFilePath(name, { language, suffix: suffixOf(access) }), () => script(`${language}/${name}`, payload()), access);
    }
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

/** The name of the folder for a language. Replaces characters that are invalid in a language code with `-`. */
export function languageFolder(language: string): string {
  return language.replace(/[^\w-]+/g, "-");
}

function build(pages: readonly Page[], language: string, site: Site, target: ExportTarget): ReadonlyMap<string, string> {
  const indexed = (function* () {
    for (const page of pages) yield indexedPage(page, site, target);
  })();
  return buildIndex(indexed, { language, pages_count: pages.length });
}

function indexedPage(page: Page, site: Site, target: ExportTarget): IndexedPage {
  const { frontmatter, reference } = page;
  const position = site.navigation.positions.get(page.route);
  const above = position ? ancestors(position.parent) : [];
  const named = above.filter(({ division }) => division.label && !["root", "language", "version"].includes(division.kind));
  const theme = named.find(({ division }) => division.kind === "group") ?? named.at(-1);
  const nameIn = ({ division }: NavNode) => division.name ?? division.label;
  const nameOf = (kind: "version" | "product") => above.findLast(({ division }) => division.kind === kind)?.division.label;
  const body = site.bodies.body(page.key);
  const [first, ...sections] = [...withBeginning(sectionsOf(body.markdown))];
  const endpoint = reference?.kind === "operation" ? reference.entry : undefined;
  const boost = frontmatter.boost ?? above.findLast(({ division }) => division.boost !== undefined)?.division.boost ?? 1;
  return {
    route: page.route && new PageUrls(site, target, "").stem(page),
    title: page.title,
    breadcrumbs: named.map(nameIn),
    ...optional("group", theme && nameIn(theme)),
    keywords: [...(frontmatter.keywords ?? []), ...(frontmatter.sidebarTitle ? [frontmatter.sidebarTitle] : [])],
    boost: boost > 0 ? boost : 1,
    ...(endpoint ? { method: endpoint.kind === "webhook" ? "WEBHOOK" : endpoint.method.toUpperCase() } : {}),
    ...optional("version", nameOf("version")),
    ...optional("product", nameOf("product")),
    sections: [
      { ...first!, text: [frontmatter.description, first!.text, body.reference].filter(Boolean).join("\n\n") },
      ...sections.map((section) => ({ ...section, headings: section.headings.map(inlineText) })),
    ],
  };
}

/** Adds an empty section for the start of the page, which gets the page's description, if there is no such section. */
function withBeginning(sections: ReturnType<typeof sectionsOf>): ReturnType<typeof sectionsOf> {
  return sections[0]?.anchor === "" ? sections : [{ anchor: "", headings: [], text: "" }, ...sections];
}

function optional<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, string>);
}

function script(name: string, payload: string): string {
  return `octavoSearch(${JSON.stringify(name)},${JSON.stringify(versionOf(payload))},${JSON.stringify(payload).replace(/</g, "\\u003c")})\n`;
}
