/** Computes hashes of all data that a page's generated files depend on, so that a build doesn't generate unchanged files again. */

import { accessKey } from "../../base/access.ts";
import { hashOf } from "../hash-of.ts";
import type { AssetNames } from "../plan/assets.ts";
import type { Audiences } from "../plan/audiences.ts";
import { diagramScripts } from "../plan/diagram-files.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { NavIcons } from "../plan/nav-icons.ts";
import type { Playgrounds } from "../plan/playgrounds.ts";
import type { Site } from "../site/build-site.ts";
import { respelledAnchors } from "../site/link-targets.ts";
import { isPage, type NavTreeItem } from "../site/resolve-navigation.ts";
import type { Page } from "../site/site-page.ts";

interface PrintInputs {
  site: Site;
  audiences: Audiences;
  playgrounds: Playgrounds;
  target: ExportTarget;
  assets: AssetNames;
  navIcons: NavIcons;
  changedAt(file: string): string | undefined;
}

export class PrintKeys {
  private readonly inputs: PrintInputs;
  /** Hash of all data that any page can show, such as settings and the titles of other pages, except the pages' bodies. */
  private frame: string | undefined;

  constructor(inputs: PrintInputs) {
    this.inputs = inputs;
  }

  /** Returns the key of the files that are generated from a page: HTML, Markdown, feed. */
  of(page: Page): string {
    const { site, audiences, playgrounds, assets, changedAt } = this.inputs;
    const playground = playgrounds.of(site.pages.get(page.route) ?? page);
    const own = [
      page.route,
      site.bodies.version(page.key),
      accessKey(audiences.of(page)),
      changedAt(page.file),
      respelledAnchors(page, site.linkTargets),
      diagramScripts(assets.diagrams, page.summary.diagramParts),
      playground && [playground.operation, playground.components, accessKey(playground.access)],
    ];
    this.frame ??= frameKey(this.inputs);
    return hashOf(this.frame, JSON.stringify(own));
  }
}

function frameKey({ site, audiences, target, assets, navIcons }: PrintInputs): string {
  const { settings } = site.config;
  const { served, generated, redirects } = site.linkTargets;
  const pages = [...site.pages.values()].map((page) => [
    page.route,
    page.file,
    page.title,
    page.frontmatter,
    page.visibility,
    accessKey(audiences.of(page)),
    page.reference?.document.file,
  ]);
  const documents = site.documents.all.map(({ file, isRemote }) => [file, isRemote, accessKey(audiences.ofDocument(file))]);
  const { diagrams: _, ...others } = assets;
  const names = { ...others, dialogs: { ...assets.dialogs, messages: [...assets.dialogs.messages] }, onDisk: [...assets.onDisk] };
  return hashOf(
    site.generator,
    JSON.stringify([
      target,
      settings,
      site.logoSizes,
      site.hasSignIn,
      pages,
      documents,
      [...served],
      [...generated],
      [...redirects.exact.values()],
    ]),
    JSON.stringify(navigationOf(site.navigation.root)),
    JSON.stringify([names, [...(assets.playground?.messages ?? [])], [...navIcons.classes]]),
  );
}

/** Returns the navigation as plain data, without references between its nodes. */
function navigationOf(item: NavTreeItem): unknown {
  if (isPage(item)) return item.page.route;
  const { children: _, ...division } = item.division;
  return [division, item.rootPage?.route, item.children.map(navigationOf)];
}
