/** The kinds of files of an export. */

import type { Access } from "../../../base/access.ts";
import { isReserved } from "../../../layout/site-layout.ts";
import type { AssetPlan } from "../../plan/assets.ts";
import type { Audiences } from "../../plan/audiences.ts";
import type { AddFile, ExportTarget, ProductAssets } from "../../plan/export-target.ts";
import type { InlineParts } from "../../plan/inline-parts.ts";
import type { Playgrounds } from "../../plan/playgrounds.ts";
import type { Site } from "../../site/build-site.ts";
import type { IndexThreads } from "../../site/other-threads.ts";
import type { ViewContext } from "../../view/build-page-view.ts";
import type { PageKeys } from "../file-keys.ts";

export interface ExportContext {
  site: Site;
  target: ExportTarget;
  audiences: Audiences;
  playgrounds: Playgrounds;
  product: ProductAssets;
  assets: AssetPlan;
  /** Set if pages must not have inline scripts and styles. */
  inline: InlineParts | undefined;
  /** Undefined if the content of pages also depends on other pages. */
  keys: PageKeys | undefined;
  threads: IndexThreads | undefined;
  /** Returns the context of the pages with an access. */
  viewOf(access: Access): ViewContext;
  /** Only the first file with a path is used. */
  add: AddFile;
}

export interface ExportKind {
  name: string;
  /** Kinds that must be planned before this one, and why. */
  after?: Readonly<Record<string, string>>;
  add(context: ExportContext): void;
}

/**
 * Wraps `add` to skip files below `_octavo/`, so that an author's file can't replace a table that hosts
 * trust.
 */
export function authored(add: AddFile): AddFile {
  return (path, ...file) => {
    if (!isReserved(path)) add(path, ...file);
  };
}
