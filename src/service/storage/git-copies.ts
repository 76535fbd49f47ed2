/**
 * Git repositories of projects that aren't connected to one. A row has the refs and the list of pack files,
 * which are stored as objects. A process that serves or builds a repository first brings its own copy up to
 * date, so any process can do it, and a copy can be deleted at any time.
 */

import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Git } from "../../io/git-process.ts";
import type { Objects } from "../../io/objects.ts";
import { privateFolder } from "../../io/private-folder.ts";
import { readCommit } from "../../io/read-git-branch.ts";
import { removeFolder } from "../../io/remove-folder.ts";
import type { Service, ServiceSettings } from "../core/service.ts";
import type { Commit, Database, StoredPack } from "../core/tables.ts";

export interface GitRepository {
  /** The branch that is deployed to the site. */
  branch: string;
  /** Hash of each branch and tag, by full ref name. */
  refs: Readonly<Record<string, string>>;
  /** Packs with the objects, without those that were replaced. */
  packs: readonly StoredPack[];
  version: number;
}

export interface GitCopy extends GitRepository {
  /** Folder of the bare repository. */
  folder: string;
  git: Git;
}

/** How long a copy that isn't used is kept. */
const idleCopy_ms = 24 * 3_600_000;

/** Time without a change after which a quarantine that isn't being checked belongs to no running push. */
const unfinished_ms = 300_000;

/** Name of the folder with all copies, in the work folder. */
const copies = "repositories";
/** File in a copy with the version that it's at. */
const versionFile = "octavo-version";

const emptyRepository: GitRepository = { branch: "main", refs: {}, packs: [], version: 0 };

/** Returns the object key of a pack file. */
export function packKey(projectId: string, { id }: Pick<StoredPack, "id">): string {
  return `repositories/${projectId.toLowerCase()}/${id.toLowerCase()}.pack`;
}

