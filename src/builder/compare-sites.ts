/**
 * Compares the built site of a preview with the live site. Runs in the build process. The result has only
 * names of public parts: paths of pages that everyone can read, and changes of public OpenAPI documents.
 * Others are only counted.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { accessKey } from "../base/access.ts";
import { type ChangeLevel, changeLevels } from "../base/change-rules.ts";
import { brokenRedirects, type PlannedSite, planSites, readSite } from "../bundle/plan-bundle.ts";
import { readDocsJson } from "../engine/config/docs-json.ts";
import { withLevels } from "../engine/openapi/changes/change-levels.ts";
import { docsFolderFiles } from "../io/docs-folder-files.ts";
import { isReserved, redirectTablePath } from "../layout/site-layout.ts";
import type { ComparedFile, ComparedSite } from "./compared-site.ts";
import { type RecordedQuestions, type ReplayedAnswers, replayQuestions } from "./replay-questions.ts";

export interface CompareJob {
  /** Folder of the sources of the preview. */
  sources: string;
  live: ComparedSite;
  preview: ComparedSite;
  questions: RecordedQuestions;
}

/** Paths of pages, or of links. */
export interface ListedPaths {
  /** Number of all, including those that not everyone can read. */
  count: number;
  /** The first ones that everyone can read. */
  paths: string[];
}

export interface SiteComparison {
  added: ListedPaths;
  changed: ListedPaths;
  gone: ListedPaths;
  /** Paths of the live site, some with an anchor, that are broken in the preview. */
  broken: ListedPaths;
  apis: ComparedApi[];
  /** Undefined if no question was replayed. */
  answers?: ReplayedAnswers;
}

export interface ComparedApi {
  file: string;
  /** Number of changes of each level. */
  counts: Record<ChangeLevel, number>;
  /** The first changes that break or may break clients. */
  changes: { level: ChangeLevel; text: string }[];
}

/** Maximum number of listed paths, and of listed changes of a document. */
const listed_count = 50;

export async function compareSites({
  sources,
  live,
  preview,
  questions,
}: CompareJob): Promise<SiteComparison> {
  const [before, after] = [await filesOf(live), await filesOf(preview)];
  const plan = await planSites(before, after);
  const { config } = readDocsJson(docsFolderFiles(sources).files, { hasSignIn: false });
  const rules = config.settings.api?.changes?.rules ?? {};

  const accesses = [live, preview].map(
    ({ files }) => new Map(files.map((file) => [file.path, accessKey(file.access)])),
  );
  const isPublic = (file: string) => {
    const found = accesses.flatMap((access) => access.get(file) ?? []);
    return found.length > 0 && found.every((access) => access === "anyone");
  };
  const listed = (links: readonly string[]): ListedPaths => ({
    count: links.length,
    paths: links.filter((link) => isPublic(fileOf(link))).slice(0, listed_count),
  });

  const answers = await replayQuestions(live, preview, questions);
  return {
    added: listed(plan.added),
    changed: listed(plan.changed),
    gone: listed([...plan.moved.map(({ path: route }) => route), ...plan.gone].sort()),
    broken: listed([
      ...plan.gone,
      ...brokenRedirects(before, after),
      ...plan.anchors.flatMap(({ path: route, ids }) => ids.map((id) => `${route}#${id}`)),
    ]),
    apis: plan.apis
      .filter(({ file }) => isPublic(file))
      .map(({ file, changes }) => comparedApi(file, withLevels(changes, rules)))
      .filter(({ counts }) => Object.values(counts).some((count) => count > 0)),
    ...(answers ? { answers } : {}),
  };
}

/** Returns the file of the page that a link leads to. */
function fileOf(link: string): string {
  const route = link.replace(/#.*/s, "").slice(1);
  return `${route || "index"}.html`;
}

function comparedApi(
  file: string,
  changes: readonly { level: ChangeLevel; message: string; operations: readonly string[] }[],
): ComparedApi {
  const counts = Object.fromEntries(
    changeLevels.map((level) => [level, changes.filter((change) => change.level === level).length]),
  ) as ComparedApi["counts"];
  return {
    file,
    counts,
    changes: changes
      .filter(({ level }) => level === "breaking" || level === "may-break")
      .slice(0, listed_count)
      .map(({ level, message, operations: [first = "", ...others] }) => ({
        level,
        text: `${first}${others.length ? ` and ${others.length} more` : ""}: ${message}`,
      })),
  };
}

/** Whether comparing needs the content of a file. */
export function isCompared(file: string): boolean {
  if (isReserved(file)) return file === redirectTablePath || /^_octavo\/(?:search|passages)[-/]/.test(file);
  return /\.(?:md|html|json|ya?ml)$/i.test(file);
}

async function filesOf({ folder, origin, files }: ComparedSite): Promise<PlannedSite> {
  const isRead = (file: ComparedFile) =>
    file.name !== null &&
    isCompared(file.path) &&
    (!isReserved(file.path) || file.path === redirectTablePath);
  async function* read() {
    for (const file of files)
      if (isRead(file))
        yield { name: file.path, bytes: await readFile(path.join(folder, file.name ?? file.path)) };
  }
  const site = await readSite(read(), origin);
  for (const file of files) if (!site.files.has(file.path)) site.files.set(file.path, "");
  return site;
}
