/** The operator ends an export. A worker that is at it learns it when it next tells of its progress, and completes nothing. */
import { notFound, Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { type ExportJobRow, fail } from "./export-job.ts";

export async function cancelExport({ db }: Service, id: string): Promise<ExportJobRow> {
  const row = await fail(db, id, "The operator cancelled the job");
  if (row) return row;
  const known = await db.selectFrom("static_export_jobs").select("status").where("id", "=", id).executeTakeFirst();
  if (!known) throw notFound();
  throw new Refusal("conflict", `The job has ended: it is ${known.status}`);
}
