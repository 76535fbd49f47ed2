/**
 * Runs the job that computes the vectors of a live deployment, so that publishing doesn't wait for them. The
 * vectors are added to a new manifest under the next attempt's number, which hosts load like that of a new
 * deployment. Every few minutes, the job stores what it has and adds a job for the rest, so that a restart
 * loses little.
 */

import { mkdir } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/plural.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import { isVectorFile } from "../../layout/site-layout.ts";
import { fileKey, type SiteManifest } from "../../layout/site-manifest.ts";
import type { JobHandler } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { deleteManifest, putManifest, readManifest } from "../storage/manifests.ts";
import { addStored } from "../storage/storage-usage.ts";
import { storeFiles } from "../storage/store-files.ts";
import { Batches, type KnownVectors, knownVectors, writeVectors } from "./embed-passages.ts";
import { lockProject, publishRevision } from "./project-row.ts";

/** Time after which the vectors so far are stored. */
const embedding_ms = 5 * 60_000;

interface LiveRow {
  id: string;
  attempt: number;
  organizationId: string;
  projectId: string;
}

export function embedHandler(service: Service): JobHandler<"embed-passages"> {
  return {
    attempts: 6,
    slots: 1,
    async run({ payload: { deploymentId }, attempt, signal }) {
      const row = await liveRow(service.db, deploymentId);
      if (!row || !service.embedding) return;
      const folder = path.join(service.settings.workFolder, "vectors", `${row.id}-${row.attempt}`);
      try {
        // The last manifest but one. Hosts may not have loaded the current one yet.
        await deleteManifest(service.objects, { id: row.id, attempt: row.attempt - 2 });
        const manifest = await readManifest(service.objects, row);
        if (await embed(service, row, manifest, folder, signal)) return;
        if (attempt === 1)
          await addLog(
            service.db,
            row,
            "Search by meaning is incomplete: the embedding model failed. Octavo will try again.",
          );
        throw new Error("The embedding model failed");
      } finally {
        await removeFolder(folder);
      }
    },
    async giveUp({ deploymentId }) {
      const row = await liveRow(service.db, deploymentId);
      if (row)
        await addLog(
          service.db,
          row,
          "Search by meaning is incomplete until the next deployment: the embedding model failed",
        );
    },
  };
}

/**
 * Returns the deployment if it's live. The vectors of other deployments are computed for the one that
 * replaced them.
 */
function liveRow(db: Database, id: string): Promise<LiveRow | undefined> {
  return db
    .selectFrom("projects")
    .innerJoin("deployments", "deployments.id", "projects.live_deployment_id")
    .select([
      "deployments.id",
      "attempt",
      "deployments.organization_id as organizationId",
      "deployments.project_id as projectId",
    ])
    .where("deployments.id", "=", id)
    .executeTakeFirst();
}

/** Computes missing vectors and publishes them. Resolves with false if the model failed. */
async function embed(
  service: Service,
  row: LiveRow,
  manifest: SiteManifest,
  folder: string,
  signal: AbortSignal,
  known?: KnownVectors,
): Promise<boolean> {
  const { objects } = service;
  const { embedder, languages } = service.embedding!;
  const vectors = known ?? (await knownVectors(objects, manifest, embedder.model));
  const batches = new Batches(embedder, vectors, signal, embedding_ms);
  await mkdir(folder, { recursive: true });

  const written = await writeVectors({
    folder,
    files: Object.entries(manifest.files).map(([file, { access }]) => ({ path: file, access })),
    read: async (file) =>
      Buffer.from((await objects.get(fileKey(manifest.files[file]!.hash)))!).toString("utf8"),
    languages,
    model: embedder.model,
    vectors,
    batches,
  });

  // The endpoint has another model with the same name, so all vectors are computed again.
  if (batches.end === "other-model" && vectors !== known)
    return embed(service, row, manifest, folder, signal, new Map());

  if (batches.embedded_count > 0) {
    const stored = await storeFiles(service, folder, written.files, { signal, onProgress: () => {} });
    await addStored(service.db, row.organizationId, stored.added_bytes);
    const others = Object.entries(manifest.files).filter(([file]) => !isVectorFile(file));
    const next = { id: row.id, attempt: row.attempt + 1 };
    // A worker that has lost the lease must not replace the manifest of another one.
    signal.throwIfAborted();
    await putManifest(objects, next, {
      ...manifest,
      files: Object.assign(Object.create(null), Object.fromEntries(others), stored.files),
    });
    const lines = [
      `Embedded ${plural(batches.embedded_count, "passage")}`,
      ...(batches.rejected_count && !batches.hasFailed
        ? [`The embedding model rejected ${plural(batches.rejected_count, "passage")}`]
        : []),
      ...(written.isCut
        ? [`Search by meaning finds the first ${limits.embeddedPassages_count} passages of an index`]
        : []),
    ];
    await publish(service, row, lines, batches.end === "late");
  }

  return !batches.hasFailed;
}

/**
 * Switches the deployment to its next manifest. Does nothing if it is no longer live, or another worker was
 * faster. Then the manifest stays, because it may be the one of the other worker. A sweep deletes it with the
 * deployment.
 */
async function publish(
  service: Service,
  row: LiveRow,
  lines: readonly string[],
  isLate: boolean,
): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    const { live_deployment_id } = await lockProject(tx, row, row.projectId);
    if (live_deployment_id !== row.id) return;
    const { numUpdatedRows } = await tx
      .updateTable("deployments")
      .set({ attempt: row.attempt + 1 })
      .where("id", "=", row.id)
      .where("attempt", "=", row.attempt)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const line of lines) await addLog(tx, row, line);
    await tx.updateTable("projects").set(publishRevision).where("id", "=", row.projectId).execute();
    if (isLate) await service.queue.enqueue(tx, "embed-passages", { deploymentId: row.id }, row);
  });
}

async function addLog(db: Database, { id }: LiveRow, line: string): Promise<void> {
  await db
    .updateTable("deployments")
    .set({
      logs: sql`logs || ${JSON.stringify([line])}::jsonb`,
      log_times: sql`log_times || ${JSON.stringify([Date.now()])}::jsonb`,
    })
    .where("id", "=", id)
    .execute();
}
