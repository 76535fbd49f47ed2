/**
 * Reads the sources of a deployment from git, a folder or an upload. Stores sources from git and folders as
 * an archive.
 */

import { createWriteStream, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import type { Files } from "../../base/files.ts";
import type { Problem } from "../../base/problem.ts";
import type { SiteBuilder } from "../../builder/build-process.ts";
import { BadArchive } from "../../io/archive-limits.ts";
import { type GitOptions, GitRefused, type GitSource } from "../../io/check-git-source.ts";
import { docsFolderFiles } from "../../io/docs-folder-files.ts";
import { packArchive } from "../../io/pack-archive.ts";
import { plainFiles } from "../../io/plain-folder.ts";
import { type BranchCopy, readBranch } from "../../io/read-git-branch.ts";
import { JobFailed } from "../core/queue.ts";
import type { Service } from "../core/service.ts";
import type { Commit } from "../core/tables.ts";
import { openCopy } from "../storage/git-copies.ts";

/**
 * A connected repository, a commit of the project's own one, or a folder on this machine. The folder is
 * undefined if the project accepts uploads.
 */
export type SourceLocation =
  | GitSource
  | { projectId: string; commit: Commit }
  | { folder: string | undefined };

export interface Sources {
  /** Folder with the sources on this machine. */
  folder: string;
  /** Object key of an archive with the same files. */
  archive: string;
  commit?: Commit;
  /** Problems that were found while the sources were read. */
  problems: Problem[];
}

/** Returns the object key of a deployment's sources. Zip files have the same extension. */
export function sourcesKey(id: string): string {
  return `sources/${id.toLowerCase()}.tar.gz`;
}

/**
 * Unpacks stored sources into `folder`, which must not exist, in a build process. Returns the folder that
 * contains docs.json (`folder` or its only subfolder), or `folder` if neither does. Throws `JobFailed` if the
 * archive is missing or invalid.
 */
export async function unpackSources(
  { objects }: Pick<Service, "objects">,
  archive: string,
  folder: string,
  builder: Pick<SiteBuilder, "unpack">,
  signal?: AbortSignal,
): Promise<string> {
  const stream = await objects.open(archive);
  if (!stream) throw new JobFailed("The sources were deleted");
  const file = `${folder}.archive`;
  await pipeline(stream, createWriteStream(file), { signal });
  try {
    await builder.unpack(file, folder);
  } catch (error) {
    throw error instanceof BadArchive ? new JobFailed(error.message) : error;
  } finally {
    await rm(file, { force: true });
  }
  return withDocsJson(folder);
}

/**
 * Returns the folder that contains docs.json: the folder itself or its only subfolder. Returns the folder
 * itself if neither does. `tar -cz docs` packs a folder, and `tar -cz -C docs .` packs the folder's contents.
 */
function withDocsJson(folder: string): string {
  if (existsSync(path.join(folder, "docs.json"))) return folder;
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const [only] = inside;
  return inside.length === 1 && existsSync(path.join(folder, only!.name, "docs.json"))
    ? path.join(folder, only!.name)
    : folder;
}

/**
 * Reads the project's source into the scratch folder and stores it as an archive. The build uses the same
 * files. Throws `JobFailed` if the source can't be read or is invalid.
 */
export async function readSource(
  service: Service,
  id: string,
  source: SourceLocation,
  scratch: string,
  builder: Pick<SiteBuilder, "unpack">,
  signal: AbortSignal,
): Promise<Sources> {
  const archive = sourcesKey(id);

  if (!("folder" in source)) {
    const folder = path.join(scratch, "sources");
    const { commit, problems } = await readGitSource(service, source, folder, scratch, signal);
    await storeSources(service, await plainFiles(folder), archive, scratch);
    return { folder, archive, commit, problems };
  }

  if (source.folder === undefined || !statSync(source.folder, { throwIfNoEntry: false })?.isDirectory())
    throw new JobFailed("The project has no folder to build");
  await storeSources(service, docsFolderFiles(source.folder).files, archive, scratch);

  return {
    folder: await unpackSources(service, archive, path.join(scratch, "sources"), builder, signal),
    archive,
    problems: [],
  };
}

async function readGitSource(
  service: Service,
  source: Exclude<SourceLocation, { folder: unknown }>,
  folder: string,
  scratch: string,
  signal: AbortSignal,
): Promise<BranchCopy> {
  const options = { ...service.settings.git, signal };
  const work = path.join(scratch, "git");
  try {
    if ("url" in source) return await readBranch(source, folder, work, options);
    const copy = await openCopy(service, source.projectId);
    return await readOwnCommit(copy.folder, source.commit, folder, work, options);
  } catch (error) {
    throw error instanceof GitRefused ? new JobFailed(error.message) : error;
  }
}

/**
 * Like `readBranch`, for a commit of a repository of this service. `repository`: folder of a bare repository
 * in which any commit can be fetched.
 */
export function readOwnCommit(
  repository: string,
  { ref, sha }: Pick<Commit, "ref" | "sha">,
  folder: string,
  scratch: string,
  options: GitOptions,
): Promise<BranchCopy> {
  const source = { url: pathToFileURL(repository).href, branch: ref, commit: sha };
  return readBranch(source, folder, scratch, { ...options, protocols: ["file"] });
}

async function storeSources(
  { objects }: Service,
  files: Files,
  archive: string,
  scratch: string,
): Promise<void> {
  const file = path.join(scratch, "sources.tar.gz");
  mkdirSync(scratch, { recursive: true });
  await pipeline(packArchive(files), createWriteStream(file));
  await objects.put(archive, { file });
}

/** Deletes an archive of sources unless a deployment of the project still uses it. */
export async function deleteUnusedSources(
  service: Service,
  projectId: string,
  archive: string,
): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    // The lock prevents a new deployment from using the archive at the same time.
    await tx.selectFrom("projects").select("id").where("id", "=", projectId).forUpdate().execute();
    const named = await tx
      .selectFrom("deployments")
      .select("id")
      .where("project_id", "=", projectId)
      .where(({ ref }) => ref("snapshot", "->>").key("archive" as never), "=", archive)
      .limit(1)
      .executeTakeFirst();
    if (!named) await service.objects.delete(archive);
  });
}

/** Adds what the push has said about a commit, which a repository without its history doesn't know. */
export function withFilesChanged(commit: Commit, queued: Commit | null): Commit {
  return queued?.filesChanged && queued.sha === commit.sha
    ? { ...commit, filesChanged: queued.filesChanged }
    : commit;
}
