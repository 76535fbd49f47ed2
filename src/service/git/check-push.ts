/** Checks what a push would change in a project's repository, before it's accepted. */

import { existsSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { limits } from "../../base/limits.ts";
import { megabytes } from "../../base/megabytes.ts";
import { isBranchName } from "../../io/branch-name.ts";
import { isNoHash, type RefUpdate } from "../../io/git-hooks.ts";
import { GitFailed } from "../../io/git-process.ts";
import type { GitCopy, GitRepository } from "../storage/git-copies.ts";

/** Thrown if a push is refused. The message is printed on the pusher's terminal. */
export class PushRefused extends Error {}

const branches = "refs/heads/";
const tags = "refs/tags/";

/** Returns the name of a branch from the full name of its ref. Undefined for tags. */
export function branchOfRef(ref: string): string | undefined {
  return ref.startsWith(branches) ? ref.slice(branches.length) : undefined;
}

/**
 * Returns the branch that is deployed to the site. The first branch of a repository becomes that branch if
 * there is no branch with the default name.
 */
export function deployedBranch({ branch, refs }: GitRepository, updates: readonly RefUpdate[]): string {
  const hasBranch = Object.keys(refs).some((ref) => branchOfRef(ref) !== undefined);
  const pushed = updates.flatMap(({ ref, after }) => (isNoHash(after) ? [] : (branchOfRef(ref) ?? [])));
  return hasBranch || pushed.includes(branch) ? branch : (pushed[0] ?? branch);
}

/**
 * Returns the refs after a push. Throws `PushRefused` if one of them has changed since the pusher read it.
 */
export function refsAfter(
  { refs }: GitRepository,
  updates: readonly RefUpdate[],
): Readonly<Record<string, string>> {
  const changed = new Map(Object.entries(refs));
  for (const { ref, before, after } of updates) {
    const now = changed.get(ref);
    if (isNoHash(before) ? now !== undefined : now !== before)
      throw new PushRefused(
        `${shortName(ref)} was changed in the meantime. Pull the changes, and push again.`,
      );
    if (isNoHash(after)) changed.delete(ref);
    else changed.set(ref, after);
  }

  requireRefs([...changed.keys()]);
  return Object.fromEntries(changed);
}

/** Throws `PushRefused` if a name can't be stored, or there are too many. */
function requireRefs(refs: readonly string[]): void {
  if (refs.length > limits.git.refs_count)
    throw new PushRefused(
      `The repository would have more than ${limits.git.refs_count} branches and tags. Delete some of them.`,
    );

  // Git stores a ref as a file, and some file systems ignore case.
  const names = new Map<string, string>();
  for (const ref of refs) {
    const same = names.get(ref.toLowerCase());
    if (same !== undefined) throw new PushRefused(`${shortName(ref)} conflicts with ${shortName(same)}`);
    names.set(ref.toLowerCase(), ref);
  }

  for (const [name, ref] of names)
    for (let slash = name.lastIndexOf("/"); slash > 0; slash = name.lastIndexOf("/", slash - 1)) {
      const parent = names.get(name.slice(0, slash));
      if (parent !== undefined)
        throw new PushRefused(`${shortName(ref)} conflicts with ${shortName(parent)}`);
    }
}

/** Throws `PushRefused` if the names of the refs aren't accepted. */
export function requireNames(updates: readonly RefUpdate[], branch: string): void {
  if (updates.length > limits.git.updates_count)
    throw new PushRefused(`A push can change at most ${limits.git.updates_count} branches and tags`);

  for (const { ref, after } of updates) {
    const name = branchOfRef(ref) ?? (ref.startsWith(tags) ? ref.slice(tags.length) : "");
    // A name that isn't UTF-8 contains this character, and would be stored as another name.
    const isText = !name.includes("\ufffd");
    if (!isText || !isBranchName(name) || Buffer.byteLength(ref) > limits.git.ref_bytes)
      throw new PushRefused(`${ref} can't be pushed. Only branches and tags with short names can.`);
    // Previews of pull requests have such names.
    if (/^#\d+$/.test(name)) throw new PushRefused(`${name} can't be the name of a branch or tag`);
    if (isNoHash(after) && ref === branches + branch)
      throw new PushRefused(`${branch} can't be deleted, because it's deployed to the site`);
  }
}

/**
 * Returns the environment variables with which git finds the objects of a push. A push that only deletes refs
 * has no quarantine.
 */
export function quarantineEnv({ folder }: GitCopy, quarantine: string): Record<string, string> {
  if (quarantine === "") return {};
  return {
    GIT_OBJECT_DIRECTORY: quarantine,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(folder, "objects"),
  };
}

/**
 * Throws `PushRefused` if a branch isn't a commit, or the history of the branch that is deployed would be
 * rewritten.
 */
export async function requireHistory(
  { git }: GitCopy,
  updates: readonly RefUpdate[],
  branch: string,
  env: Record<string, string>,
): Promise<void> {
  const heads = updates.filter(({ ref, after }) => branchOfRef(ref) !== undefined && !isNoHash(after));
  const found = await git.run(["cat-file", "--batch-check=%(objecttype)"], {
    env,
    input: heads.map(({ after }) => `${after}\n`).join(""),
  });
  const types = found.toString().split("\n");
  for (const [index, { ref }] of heads.entries())
    if (types[index] !== "commit") throw new PushRefused(`${shortName(ref)} isn't a commit`);

  const update = heads.find(({ ref }) => ref === branches + branch);
  if (!update || isNoHash(update.before)) return;
  const isForward = await git
    .run(["merge-base", "--is-ancestor", update.before, update.after], { env })
    .then(() => true)
    .catch((error: unknown) => {
      if (!(error instanceof GitFailed)) throw error;
      return false;
    });
  if (!isForward)
    throw new PushRefused(
      `The history of ${branch} can't be rewritten, because it's deployed to the site. Pull the changes, and push again without --force.`,
    );
}

/** A pack of a push. `name`: its hash. */
export interface NewPack {
  file: string;
  name: string;
  bytes: number;
}

/**
 * Returns the packs of a push. Throws `PushRefused` if they have too many objects, or the repository is full.
 */
export async function newPacks({ packs }: GitRepository, quarantine: string): Promise<NewPack[]> {
  const folder = path.join(quarantine, "pack");
  const names = quarantine !== "" && existsSync(folder) ? await readdir(folder) : [];
  const found: NewPack[] = [];
  let objects = 0;
  for (const entry of names) {
    const name = /^pack-([0-9a-f]{40,64})\.pack$/.exec(entry)?.[1];
    if (name === undefined) continue;
    const file = path.join(folder, entry);
    objects += await objectCount(file);
    if (!packs.some((pack) => pack.name === name)) found.push({ file, name, bytes: (await stat(file)).size });
  }

  if (objects > limits.git.objects_count)
    throw new PushRefused(
      `A push can have at most ${limits.git.objects_count.toLocaleString("en-US")} objects`,
    );
  const total_bytes = [...packs, ...found].reduce((sum, { bytes }) => sum + bytes, 0);
  if (found.length > 0 && total_bytes > limits.git.repository_bytes)
    throw new PushRefused(
      `The repository would be larger than ${megabytes(limits.git.repository_bytes)}. Remove large files from its history.`,
    );

  return found;
}

/** Returns the number of objects in a pack file (gitformat-pack, header). */
async function objectCount(file: string): Promise<number> {
  const handle = await open(file);
  try {
    return (await handle.read(Buffer.alloc(4), 0, 4, 8)).buffer.readUInt32BE();
  } finally {
    await handle.close();
  }
}

export function shortName(ref: string): string {
  return branchOfRef(ref) ?? ref.replace(/^refs\//, "");
}
