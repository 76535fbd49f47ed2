/** Reports what an export for an audience leaves out, and texts that none of its files may contain. */

import { type Access, groupLists } from "../../base/access.ts";
import { Audiences } from "../plan/audiences.ts";
import type { ExportTarget } from "../plan/export-target.ts";
import type { Site } from "../site/build-site.ts";
import { isExternalPage, type Page } from "../site/site-page.ts";

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
  };
}

export interface ReportedAudience {
  report: AudienceReport;
  /** Texts that only content that was left out contains. No file of the export may contain them. */
  texts: string[];
}

/** Minimum length of a text, in characters. Shorter ones could occur by chance. */
const text_chars = 24;
/** Maximum number of texts per page, and of all texts. Each is searched in each file. */
const textsPerPage_count = 3;
const texts_count = 500;

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
      site.bodies.bodyPart(page.key, "markdown"),
      site.bodies.bodyPart(page.key, "reference"),
    ].join("\n");
  const shown = exported.map((page) => textOf(audiences.versionIn(page))).join("\n");
  const own = (page: Page) => runsIn(textOf(page)).filter((text) => !shown.includes(text));
  const contentOn: Page[] = [];
  const hidden: string[][] = [];
  for (const page of exported) {
    const others = [page, ...(page.versions ?? []).map(({ page: version }) => version)].filter(
      (other) => other !== audiences.versionIn(page),
    );
    const texts = [...new Set(others.flatMap(own))];
    if (texts.length) contentOn.push(page);
    hidden.push(texts);
  }
  const leftOut = all.filter((page) => !isExported(page) && target.pages === undefined);
  hidden.push(...leftOut.map(own));
  return {
    report: {
      audience: target.audience.groups ? [...target.audience.groups] : "public",
      pages: exported.length,
      leftOut: {
        pages: leftOut.map((page) => ({ path: `/${page.route}`, readers: readersOf(audiences.ruleOf(page)) })),
        parts: site.documents.all.flatMap((document) =>
          audiences.restrictedParts(document).map((pointer) => ({ document: document.file, pointer })),
        ),
        contentOn: contentOn.map((page) => `/${page.route}`),
      },
    },
    texts: [...new Set(hidden.flatMap((texts) => longest(texts).slice(0, textsPerPage_count)))].slice(0, texts_count),
  };
}

function readersOf(access: Access): "signed-in" | string[] {
  if (typeof access === "string") return "signed-in";
  return groupLists(access).flat();
}

/** Returns the runs of words in a text, without punctuation that some files escape. */
function runsIn(text: string): string[] {
  return (text.match(/[\p{L}\p{N}](?:[\p{L}\p{N}]|[ ,](?=[\p{L}\p{N} ]))+/gu) ?? []).filter((run) => run.length >= text_chars);
}

function longest(texts: readonly string[]): string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}
