import { type RawBuilder, sql } from "kysely";
import type { Scope } from "./scope.ts";

/** The project's id where it is the organization's, for statements: another's project has no rows. */
export function ownProject({ organizationId }: Pick<Scope, "organizationId">, projectId: string): RawBuilder<string> {
  return sql`(select id from projects where id = ${projectId} and organization_id = ${organizationId})`;
}
