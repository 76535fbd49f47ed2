import type { Service } from "../core/service.ts";

/**
 * Returns the ID of the organization that an operator's API call is about, for the audit log. Returns an
 * `organizationId` parameter without a check. Undefined if the parameters contain no organization, project or
 * export job, or if the project or job doesn't exist.
 */
export async function organizationOfCall(
  { db }: Pick<Service, "db">,
  params: Record<string, string>,
): Promise<string | undefined> {
  const { organizationId, projectId, jobId } = params;
  const table = projectId === undefined ? ("static_export_jobs" as const) : ("projects" as const);
  const id = projectId ?? jobId;
  if (organizationId !== undefined || id === undefined) return organizationId;
  return (await db.selectFrom(table).select("organization_id").where("id", "=", id).executeTakeFirst())
    ?.organization_id;
}
