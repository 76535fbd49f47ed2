/** Builds the site of a push before it's accepted, for projects that don't publish errors. */

import { writeFileSync } from "node:fs";
import path from "node:path";
import { limits } from "../../base/limits.ts";
import { BuildEnded, type StartBuild } from "../../builder/build-process.ts";
import type { BuildResult } from "../../builder/build-protocol.ts";
import { GitRefused } from "../../io/check-git-source.ts";
import { Git } from "../../io/git-process.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import type { Service } from "../core/service.ts";
import { withBuildCache } from "../deployments/build-cache.ts";
import { type DeployJobRow, targetOf } from "../deployments/deploy-job-row.ts";
import { readOwnCommit } from "../deployments/sources.ts";
import { TurnQueue } from "../http/turn-queue.ts";
import type { GitCopy } from "../storage/git-copies.ts";
import { PushRefused } from "./check-push.ts";

const turns = new TurnQueue(limits.git.checking);

/**
 * Builds the site of a pushed commit, as a deployment does, and returns the result. `quarantine`: folder with
 * the pushed objects. Throws `PushRefused` if the sources can't be read, or the build ends.
 */
export async function checkCommit(
  service: Service,
  startBuild: StartBuild,
  row: DeployJobRow,
  { copy, quarantine, commit }: { copy: GitCopy; quarantine: string; commit: { sha: string; ref: string } },
  signal: AbortSignal,
): Promise<Pick<BuildResult, "problems" | "unlisted">> {
  const { workFolder } = service.settings;
  const scratch = path.join(workFolder, "pushes", service.ulid());
  const builder = startBuild();
  const end = () => builder.end();
  signal.addEventListener("abort", end);

  try {
    return await turns.run(row.organization_id, async () => {
      signal.throwIfAborted();
      const repository = path.join(scratch, "repository");
      await joinObjects(service, repository, copy, quarantine, commit);
      const folder = path.join(scratch, "sources");
      const options = { ...service.settings.git, signal };
      const { problems } = await readOwnCommit(
        repository,
        commit,
        folder,
        path.join(scratch, "git"),
        options,
      );
      const output = {
        kind: "folder" as const,
        path: path.join(scratch, "site"),
        target: targetOf(service.settings, row),
        isTemporary: true,
      };
      const cache = { workFolder, projectId: row.project_id, scratch };
      const result = await withBuildCache(cache, (cacheFolder) =>
        builder.build({ folder, cacheFolder, output, limitsProblems: true }),
      );
      return { ...result, problems: [...problems, ...result.problems] };
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitRefused || error instanceof BuildEnded) throw new PushRefused(error.message);
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    end();
    await removeFolder(scratch);
  }
}

/** Creates a repository with a branch at the commit, and with the objects of the copy and of the push. */
async function joinObjects(
  { settings }: Service,
  folder: string,
  copy: GitCopy,
  quarantine: string,
  { ref, sha }: { ref: string; sha: string },
): Promise<void> {
  const git = new Git(folder, "none", settings.git);
  await git.run(["init", "--quiet", "--bare", "--template=", "--", "."]);
  writeFileSync(
    path.join(folder, "objects/info/alternates"),
    [path.join(copy.folder, "objects"), quarantine, ""].join("\n"),
  );
  await git.run(["update-ref", `refs/heads/${ref}`, sha]);
}
