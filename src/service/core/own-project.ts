import { type RawBuilder, sql } from "kysely";
import type { Scope } from "./scope.ts";

/**
 * Returns SQL for the project's ID, or for null if the organization has no such project. A comparison with
 * null matches no rows.
 */
export function ownProject(
  { organizationId }: Pick<Scope, "organizationId">,
  projectId: string,
): RawBuilder<string> {
  return sql`(select id from projects where id = ${projectId} and organization_id = ${organizationId})`;
}
