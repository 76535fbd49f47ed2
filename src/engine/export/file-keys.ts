/**
 * Computes the keys of a page's files: hashes of all data that the files depend on. Everything in a site is
 * part of the keys, unless this file leaves it out, so data that is added to a site later can't be forgotten.
 * The compiler reports data that isn't plain.
 */

import { accessKey } from "../../base/access.ts";
import type { Division } from "../config/navigation-types.ts";
import { hashOfData, without } from "../incremental/hash-of-data.ts";
import type { AssetNames } from "../plan/assets.ts";
import type { Audiences } from "../plan/audiences.ts";
import { diagramScripts } from "../plan/diagram-files.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { NavIcons } from "../plan/nav-icons.ts";
import type { Playgrounds } from "../plan/playgrounds.ts";
import type { Site } from "../site/build-site.ts";
import { type LinkTargets, respelledAnchors } from "../site/navigation/link-targets.ts";
import { isPage, type NavTreeItem } from "../site/navigation/resolve-navigation.ts";
import type { Page } from "../site/page.ts";
import type { PageReference } from "../site/sources/page-reference.ts";

interface ExportData {
  site: Site;
  audiences: Audiences;
  playgrounds: Playgrounds;
  target: ExportTarget;
  assets: AssetNames;
  navIcons: NavIcons;
  changedAt(file: string): string | undefined;
}

export class PageKeys {
  private readonly data: ExportData;
  private shared: string | undefined;

  constructor(data: ExportData) {
    this.data = data;
  }

  /** Returns the key of the files that are generated from a page: HTML, Markdown, feed. */
  of(page: Page): string {
    const { site, audiences, playgrounds, assets, changedAt } = this.data;
    const playground = playgrounds.of(site.pages.get(page.route) ?? page);
    this.shared ??= sharedKey(this.data);
    return hashOfData([
      this.shared,
      page.route,
      site.bodies.version(page.storedName),
      accessKey(audiences.of(page)),
      changedAt(page.file),
      respelledAnchors(page, site.linkTargets),
      diagramScripts(assets.diagrams, page.summary.diagramParts),
      playground && [playground.operation, playground.components, accessKey(playground.access)],
    ]);
  }
}

/** Returns a hash of the data that any page can show, such as settings and the titles of other pages. */
function sharedKey({ site, audiences, target, assets, navIcons }: ExportData): string {
  // Left out: content of other files (`files`, `islandScripts`, `fragments`), content of pages, which the key
  // of each page contains (`bodies`), where values are kept (`store`), and what depends only on the rest
  // (`sections`, `languageOf`, and `pages` of `linkTargets`).
  const { pages, navigation, linkTargets, documents, ...rest } = without(
    site,
    "files",
    "islandScripts",
    "fragments",
    "bodies",
    "store",
    "sections",
    "languageOf",
  );

  return hashOfData({
    ...rest,
    target,
    pages: [...pages.values()].map((page) => [pageData(page), accessKey(audiences.of(page))]),
    documents: documents.all.map(({ file, isRemote }) => [
      file,
      isRemote,
      accessKey(audiences.ofDocument(file)),
    ]),
    navigation: [navigationData(navigation.root), [...navigation.closed]],
    linkTargets: linkData(linkTargets),
    assets: assetData(assets),
    icons: [...navIcons.classes],
  });
}

/** Leaves out the summary, which other pages don't show, except for anchors (`respelledAnchors`). */
function pageData(page: Page) {
  const { reference, variants, ...rest } = without(page, "summary");
  return {
    ...rest,
    reference: reference && referenceData(reference),
    audiences: variants?.map(({ audience }) => audience),
  };
}

function referenceData(reference: PageReference) {
  const { kind, document } = reference;
  if (kind !== "operation") return [kind, document.file];
  const { operationId, tags } = reference.entry.node.value as { operationId?: string; tags?: string[] };
  return [kind, document.file, reference.entry.node.pointer, operationId, tags];
}

/** The data that resolving links depends on, besides the pages. */
export function linkData(targets: LinkTargets) {
  const { served, generated, landings, replaced, redirects, ...rest } = without(targets, "pages");
  return {
    ...rest,
    served: [...served],
    generated: [...generated],
    landings: [...landings].map(([route, page]) => [route, page.route]),
    replaced: [...replaced],
    redirects: redirects.all,
  };
}

/**
 * Leaves out what is derived from the rest, and scripts of diagrams, which are in the keys of the pages that
 * load them.
 */
function assetData(assets: AssetNames) {
  const { onDisk, playground, dialogs, ...rest } = without(assets, "diagrams", "renamedCss");
  return {
    ...rest,
    onDisk: [...onDisk],
    playground: playground && { ...playground, messages: [...playground.messages] },
    dialogs: { ...dialogs, messages: [...dialogs.messages] },
  };
}

/** Returns the divisions and pages of the navigation in order, with their levels. */
function navigationData(
  item: NavTreeItem,
  level = 0,
): [level: number, item: string | Omit<Division, "children">, rootPage?: string][] {
  if (isPage(item)) return [[level, item.page.route]];
  const division = without(item.division, "children");
  return [
    [level, division, item.rootPage?.route],
    ...item.children.flatMap((child) => navigationData(child, level + 1)),
  ];
}
