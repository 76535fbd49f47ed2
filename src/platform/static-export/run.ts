/**
 * The job of a static export: the sources that were frozen at its start, built by the same road as every other site, packed, and
 * stored under a name that tells the content. Doing it again does no harm, so a worker that takes over begins anew.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { limits } from "../../base/limits.ts";
import { BuildEnded, type StartBuild } from "../build/build-process.ts";
import { DeploymentFailed, unpackSources } from "../deployments/sources.ts";
import type { Job, JobHandler } from "../queue/queue.ts";
import type { Service } from "../service.ts";
import type { Snapshot } from "../tables.ts";
import { type Bundle, beginAttempt, complete, type ExportJobRow, fail, saveProgress } from "./export-job.ts";
import { ProgressKeeper } from "./progress.ts";
import { bundleKey, exportsFolder } from "./sweep.ts";

/** Nothing that another attempt would mend: told to the organization. */
class ExportFailed extends Error {}

export function exportHandler(service: Service, startBuild: StartBuild): JobHandler {
  return {
    attempts: limits.exportAttempts_count,
    run: (job) => runExport(service, startBuild, job),
    async giveUp(id, message) {
      const cause = /ENOSPC|no space left/i.test(message) ? "storage full" : "a fault of the service";
      await fail(service.db, id, `The export failed ${limits.exportAttempts_count} times: ${cause}`);
    },
  };
}

async function runExport(service: Service, startBuild: StartBuild, { id, attempt, signal }: Job): Promise<void> {
  const { db } = service;
  const row = await beginAttempt(db, id, attempt);
  if (!row) return;
  const scratch = path.join(exportsFolder(service), `${id}-${attempt}`);
  const cancelled = new AbortController();
  const progress = new ProgressKeeper(
    (made) => saveProgress(db, id, attempt, made),
    () => cancelled.abort(),
  );
  const ending = AbortSignal.any([signal, cancelled.signal]);
  try {
    await mkdir(scratch, { recursive: true });
    const file = await build(service, startBuild, row, scratch, progress, ending);
    const bundle = await store(service, row, file, progress, ending);
    await complete(db, id, attempt, bundle);
  } catch (error) {
    // The operator ended it: there is nothing more to say of it.
    if (cancelled.signal.aborted) return;
    if (signal.aborted) throw error;
    if (!(error instanceof ExportFailed || error instanceof DeploymentFailed)) throw error;
    await fail(db, id, error.message, attempt);
  } finally {
    await progress.stop();
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Answers with the archive. */
async function build(
  service: Service,
  startBuild: StartBuild,
  row: ExportJobRow,
  scratch: string,
  progress: ProgressKeeper,
  ending: AbortSignal,
): Promise<string> {
  const snapshot = await sourcesOf(service, row);
  const folder = await unpackSources(service, snapshot.archive, path.join(scratch, "sources"), ending);
  const file = path.join(scratch, "bundle.tar.gz");
  const builder = startBuild({
    onProgress: (stage, done, total) => (stage === "page" ? progress.reading(done, total) : progress.writing(done, total)),
    onPages: (done, total) => progress.pages(done, total),
  });
  const end = () => builder.end();
  const late = AbortSignal.timeout(limits.exportBuild_ms);
  for (const reason of [ending, late]) reason.addEventListener("abort", end);
  try {
    ending.throwIfAborted();
    await builder.build({
      folder,
      documents: snapshot.documents,
      output: {
        kind: "archive",
        path: file,
        target: {
          kind: "client-hosted",
          links: "html",
          readers: "anyone",
          origin: `https://${row.domain}`,
          ...(row.paths ? { pages: row.paths } : {}),
        },
        label: { version: row.version ?? undefined, deployment: row.deployment_id },
      },
    });
    return file;
  } catch (error) {
    if (late.aborted) throw new ExportFailed(`The export took longer than ${limits.exportBuild_ms / 60_000} minutes`);
    if (error instanceof BuildEnded && !ending.aborted) throw new ExportFailed((error.message.split("\n")[0] ?? "").slice(0, 300));
    throw error;
  } finally {
    for (const reason of [ending, late]) reason.removeEventListener("abort", end);
    end();
  }
}

async function sourcesOf({ db }: Service, row: ExportJobRow): Promise<Snapshot> {
  const deployment = await db
    .selectFrom("deployments")
    .select("snapshot")
    .where("organization_id", "=", row.organization_id)
    .where("id", "=", row.deployment_id)
    .executeTakeFirst();
  if (!deployment?.snapshot) throw new ExportFailed("The deployment was deleted");
  return deployment.snapshot;
}

/** Stores the bundle, and reads it back: what is told to be complete must be there, whole. */
async function store(
  { objects }: Service,
  row: ExportJobRow,
  file: string,
  progress: ProgressKeeper,
  ending: AbortSignal,
): Promise<Bundle> {
  const { size } = await stat(file);
  const sha256 = await hashOf(createReadStream(file));
  const key = bundleKey(row.id, sha256);
  ending.throwIfAborted();
  await objects.put(key, { file });
  progress.stored();
  ending.throwIfAborted();
  const stored = await objects.open(key);
  if (!stored || (await hashOf(stored)) !== sha256) throw new Error(`The object store did not keep ${key} as it was written`);
  ending.throwIfAborted();
  return { key, bytes: size, sha256, pages: progress.pagesWritten };
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
