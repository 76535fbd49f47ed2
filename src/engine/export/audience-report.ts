/** Reports what an export for an audience leaves out, and texts that none of its files may contain. */

import { type Access, groupLists, isForGroups } from "../../base/access.ts";
import { hashed_bytes, TextFinder } from "../../base/text-finder.ts";
import { hashOf } from "../hash-of.ts";
import { Audiences } from "../plan/audiences.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { Site } from "../site/build-site.ts";
import { isExternalPage, type Page } from "../site/page.ts";

export interface AudienceReport {
  /** Groups of the readers; `public` for visitors who aren't signed in. */
  audience: "public" | string[];
  /** Number of exported pages. */
  pages: number;
  leftOut: {
    /** Pages, each with the readers who may read it: all signed-in readers, or those in one of the groups. */
    pages: { path: string; readers: "signed-in" | string[] }[];
    /** Operations and schemas of OpenAPI documents, as JSON pointers. */
    parts: { document: string; pointer: string }[];
    /** Exported pages with content for other readers. */
    contentOn: string[];
    /** Files of the documentation folder. Absent if there are none. */
    files?: string[];
  };
}

export interface CheckedAudience extends AudienceReport {
  /** Number of the files that were searched for texts of what is left out, and of these texts. */
  checked: { files: number; texts: number };
}

export interface ReportedAudience {
  report: AudienceReport;
  /** Texts that only content that was left out contains. No file of the export may contain them. */
  texts: string[];
  /**
   * Hashes (`hashOf`) of the files of the folder that were left out. No file of the export may have one of
   * them.
   */
  fileHashes: string[];
}

/** Maximum number of texts per page, and of all texts. */
const textsPerPage_count = 6;
const texts_count = 10_000;

/** Returns undefined for an export without an audience. */
export function reportAudience(site: Site, target: ExportTarget): ReportedAudience | undefined {
  if (!target.audience) return undefined;
  const audiences = new Audiences(site, target);
  const all = [...site.pages.values()].filter((page) => !isExternalPage(page));
  const isExported = (page: Page) => audiences.isExported(audiences.of(page));
  const exported = all.filter(isExported);

  const textOf = (page: Page) =>
    [
      page.title,
      page.frontmatter.description,
      site.bodies.bodyPart(page.storedName, "markdown"),
      site.bodies.bodyPart(page.storedName, "reference"),
    ].join("\n");

  const leftOut = all.filter((page) => !isExported(page) && target.pages === undefined);

  const hiddenVariants = (page: Page) =>
    [page, ...(page.variants ?? []).map(({ page: variant }) => variant)].filter(
      (variant) => variant !== audiences.variantIn(page),
    );

  const textsOf = (page: Page) => longestRuns(textOf(page));
  const candidates = [...new Set([...exported.flatMap(hiddenVariants), ...leftOut].flatMap(textsOf))].slice(
    0,
    texts_count,
  );

  const finder = new TextFinder(candidates);
  const shown = new Set(
    exported.flatMap((page) => [...finder.findIn(Buffer.from(textOf(audiences.variantIn(page))))]),
  );
  const texts = candidates.filter((_, number) => !shown.has(number));
  const isHidden = new Set(texts);
  const contentOn = exported.filter((page) =>
    hiddenVariants(page).some((variant) => textsOf(variant).some((text) => isHidden.has(text))),
  );
  const isOpen = (path: string) => audiences.isExported(audiences.ofFile(path));
  const files = [...site.linkTargets.served].filter((path) => !isOpen(path)).sort();
  const sizes = new Set(files.map((path) => site.files.size(path)));
  const similar = [...site.linkTargets.served].filter(
    (path) => sizes.has(site.files.size(path)) && isOpen(path),
  );
  const exportedHashes = new Set(hashesOf(similar, site));
  return {
    report: {
      audience: target.audience.groups ? [...target.audience.groups] : "public",
      pages: exported.length,
      leftOut: {
        pages: leftOut.map((page) => ({
          path: `/${page.route}`,
          readers: readersOf(audiences.ruleOf(page)),
        })),
        parts: site.documents.all.flatMap((document) =>
          audiences.restrictedParts(document).map((pointer) => ({ document: document.file, pointer })),
        ),
        contentOn: contentOn.map((page) => `/${page.route}`),
        ...(files.length > 0 ? { files: files.map((path) => `/${path}`) } : {}),
      },
    },
    texts,
    // A file that is exported can have the same content.
    fileHashes: hashesOf(files, site).filter((hash) => !exportedHashes.has(hash)),
  };
}

function hashesOf(paths: readonly string[], { files }: Site): string[] {
  return paths
    .filter((path) => files.size(path) > 0)
    .map((path) => hashOf(files.read(path) ?? new Uint8Array()));
}

function readersOf(access: Access): "signed-in" | string[] {
  return typeof access === "string" || !isForGroups(access) ? "signed-in" : groupLists(access).flat();
}

/**
 * Returns the longest runs of words in a text, without punctuation that some files escape. Shorter runs could
 * occur by chance.
 */
function longestRuns(text: string): string[] {
  const runs = text.match(/[\p{L}\p{N}](?:[\p{L}\p{N}]|[ ,](?=[\p{L}\p{N} ]))+/gu) ?? [];
  const long = runs.filter((run) => run.length >= hashed_bytes).sort((a, b) => b.length - a.length);
  return long.slice(0, textsPerPage_count);
}
