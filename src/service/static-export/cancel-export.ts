/** Cancels an export. The worker that runs the export stops when it next saves the progress. */

import { AppError, notFound } from "../../base/app-error.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";
import { type ExportJobRow, failExports } from "../storage/fail-exports.ts";
import { getExportJob } from "./export-job.ts";

/**
 * Cancels a job of any organization, for the operator. Throws "not found" if there is no such job, and a
 * conflict if the job has ended.
 */
export function cancelExport(service: Pick<Service, "db">, id: string): Promise<ExportJobRow> {
  return end(service, id, "The operator canceled the job");
}

/**
 * Cancels a job of the scope's organization. Throws "not found" if there is no such job, and a conflict if
 * the job has ended.
 */
export async function cancelOwnExport(
  service: Pick<Service, "db">,
  scope: Scope,
  id: string,
): Promise<ExportJobRow> {
  await getExportJob(service, scope, id);
  return end(service, id, "The job was canceled");
}

async function end({ db }: Pick<Service, "db">, id: string, error: string): Promise<ExportJobRow> {
  const [row] = await failExports(db, { id }, error);
  if (row) return row;
  const known = await db
    .selectFrom("static_export_jobs")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!known) throw notFound();
  throw new AppError("conflict", `The job has already finished with status ${known.status}`);
}
