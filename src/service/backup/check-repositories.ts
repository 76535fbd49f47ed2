/** Checks the Git repositories of a backup, before it's restored. */

import path from "node:path";
import type pg from "pg";
import { removeFolder } from "../../io/remove-folder.ts";
import type { Service, ServiceSettings } from "../core/service.ts";
import { bringUpToDate, currentRepository, type GitRepository } from "../storage/git-copies.ts";
import { BackupError } from "./backup-archive.ts";

export type RestoredService = Pick<Service, "pool" | "objects"> & {
  settings: Pick<ServiceSettings, "workFolder" | "git">;
};

/**
 * Throws a BackupError unless each repository has its packs, and these have all objects of its branches and
 * tags.
 */
export async function checkRepositories(client: pg.PoolClient, service: RestoredService): Promise<void> {
  const { rows } = await client.query<GitRepository & { project_id: string }>(
    "select project_id, branch, refs, packs, version from git_repositories",
  );
  for (const row of rows) {
    const folder = path.join(service.settings.workFolder, "restored", `${row.project_id}.git`);
    try {
      const { git } = await bringUpToDate(service, row.project_id, currentRepository(row), folder);
      await git.run(["fsck", "--connectivity-only", "--no-dangling"]);
    } catch (error) {
      throw new BackupError(
        `The Git repository of project ${row.project_id} is damaged in the backup: ${(error as Error).message}`,
      );
    } finally {
      await removeFolder(folder);
    }
  }
}
