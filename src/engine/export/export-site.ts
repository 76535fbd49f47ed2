/** Plans and generates all files of an export. */

import { type Access, accessKey } from "../../base/access.ts";
import { fileWithPolicy } from "../plan/air-gapped-policy.ts";
import { planAssets } from "../plan/assets.ts";
import { Audiences } from "../plan/audiences.ts";
import type { AddFile, ExportTarget, OutputFile, ProductAssets } from "../plan/export-target.ts";
import { type FileContent, isInParts, joinedBytes, joinedParts } from "../plan/file-content.ts";
import { fileNames } from "../plan/file-names.ts";
import { InlineParts } from "../plan/inline-parts.ts";
import { NavIcons } from "../plan/nav-icons.ts";
import { PageUrls } from "../plan/page-urls.ts";
import { Playgrounds } from "../plan/playgrounds.ts";
import type { Site } from "../site/build-site.ts";
import type { IndexThreads } from "../site/other-threads.ts";
import type { ViewContext } from "../view/build-page-view.ts";
import { PageKeys } from "./file-keys.ts";
import { kinds } from "./kinds/kinds.ts";

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
  return (await openExport(site, target, options)).plan;
}

/** Plans an export. `viewOf` returns the context for rendering pages for readers with an access. */
export async function openExport(
  site: Site,
  target: ExportTarget,
  options: ExportOptions,
): Promise<{ plan: ExportPlan; viewOf(access: Access): ViewContext }> {
  const plan = new Map<string, PlannedFile>();
  const audiences = new Audiences(site, target);
  const { exported } = audiences;
  const playgrounds = new Playgrounds(site, audiences);
  const navIcons = new NavIcons(exported, target);
  const inline = target.kind === "air-gapped" ? new InlineParts(exported, audiences) : undefined;
  const assets = await planAssets(exported, audiences, playgrounds, options.assets, navIcons, target, inline);
  const changedAt = options.changedAt ?? (() => undefined);
  const views = new Map<string, ViewContext>();
  const viewOf = (access: Access): ViewContext => {
    let view = views.get(accessKey(access));
    if (!view) views.set(accessKey(access), (view = newView(access)));
    return view;
  };

  const newView = (access: Access): ViewContext => ({
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
        if (!inline || !/\.(?:s?html|htm)$/i.test(path)) return content;
        if (content instanceof Uint8Array) return fileWithPolicy(content);
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

  const context = {
    site,
    target,
    audiences,
    playgrounds,
    product: options.assets,
    assets,
    inline,
    keys,
    viewOf,
    add,
  };
  for (const kind of kinds) kind.add({ ...context, threads: options.threads });
  return { plan, viewOf };
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
