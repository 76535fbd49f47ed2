/**
 * Runs the job of a static export: builds the sources of the export's deployment, packs the files, and stores
 * the archive under a key with its hash. The job is idempotent: a worker that takes over starts from the
 * beginning.
 */

import { createWriteStream, existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { signInOf } from "../../base/reader-sign-in.ts";
import { BuildEnded, type StartBuild } from "../../builder/build-process.ts";
import type { BuildResult } from "../../builder/build-protocol.ts";
import type { CheckedAudience } from "../../engine/export/audience-report.ts";
import type { ExportTarget } from "../../engine/plan/export-target.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import { sha256OfFile, sha256OfStream } from "../../io/sha256.ts";
import { databaseJson } from "../core/database-json.ts";
import { linkedRepository } from "../core/git-source.ts";
import { decrypted } from "../core/project-secrets.ts";
import { type Job, JobFailed, type JobHandler } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import { withBuildCache } from "../deployments/build-cache.ts";
import { unpackSources } from "../deployments/sources.ts";
import type { ExportJobRow } from "../storage/fail-exports.ts";
import { addStored } from "../storage/storage-usage.ts";
import { bundleKey } from "./export-bundle.ts";
import { beginAttempt, complete, fail, type StoredBundle, saveProgress } from "./export-job.ts";
import { ProgressSaver } from "./export-progress.ts";
import { exportsFolder } from "./sweep-exports.ts";

/** Maximum number of failed attempts of a static export. */
const exportAttempts_count = 3;
/** Timeout for the build of an export. */
const exportBuild_ms = 30 * 60_000;

export function exportHandler(service: Service, startBuild: StartBuild): JobHandler<"static-export"> {
  return {
    attempts: exportAttempts_count,
    run: (job) => runExport(service, startBuild, job),
    async giveUp({ exportId }, { isDiskFull }) {
      const cause = isDiskFull ? "storage is full" : "of an internal error";
      await fail(service, exportId, `The export failed ${exportAttempts_count} times because ${cause}`);
    },
  };
}

async function runExport(
  service: Service,
  startBuild: StartBuild,
  { payload, attempt, signal }: Job<"static-export">,
): Promise<void> {
  const id = payload.exportId;
  const { db } = service;
  const row = await beginAttempt(db, id, attempt);
  if (!row) return;

  const scratch = path.join(exportsFolder(service), `${id}-${attempt}`);
  const cancelled = new AbortController();
  const progress = new ProgressSaver(
    (saved) => saveProgress(db, id, attempt, saved),
    () => cancelled.abort(),
  );

  const ending = AbortSignal.any([signal, cancelled.signal]);
  try {
    await mkdir(scratch, { recursive: true });
    const built = await build(service, startBuild, row, scratch, progress, ending);
    const bundle = await store(service, row, built, progress, ending);
    await complete(service, id, attempt, bundle);
    await addStored(db, row.organization_id, bundle.bytes + (bundle.delta?.bytes ?? 0));
  } catch (error) {
    // The job has ended, or another attempt has taken it.
    if (cancelled.signal.aborted) return;
    if (signal.aborted) throw error;
    if (!(error instanceof JobFailed)) throw error;
    await fail(service, id, error.message, attempt);
  } finally {
    await progress.stop();
    await removeFolder(scratch);
  }
}

/**
 * Result of the build: paths of the archives, and the version of the export. The file `delta` may not exist.
 */
interface Built {
  bundle: string;
  delta: string;
  version: string;
  /** What the export leaves out. Undefined if no audience was chosen. */
  audience: BuildResult["audience"];
}

async function build(
  service: Service,
  startBuild: StartBuild,
  row: ExportJobRow,
  scratch: string,
  progress: ProgressSaver,
  ending: AbortSignal,
): Promise<Built> {
  const { settings } = service;
  const { snapshot, commit, repository, hasSignIn } = await sourcesOf(service, row);

  const archives = {
    bundle: path.join(scratch, "bundle.tar.gz"),
    delta: path.join(scratch, "bundle.delta.tar.gz"),
  };

  const builder = startBuild({
    onProgress: (stage, done, total) =>
      stage === "page" ? progress.reading(done, total) : progress.writing(done, total),
    onPages: (done, total) => progress.pages(done, total),
  });

  const end = () => builder.end();
  const late = AbortSignal.timeout(exportBuild_ms);
  for (const reason of [ending, late]) reason.addEventListener("abort", end);

  try {
    ending.throwIfAborted();
    const target: ExportTarget = {
      // An export of the cloud service is hosted by the client.
      kind: settings.kind === "air-gapped" ? "air-gapped" : "client-hosted",
      links: "html",
      readers: "anyone",
      origin: `https://${row.domain}`,
      ...(row.paths ? { pages: row.paths } : {}),
      ...(row.audience ? { audience: { ...row.audience, hasSignIn } } : {}),
      ...repository,
    };
    const label = {
      version: row.version ?? undefined,
      deployment: row.deployment_id,
      ...(commit ? { commit: commit.sha } : {}),
    };
    const cache = { workFolder: settings.workFolder, projectId: row.project_id, scratch };
    const { version, audience } = await withBuildCache(cache, async (cacheFolder) => {
      builder.prepare({ cacheFolder });
      const previous = previousBundle(service, row, path.join(scratch, "before.tar.gz"), ending);

      // Prevents an unhandled rejection if unpacking fails first.
      previous.catch(() => {});

      const folder = await unpackSources(
        service,
        snapshot.archive,
        path.join(scratch, "sources"),
        builder,
        ending,
      );

      const before = await previous;
      for (const reason of [ending, late]) reason.throwIfAborted();
      const delta = before ? { delta: { from: before, out: archives.delta } } : {};
      const output = { kind: "archive" as const, path: archives.bundle, target, label, ...delta };
      return builder.build({
        folder,
        cacheFolder,
        documents: snapshot.documents,
        output,
        limitsProblems: true,
      });
    });
    return { ...archives, version: version!, audience };
  } catch (error) {
    if (late.aborted) throw new JobFailed(`The export took longer than ${exportBuild_ms / 60_000} minutes`);
    if (error instanceof BuildEnded && !ending.aborted)
      throw new JobFailed((error.message.split("\n")[0] ?? "").slice(0, 300));
    throw error;
  } finally {
    for (const reason of [ending, late]) reason.removeEventListener("abort", end);
    end();
  }
}

/**
 * Downloads the bundle that the delta starts from: the newest one with the same domain and page selection.
 * Returns the path of the file; undefined if there is no such bundle.
 */
async function previousBundle(
  { db, objects }: Service,
  row: ExportJobRow,
  file: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const before = await db
    .selectFrom("static_export_jobs")
    .select("bundle_key")
    .where("organization_id", "=", row.organization_id)
    .where("project_id", "=", row.project_id)
    .where("domain", "=", row.domain)
    .where(sql<boolean>`paths is not distinct from ${row.paths}`)
    .where(sql<boolean>`audience is not distinct from ${row.audience && databaseJson(row.audience)}::jsonb`)
    .where("status", "=", "completed")
    .where("bundle_key", "is not", null)
    .orderBy("completed_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

  const bytes = before && (await objects.open(before.bundle_key!));
  if (!bytes) return undefined;
  await pipeline(bytes, createWriteStream(file), { signal });

  return file;
}

/**
 * Returns the sources of the deployment and the repository that pages link to. Throws `JobFailed` if the
 * sources were deleted.
 */
async function sourcesOf({ db, secrets }: Service, row: ExportJobRow) {
  const found = await db
    .selectFrom("deployments")
    .innerJoin("projects", "projects.id", "deployments.project_id")
    .select(["snapshot", "commit", "preview_branch", "source", "connection", "sign_in"])
    .where("deployments.organization_id", "=", row.organization_id)
    .where("deployments.id", "=", row.deployment_id)
    .executeTakeFirst();
  if (!found?.snapshot) throw new JobFailed("The deployment was deleted");
  const { snapshot, commit, preview_branch, source, connection, sign_in } = found;
  const branch = commit && preview_branch === null && source.kind === "git" ? source.branch : undefined;
  const { sign_in: signIn } = decrypted(secrets, row.project_id, { sign_in });
  const repository = linkedRepository(decrypted(secrets, row.project_id, { source, connection }), branch);
  return { snapshot, commit, repository, hasSignIn: signInOf(signIn) !== undefined };
}

async function store(
  { objects }: Service,
  row: ExportJobRow,
  { bundle, delta, version, audience }: Built,
  progress: ProgressSaver,
  ending: AbortSignal,
): Promise<StoredBundle> {
  const step = () => ending.throwIfAborted();
  const report = audience && withoutLeaks(audience);
  const whole = await storeArchive(objects, row.id, bundle, "", step, () => progress.stored());
  const small = existsSync(delta) ? await storeArchive(objects, row.id, delta, ".delta", step) : undefined;
  return {
    ...whole,
    version,
    pages: progress.pagesWritten,
    ...(small ? { delta: small } : {}),
    ...(report ? { report } : {}),
  };
}

/**
 * Returns the report of an export for an audience. Throws `JobFailed` if files contain text for other
 * readers.
 */
function withoutLeaks({ report, leaks }: NonNullable<BuildResult["audience"]>): CheckedAudience {
  if (leaks.length)
    throw new JobFailed(
      `The export isn't available, because it contains text that its audience may not read, in ${leaks.slice(0, 5).join(", ")}`,
    );
  return report;
}

/**
 * Stores an archive and reads it back to check its hash, so that a job is only completed if the whole archive
 * is stored.
 */
async function storeArchive(
  objects: Service["objects"],
  jobId: string,
  file: string,
  kind: "" | ".delta",
  step: () => void,
  onStored: () => void = () => {},
): Promise<{ key: string; bytes: number; sha256: string }> {
  const { size } = await stat(file);
  const sha256 = await sha256OfFile(file);
  const key = bundleKey(jobId, sha256, kind);
  step();
  await objects.put(key, { file });
  onStored();
  step();
  const stored = await objects.open(key);
  if (!stored || (await sha256OfStream(stored)) !== sha256)
    throw new Error(`The object store didn't store ${key} correctly`);
  step();
  return { key, bytes: size, sha256 };
}
