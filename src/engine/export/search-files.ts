/** Adds the files of the search indexes. There is one index per language and access. */

import { type Access, accessKey } from "../../base/access.ts";
import { fieldIfSet } from "../../base/field-if-set.ts";
import { searchFilePath } from "../../layout/site-layout.ts";
import { hashOf } from "../hash-of.ts";
import { type OperationEntry, operationLabel } from "../openapi/operation-list.ts";
import { ownText } from "../openapi/refs.ts";
import { type Audiences, suffixOf } from "../plan/audiences.ts";
import type { AddFile, ExportTarget } from "../plan/export-target.ts";
import { languageFolder } from "../plan/feature-links.ts";
import { PageUrls } from "../plan/page-urls.ts";
import { passagesVersion, versionOf } from "../search/index-parts.ts";
import type { IndexedPage, IndexedPageHeader, WrittenPassages } from "../search/index-segment.ts";
import { inlineText } from "../search/plain-text.ts";
import { sectionsOf } from "../section-marks.ts";
import type { Site } from "../site/build-site.ts";
import { fragmentKey, fragmentsOf } from "../site/compile-fragments.ts";
import type { IndexThreads } from "../site/other-threads.ts";
import type { Page } from "../site/page.ts";
import { pagesInOrder } from "../site/pages-in-order.ts";
import type { NavNode } from "../site/resolve-navigation.ts";
import { CachedIndex, type PlannedPage } from "./cached-index.ts";

/** `threads`: threads that index pages while other files are generated. */
export function addSearch(
  site: Site,
  audiences: Audiences,
  target: ExportTarget,
  add: AddFile,
  threads?: IndexThreads,
): void {
  for (const { access, language, pages } of indexesOf(site, audiences, target)) {
    const options = {
      language,
      name: `${language}${suffixOf(access)}`,
      generator: site.generator,
      store: site.store,
    };
    const taken = new Set<string>();
    const files = new CachedIndex(
      pages.map((page) => plannedPage(page, taken, site, target)),
      options,
    );
    const indexed = threads?.index(files.tasks());
    const ready = indexed && (() => indexed);
    const pathOf = (name: string) => searchFilePath(name, { language, suffix: suffixOf(access) });
    // The passages come first, so that a page that changed is read once for its passages and its postings.
    for (const name of files.passageNames) {
      const key = () => hashOf(site.generator, ...files.pagesOf(name).map(({ version }) => version));
      add(
        pathOf(name),
        () => passagesScript(`${language}/${name}`, files.passages(name)),
        access,
        key,
        ready,
      );
    }
    for (const name of files.otherNames) {
      const key = () => hashOf(site.generator, files.hashOf(name));
      add(pathOf(name), () => script(`${language}/${name}`, files.other(name)), access, key, ready);
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
    const key = `${language} ${accessKey(access)}`;
    let index = indexes.get(key);
    if (!index) indexes.set(key, (index = { access, language, pages: [] }));
    return index;
  };

  for (const page of pagesInOrder(site)) {
    const language = languageFolder(site.languageOf(page.route));
    // Pages that search in the browser need an index, even if it is empty.
    if (readers !== "signed-in") indexOf(language, "anyone");
    if (!page.visibility.search) continue;
    for (const variant of audiences.variantsOf(page))
      indexOf(language, audiences.ofSearch(page, variant)).pages.push(variant);
  }

  return [...indexes.values()];
}

/**
 * Search finds each shared schema on the first page that contains it. `taken`: ids of the schemas of earlier
 * pages. Those of this page are added.
 */
function plannedPage(page: Page, taken: Set<string>, site: Site, target: ExportTarget): PlannedPage {
  const fragments = [...fragmentsOf([page], site, taken)];
  for (const id of fragments) taken.add(id);
  const versions = [page.storedName, ...fragments.map(fragmentKey)].map((name) => site.bodies.version(name));
  return {
    route: page.route,
    header: headerOf(page, site, target),
    version: versions.length === 1 ? versions[0]! : hashOf(...versions),
    sections: () => [
      ...sectionsOfPage(page, site),
      ...fragments.map((id) => ({
        anchor: "",
        headings: [inlineText(site.fragments.get(id)!.name)],
        text: site.bodies.bodyPart(fragmentKey(id), "reference"),
      })),
    ],
  };
}

function headerOf(page: Page, site: Site, target: ExportTarget): IndexedPageHeader {
  const { frontmatter, reference } = page;
  const position = site.navigation.positions.get(page.route);
  const above = position ? position.parent.chain : [];
  const named = above.filter(
    ({ division }) => division.label.trim() && !["root", "language", "version"].includes(division.kind),
  );
  const group = named.find(({ division }) => division.kind === "group") ?? named.at(-1);
  const nameIn = ({ division }: NavNode) => division.name ?? division.label;
  const nameOf = (kind: "version" | "product") =>
    above.findLast(({ division }) => division.kind === kind)?.division.label;
  const endpoint = reference?.kind === "operation" ? reference.entry : undefined;
  const boost =
    frontmatter.boost ?? above.findLast(({ division }) => division.boost !== undefined)?.division.boost ?? 1;
  return {
    route: page.route && new PageUrls(site, target, "").stem(page),
    title: page.title,
    breadcrumbs: named.map(nameIn),
    ...fieldIfSet("group", group && nameIn(group)),
    keywords: [
      ...(frontmatter.keywords ?? []),
      ...(frontmatter.sidebarTitle ? [frontmatter.sidebarTitle] : []),
    ],
    ...(frontmatter.description ? { isDescribed: true } : {}),
    boost: boost > 0 ? boost : 1,
    ...(endpoint
      ? {
          method: endpoint.kind === "webhook" ? "WEBHOOK" : endpoint.method.toUpperCase(),
          names: namesOf(endpoint),
        }
      : {}),
    ...fieldIfSet("version", nameOf("version")),
    ...fieldIfSet("product", nameOf("product")),
  };
}

/** Returns the names by which readers look up an operation. */
function namesOf(entry: OperationEntry): string[] {
  const id = ownText(entry.node.value, "operationId");
  return [entry.path, operationLabel(entry), ...(id === undefined ? [] : [id])];
}

function sectionsOfPage(page: Page, site: Site): IndexedPage["sections"] {
  const [first, ...sections] = [
    ...withBeginning(sectionsOf(site.bodies.bodyPart(page.storedName, "markdown"))),
  ];
  const reference = site.bodies.bodyPart(page.storedName, "reference");
  return [
    { ...first!, text: [page.frontmatter.description, first!.text, reference].filter(Boolean).join("\n\n") },
    ...sections.map((section) => ({ ...section, headings: section.headings.map(inlineText) })),
  ];
}

/** Adds an empty first section, for the page's description, if there is no text before the first heading. */
function withBeginning(sections: ReturnType<typeof sectionsOf>): ReturnType<typeof sectionsOf> {
  return sections[0]?.anchor === "" ? sections : [{ anchor: "", headings: [], text: "" }, ...sections];
}

function passagesScript(name: string, pages: readonly WrittenPassages[]): string[] {
  const version = passagesVersion(pages.map((page) => page.version));
  return [
    `${scriptStart(name, version)}[`,
    ...pages.flatMap(({ json }, index) => (index === 0 ? [json] : [",", json])),
    "])\n",
  ];
}

function script(name: string, payload: string): string {
  return `${scriptStart(name, versionOf(payload))}${JSON.stringify(payload)})\n`;
}

function scriptStart(name: string, version: string): string {
  return `octavoSearch(${JSON.stringify(name)},${JSON.stringify(version)},`;
}
