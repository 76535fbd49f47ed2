/** Finds the project whose repository a Git client requests. */

import { AppError, notFound } from "../../base/app-error.ts";
import type { Scope } from "../core/scope.ts";
import type { Service } from "../core/service.ts";

export interface GitProject {
  id: string;
  subdomain: string;
}

/** Finds a project by its ID or subdomain. Throws an AppError if it has no repository of this service. */
export async function findProject(
  { db }: Pick<Service, "db">,
  scope: Scope,
  repository: string,
): Promise<GitProject> {
  const name = /^([\w-]{1,63})\.git$/.exec(repository)?.[1];
  if (name === undefined) throw notFound();
  const row = await db
    .selectFrom("projects")
    .select(["id", "subdomain", "source"])
    .where("organization_id", "=", scope.organizationId)
    .where((where) => where.or([where("id", "=", name), where("subdomain", "=", name)]))
    .executeTakeFirst();
  if (!row) throw notFound();
  if (row.source.kind === "git")
    throw new AppError(
      "conflict",
      "This project is connected to a repository on another server. Clone and push there.",
    );
  if (row.source.kind === "folder")
    throw new AppError(
      "conflict",
      "This project is built from a folder on the service's machine, so it has no repository",
    );
  return row;
}
