/** Finds the projects that audit log entries are about. */

import type { AuditEntry } from "../core/audit.ts";
import type { Scope } from "../core/scope.ts";
import type { Database } from "../core/tables.ts";

/**
 * Returns the ID of each entry's project, by the entry's number. An entry names its project in its target or
 * metadata, or it names a deployment, an export or a domain of the project there. Entries without a project
 * are left out.
 */
export async function projectsOfEntries(
  db: Database,
  { organizationId }: Scope,
  projectIds: ReadonlySet<string>,
  entries: readonly AuditEntry[],
): Promise<Map<number, string>> {
  const named = new Map(
    entries.map(({ number, target, metadata }) => [
      number,
      [...target.split("/"), ...Object.values(metadata)].map(String),
    ]),
  );

  const names = [...new Set([...named.values()].flat())].filter(
    (name) => name !== "" && !projectIds.has(name),
  );
  const projectOf = new Map([...projectIds].map((id) => [id, id]));

  if (names.length > 0) {
    const owned = await db
      .selectFrom("deployments")
      .select(["id", "project_id"])
      .where("organization_id", "=", organizationId)
      .where("id", "in", names)
      .unionAll(
        db
          .selectFrom("static_export_jobs")
          .select(["id", "project_id"])
          .where("organization_id", "=", organizationId)
          .where("id", "in", names),
      )
      .unionAll(
        db
          .selectFrom("domains")
          .select(["domain as id", "project_id"])
          .where("organization_id", "=", organizationId)
          .where("domain", "in", names),
      )
      .execute();
    for (const { id, project_id } of owned) projectOf.set(id, project_id);
  }

  return new Map(
    [...named].flatMap(([number, parts]): [number, string][] => {
      const project = parts.map((part) => projectOf.get(part)).find((id) => id !== undefined);
      return project === undefined ? [] : [[number, project]];
    }),
  );
}
