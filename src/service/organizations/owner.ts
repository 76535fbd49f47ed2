import type { Service } from "../core/service.ts";

/** Id of the organization that an operator's call is about, from its path parameters; undefined if there is none. */
export async function ownerOf({ db }: Pick<Service, "db">, params: Record<string, string>): Promise<string | undefined> {
  const { organizationId, projectId, jobId } = params;
  const table = projectId === undefined ? ("static_export_jobs" as const) : ("projects" as const);
  const id = projectId ?? jobId;
  if (organizationId !== undefined || id === undefined) return organizationId;
  return (await db.selectFrom(table).select("organization_id").where("id", "=", id).executeTakeFirst())?.organization_id;
}
