/**
 * Reads and updates the row of a static export. An update requires the expected previous state and, during a
 * run, the number of the attempt, so that concurrent updates can't conflict.
 *
 *     queued ──▶ running ──▶ completed
 *        └──────────┴──────▶ failed
 *
 * If a worker crashes, the status remains `running`; the next worker takes the job over with a higher
 * attempt.
 */

import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import type { CheckedAudience } from "../../engine/export/audience-report.ts";
import { appendAudit } from "../core/audit.ts";
import { databaseJson } from "../core/database-json.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import type { Database } from "../core/tables.ts";
import { type ExportJobRow, exportTarget, failExports, unfinishedExport } from "../storage/fail-exports.ts";
import { addExportEvent } from "./export-event.ts";

const now = sql<Date>`clock_timestamp()`;

/** What the API and the dashboard show of a job. */
export function exportDetails(row: ExportJobRow) {
  return {
    status: row.status,
    progress: row.progress,
    pageCount: row.page_count,
    totalPages: row.total_pages,
    domain: row.domain,
    version: row.bundle_version ?? row.version,
    audience: chosenAudience(row),
    audienceReport: row.audience_report,
    error: row.error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}

/** Returns the readers that a job was started for, as in the API; null if none were chosen. */
export function chosenAudience({ audience }: Pick<ExportJobRow, "audience">): "public" | string[] | null {
  return audience === null ? null : (audience.groups ?? "public");
}

/** Returns a job. Throws "not found" if the organization has no such job. */
export async function getExportJob(
  { db }: Pick<Service, "db">,
  scope: Scope,
  id: string,
): Promise<ExportJobRow> {
  const row = await db
    .selectFrom("static_export_jobs")
    .selectAll()
    .where("organization_id", "=", scope.organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/**
 * Lists jobs, newest first. `cursor`: ID of the last row on the previous page. `projectId`: undefined for all
 * projects.
 */
export async function listExportJobs(
  { db }: Pick<Service, "db">,
  scope: Scope,
  projectId: string | undefined,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ rows: ExportJobRow[]; hasMore: boolean }> {
  const rows = await db
    .selectFrom("static_export_jobs")
    .selectAll()
    .where("organization_id", "=", scope.organizationId)
    .$if(projectId !== undefined, (query) => query.where("project_id", "=", projectId!))
    .$if(page.cursor !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (select created_at, id from static_export_jobs
          where organization_id = ${scope.organizationId} and id = ${page.cursor!})`,
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit + 1)
    .execute();

  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * Sets the status to `running`. Returns undefined if the job has ended or this or a later attempt has
 * started.
 */
export function beginAttempt(db: Database, id: string, attempt: number): Promise<ExportJobRow | undefined> {
  return db
    .updateTable("static_export_jobs")
    .set({
      status: "running",
      attempt,
      started_at: sql`coalesce(started_at, clock_timestamp())`,
      updated_at: now,
    })
    .where("id", "=", id)
    .where("status", "in", unfinishedExport)
    .where("attempt", "<", attempt)
    .returningAll()
    .executeTakeFirst();
}

export interface Progress {
  percent: number;
  pages: number;
  totalPages: number | null;
}

/**
 * Saves the progress, which never decreases. Returns false if the job has ended or another attempt has taken
 * it.
 */
export async function saveProgress(
  db: Database,
  id: string,
  attempt: number,
  { percent, pages, totalPages }: Progress,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("static_export_jobs")
    .set({
      progress: sql`greatest(progress, ${percent}::numeric)`,
      page_count: sql`greatest(page_count, ${pages}::int)`,
      total_pages: sql`coalesce(${totalPages}::int, total_pages)`,
      updated_at: now,
    })
    .where("id", "=", id)
    .where("status", "=", "running")
    .where("attempt", "=", attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface StoredBundle {
  key: string;
  bytes: number;
  sha256: string;
  version: string;
  pages: number;
  /** Delta from the previous export; absent if there is none. */
  delta?: { key: string; bytes: number };
  /** What an export for an audience leaves out. */
  report?: CheckedAudience;
}

/**
 * Sets the status to `completed`. Does nothing if the job has ended or `attempt` isn't the current attempt.
 */
export async function complete(
  service: EventSource,
  id: string,
  attempt: number,
  bundle: StoredBundle,
): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable("static_export_jobs")
      .set({
        status: "completed",
        progress: 100,
        page_count: bundle.pages,
        total_pages: bundle.pages,
        bundle_key: bundle.key,
        bundle_bytes: bundle.bytes,
        bundle_sha256: bundle.sha256,
        bundle_version: bundle.version,
        delta_key: bundle.delta?.key ?? null,
        delta_bytes: bundle.delta?.bytes ?? null,
        audience_report: bundle.report ? databaseJson(bundle.report) : null,
        updated_at: now,
        completed_at: now,
      })
      .where("id", "=", id)
      .where("status", "=", "running")
      .where("attempt", "=", attempt)
      .returningAll()
      .executeTakeFirst();

    if (!row) return;
    const metadata = { pages: row.page_count, bytes: row.bundle_bytes };
    const target = exportTarget(row);
    await appendAudit(tx, row.organization_id, "service", {
      action: "completeStaticExport",
      target,
      outcome: "success",
      metadata,
    });
    await addExportEvent({ ...service, db: tx }, row);
  });
}

type EventSource = Pick<Service, "db" | "ulid" | "settings">;

/**
 * Sets the status to `failed`. Returns undefined if the job has ended or `attempt` is given and isn't the
 * current attempt.
 */
export async function fail(
  service: EventSource,
  id: string,
  error: string,
  attempt?: number,
): Promise<ExportJobRow | undefined> {
  const values = attempt === undefined ? { id } : { id, attempt };
  const [row] = await failExports(service.db, values, error, (tx, failed) =>
    addExportEvent({ ...service, db: tx }, failed),
  );
  return row;
}
