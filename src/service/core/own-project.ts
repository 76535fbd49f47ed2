import { type RawBuilder, sql } from "kysely";
import type { Scope } from "./scope.ts";

/** SQL for the project's id, or null if the project belongs to another organization, so that a condition on it matches no rows. */
export function ownProject({ organizationId }: Pick<Scope, "organizationId">, projectId: string): RawBuilder<string> {
  return sql`(select id from projects where id = ${projectId} and organization_id = ${organizationId})`;
}