/** Returns a project's repository, which is empty if nothing was pushed. */
export async function readRepository(db: Database, projectId: string): Promise<GitRepository> {
  const row = await db
    .selectFrom("git_repositories")
    .select(["branch", "refs", "packs", "version"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row ? currentRepository(row) : emptyRepository;
}

/** Returns the repository of a row, without replaced packs. */
export function currentRepository<Row extends GitRepository>(row: Row): Row {
  return { ...row, packs: row.packs.filter(({ replacedAt }) => !replacedAt) };
}

/** Returns the latest commit of a branch of a project's repository. Undefined if there is no such branch. */
export async function storedCommit(
  service: Service,
  projectId: string,
  branch?: string,
): Promise<Commit | undefined> {
  const repository = await readRepository(service.db, projectId);
  const name = branch ?? repository.branch;
  const sha = repository.refs[`refs/heads/${name}`];
  if (sha === undefined) return undefined;
  const { git } = await openCopy(service, projectId);
  return readCommit(git, sha, name);
}

/**
 * Locks the copy of a project's repository in this process. Resolves with a function that unlocks it. While a
 * copy is locked, it isn't changed by `openCopy`.
 */
export async function lockCopy({ settings }: Pick<Service, "settings">, projectId: string) {
  const folder = copyFolder(settings.workFolder, projectId);
  const before = locks.get(folder);
  let unlock = () => {};
  const lock = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  locks.set(folder, lock);
  await before;

  return () => {
    if (locks.get(folder) === lock) locks.delete(folder);
    unlock();
  };
}

/** The last lock of each copy. Each one waits for the lock before it. */
const locks = new Map<string, Promise<void>>();

/** Brings this process's copy of a project's repository up to date, and returns it. */
export async function openCopy(service: Service, projectId: string): Promise<GitCopy> {
  const unlock = await lockCopy(service, projectId);
  try {
    const repository = await readRepository(service.db, projectId);
    const folder = copyFolder(service.settings.workFolder, projectId);
    const copy = await bringUpToDate(service, projectId, repository, folder);
    await utimes(path.join(folder, versionFile), new Date(), new Date());
    return copy;
  } finally {
    unlock();
  }
}

/**
 * Creates or updates the copy of a repository in a folder. Throws an Error if a pack is missing or damaged.
 */
export async function bringUpToDate(
  { objects, settings }: Pick<Service, "objects"> & { settings: Pick<ServiceSettings, "git"> },
  projectId: string,
  repository: GitRepository,
  folder: string,
): Promise<GitCopy> {
  const copy = { ...repository, folder, git: new Git(folder, "none", settings.git) };
  await createCopy(copy);
  if ((await versionOf(folder)) !== String(repository.version)) await updateCopy(objects, projectId, copy);
  return copy;
}

/**
 * Quarantines of pushes that are being checked. Git ends without removing them if it's stopped by a signal.
 */
const quarantines = new Set<string>();

/** Keeps a quarantine until the returned function is called, which removes it unless git has. */
export function keepQuarantine(folder: string): () => Promise<void> {
  quarantines.add(folder);
  return async () => {
    quarantines.delete(folder);
    await removeFolder(folder);
  };
}

/** Removes the quarantines of earlier pushes whose git process was stopped before they were checked. */
export async function removeUnfinished(copy: string): Promise<void> {
  const objects = path.join(copy, "objects");
  for (const name of await readdir(objects)) {
    const at = path.join(objects, name);
    if (!name.startsWith("tmp_objdir-") || quarantines.has(at)) continue;
    const changed = await stat(path.join(at, "pack")).catch(() => stat(at).catch(() => undefined));
    if (changed && Date.now() - changed.mtimeMs > unfinished_ms) await removeFolder(at);
  }
}

function copyFolder(workFolder: string, projectId: string): string {
  return path.join(workFolder, copies, `${projectId}.git`);
}

async function createCopy({ folder, git }: GitCopy): Promise<void> {
  if (existsSync(path.join(folder, versionFile))) return;
  await removeFolder(folder);
  privateFolder(folder);
  await git.run(["init", "--quiet", "--bare", "--template=", "--initial-branch=main", "--", "."]);
  // For builds of this service, which read a commit by its hash.
  await git.run(["config", "uploadpack.allowAnySHA1InWant", "true"]);
  await git.run(["config", "uploadpack.allowFilter", "true"]);
  await writeFile(path.join(folder, versionFile), "new");
}

async function versionOf(folder: string): Promise<string> {
  return readFile(path.join(folder, versionFile), "utf8");
}

/**
 * Adds the missing packs, sets the refs, and removes packs that the repository no longer has, so that no push
 * can build on their objects.
 */
async function updateCopy(objects: Objects, projectId: string, copy: GitCopy): Promise<void> {
  const { folder, branch, refs, packs, version } = copy;
  const packFolder = path.join(folder, "objects/pack");
  const known = await readdir(packFolder);
  for (const pack of packs)
    if (!known.includes(`pack-${pack.name}.idx`)) await addPack(objects, projectId, copy, pack);

  await writeWhole(path.join(folder, "HEAD"), `ref: refs/heads/${branch}\n`);
  const lines = Object.entries(refs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([ref, hash]) => `${hash} ${ref}\n`);
  await writeWhole(path.join(folder, "packed-refs"), lines.join(""));
  for (const kind of ["heads", "tags"]) {
    await removeFolder(path.join(folder, "refs", kind));
    privateFolder(path.join(folder, "refs", kind));
  }

  const current = new Set(packs.map(({ name }) => `pack-${name}`));
  for (const name of known)
    if (!current.has(name.replace(/\..*/, ""))) await rm(path.join(packFolder, name), { force: true });
  await writeWhole(path.join(folder, versionFile), String(version));
}

/** Reads a pack from the object store. Git checks its hash and the hashes of its objects. */
async function addPack(
  objects: Objects,
  projectId: string,
  { git }: GitCopy,
  pack: StoredPack,
): Promise<void> {
  const stored = await objects.open(packKey(projectId, pack));
  if (!stored) throw new Error(`The pack ${pack.id} of the repository of project ${projectId} is missing`);
  const child = git.start(["index-pack", "--stdin"], { "pack.threads": "1" });
  child.stdout!.resume();
  let errors = "";
  child.stderr!.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-1_000);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });

  await pipeline(stored, child.stdin!).catch(() => {});
  if ((await ended) !== 0)
    throw new Error(`The pack ${pack.id} of the repository of project ${projectId} is damaged: ${errors}`);
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** Deletes copies that weren't used for a day. */
export async function sweepCopies(service: Service): Promise<void> {
  const { workFolder } = service.settings;
  for (const name of await readdir(path.join(workFolder, copies)).catch(() => [])) {
    const projectId = name.replace(/\.git$/, "");
    const unlock = await lockCopy(service, projectId);
    try {
      const folder = copyFolder(workFolder, projectId);
      const used = await stat(path.join(folder, versionFile)).catch(() => undefined);
      if (!used || Date.now() - used.mtimeMs > idleCopy_ms) await removeFolder(folder);
      else await removeUnfinished(folder);
    } finally {
      unlock();
    }
  }
}
