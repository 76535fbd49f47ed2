/**
 * Compares a built preview with the live site, in the build process. The files of the live site that it
 * needs are copied from the store.
 */

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { BuildEnded, BuildFailed, type SiteBuilder } from "../../builder/build-process.ts";
import { isCompared, type SiteComparison } from "../../builder/compare-sites.ts";
import type { ComparedFile, ComparedSite } from "../../builder/compared-site.ts";
import { privateFolder } from "../../io/private-folder.ts";
import { fileKey } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";
import { readManifest } from "../storage/manifests.ts";
import { type DeployJobRow, originOf } from "./deploy-job-row.ts";
import { pullRequestOf } from "./previews.ts";
import { recordedQuestions } from "./recorded-questions.ts";

/** Maximum total size of the copied files of a live site. Others count as empty. */
const copied_bytes = 256 * 1024 * 1024;
/** Maximum size of the copied HTML files, of which only the anchors are compared. */
const copiedHtml_bytes = 64 * 1024 * 1024;
/** Maximum number of files that are copied concurrently. */
const copiedAtOnce_count = 8;
/** Time after which a comparison is ended. */
const comparison_ms = 120_000;

/** A comparison, or why there is none. Stored with the preview. */
export type PreviewComparison = SiteComparison | { missing: "failed" | "too-long" };

export interface ComparisonRequest extends Omit<ComparedSite, "origin"> {
  /** Folder of the sources. */
  sources: string;
  /** Folder for the files of the live site. */
  scratch: string;
  signal: AbortSignal;
}

/** Returns undefined if it isn't a preview, or nothing is live. Rejects if the signal is aborted. */
export async function compareWithLive(
  service: Pick<Service, "db" | "objects" | "settings">,
  builder: SiteBuilder,
  row: DeployJobRow,
  { sources, folder, files, scratch, signal }: ComparisonRequest,
): Promise<PreviewComparison | undefined> {
  if (row.preview_host === null || files.length === 0) return undefined;
  const { db, objects, settings } = service;
  const live = await db
    .selectFrom("projects")
    .innerJoin("deployments", "deployments.id", "projects.live_deployment_id")
    .select(["deployments.id", "deployments.attempt"])
    .where("projects.id", "=", row.project_id)
    .executeTakeFirst();
  const manifest = live && (await readManifest(objects, live).catch(() => undefined));
  if (!manifest) return undefined;
  const copied = await copyFiles(service, manifest.files, scratch, signal);
  const questions = mayAskQuestions(row)
    ? await recordedQuestions(service, row.project_id)
    : { answered: [], open: [] };
  // The process has read a stranger's sources. A new one gets the live site and the questions.
  builder.end();
  const ended = new AbortController();
  const late = wait(comparison_ms, "late" as const, { signal: ended.signal, ref: false }).catch(
    () => "late" as const,
  );
  try {
    const comparison = builder.compare({
      sources,
      preview: { folder, files, origin: originOf(settings, row) },
      live: { folder: scratch, files: copied, origin: originOf(settings, { ...row, preview_host: null }) },
      questions,
    });
    const found = await Promise.race([comparison, late]);
    if (found !== "late") return found;
    comparison.catch(() => {});
    builder.end();
    return { missing: "too-long" };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BuildEnded || error instanceof BuildFailed) return { missing: "failed" };
    throw error;
  } finally {
    ended.abort();
  }
}

/**
 * Whether readers' questions can be replayed. The author of a pull request from a fork could guess them by
 * how many of them a page answers.
 */
function mayAskQuestions({ preview_branch: branch, commit }: DeployJobRow): boolean {
  return branch === null || pullRequestOf(branch) === undefined || commit?.isFork === false;
}

type ManifestFiles = Awaited<ReturnType<typeof readManifest>>["files"];

/** Copies the files that are compared. Their names are their hashes. */
async function copyFiles(
  { objects }: Pick<Service, "objects">,
  manifest: ManifestFiles,
  folder: string,
  signal: AbortSignal,
): Promise<ComparedFile[]> {
  privateFolder(folder);
  const copying = pLimit(copiedAtOnce_count);
  const left = { html: copiedHtml_bytes, all: copied_bytes };
  return Promise.all(
    Object.entries(manifest).map(async ([file, { hash, bytes, access }]): Promise<ComparedFile> => {
      const isHtml = file.endsWith(".html");
      if (!isCompared(file) || bytes > left.all || (isHtml && bytes > left.html))
        return { path: file, access, name: null };
      left.all -= bytes;
      if (isHtml) left.html -= bytes;
      const isCopied = await copying(async () => {
        signal.throwIfAborted();
        const content = await objects.get(fileKey(hash));
        if (content) await writeFile(path.join(folder, hash), content);
        return content !== undefined;
      });
      return { path: file, access, name: isCopied ? hash : null };
    }),
  );
}

/** Returns the stored comparison of a preview. Undefined if there is none. */
export async function comparisonOf(
  { db }: Pick<Service, "db">,
  deploymentId: string,
): Promise<PreviewComparison | undefined> {
  const row = await db
    .selectFrom("deployments")
    .select("comparison")
    .where("id", "=", deploymentId)
    .executeTakeFirst();
  return (row?.comparison as PreviewComparison | null | undefined) ?? undefined;
}
