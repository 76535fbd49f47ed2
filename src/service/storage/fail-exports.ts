/** Ends static exports as failed. */

import { type Selectable, sql } from "kysely";
import { appendAudit } from "../core/audit.ts";
import type { Database, ExportStatus, Tables, Tx } from "../core/tables.ts";

export type ExportJobRow = Selectable<Tables["static_export_jobs"]>;

/** States of an export that hasn't ended. */
export const unfinishedExport: readonly ExportStatus[] = ["queued", "running"];

/** The target of an export's entries in the audit log. */
export function exportTarget({ id }: Pick<ExportJobRow, "id">): string {
  return `/v1/static-export/jobs/${id}`;
}

/**
 * Sets the status of all unfinished exports with these values to `failed`. Returns their rows. `whenFailed`:
 * called for each in the same transaction.
 */
export function failExports(
  db: Database,
  values: Partial<Pick<ExportJobRow, "id" | "attempt" | "project_id" | "deployment_id">>,
  error: string,
  whenFailed?: (tx: Tx, row: ExportJobRow) => Promise<void>,
): Promise<ExportJobRow[]> {
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable("static_export_jobs")
      .set({
        status: "failed",
        error,
        updated_at: sql`clock_timestamp()`,
        completed_at: sql`clock_timestamp()`,
      })
      .where("status", "in", unfinishedExport)
      .where((where) => where.and(values))
      .returningAll()
      .execute();

    for (const row of rows) {
      const target = exportTarget(row);
      await appendAudit(tx, row.organization_id, "service", {
        action: "failStaticExport",
        target,
        outcome: "failure",
        metadata: { error },
      });
      await whenFailed?.(tx, row);
    }

    return rows;
  });
}
