/** Locks a project's row, and marks it as changed for the processes that serve sites. */

import { sql } from "kysely";
import { notFound } from "../../base/app-error.ts";
import type { Scope } from "../core/scope.ts";
import type { Tx } from "../core/tables.ts";

export type Owner = Pick<Scope, "organizationId" | "requireRights">;

/**
 * Locks the project's row. Deployments get their number and go live while this lock is held. Throws "not
 * found" if there is no such project, and another AppError if the owner has lost the rights of the request.
 */
export async function lockProject(
  tx: Tx,
  owner: Owner,
  projectId: string,
): Promise<{ live_deployment_id: string | null; live_after_number: number }> {
  const row = await tx
    .selectFrom("projects")
    .select(["live_deployment_id", "live_after_number"])
    .where("organization_id", "=", owner.organizationId)
    .where("id", "=", projectId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  await owner.requireRights?.(tx);
  return row;
}

/**
 * Columns to set when a project changes, so that the hosting processes, which poll for new revisions, load
 * the change.
 */
export const publishRevision = {
  revision: sql<number>`revision + 1`,
  changed_at: sql<Date>`clock_timestamp()`,
};
