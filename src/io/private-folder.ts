/** Creates folders that only the user of this process can read, for databases, stored files and caches. */

import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from "node:fs";
import path from "node:path";

/** Thrown if a folder can't be made private. The message describes how the operator can fix this. */
export class FolderNotPrivate extends Error {}

const groupAndOthers_mode = 0o077;

/**
 * Creates the folder, or removes other users' access to an existing folder. Throws `FolderNotPrivate` if the
 * folder is owned by another user, or is a link and wasn't named by the operator (`isNamed`). A folder owned
 * by root is accepted if its entries are owned by root or by this user.
 */
export function privateFolder(folder: string, { isNamed = false } = {}): void {
  if (!isNamed && lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new FolderNotPrivate(`${folder} is a symbolic link. Remove it, or replace it with a folder.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  // Windows has no POSIX owners and modes.
  if (process.getuid === undefined) return;
  const info = statSync(folder);
  requireOwner(folder, info);
  if (info.uid === process.getuid()) return closeIfOpen(folder, info);

  // The folder is owned by root, as in a mounted volume. Other users' access to its entries is removed
  // instead.
  for (const name of readdirSync(folder)) {
    const at = path.join(folder, name);
    const inside = lstatSync(at);
    requireOwner(at, inside);
    if (inside.uid !== 0) closeIfOpen(at, inside);
  }
}

/**
 * Throws `FolderNotPrivate` if a file or folder is owned by another user. Root is allowed, because root can
 * read everything anyway.
 */
function requireOwner(at: string, { uid }: Stats): void {
  const mine = process.getuid!();
  if (uid !== mine && uid !== 0)
    throw new FolderNotPrivate(
      `${at} is owned by a different user (ID ${uid}), who could read or change it. Change its owner to the user that runs this process (ID ${mine}), or choose a different folder.`,
    );
}

/**
 * Removes other users' access to a file, or to a folder and then to its content. Skips symbolic links,
 * entries of other users, and the content of folders that are already private.
 */
function closeIfOpen(at: string, info: Stats): void {
  if (info.isSymbolicLink() || info.uid !== process.getuid!() || !(info.mode & groupAndOthers_mode)) return;
  chmodSync(at, info.mode & 0o700);
  if (!info.isDirectory()) return;
  for (const name of readdirSync(at)) {
    const inside = path.join(at, name);
    closeIfOpen(inside, lstatSync(inside));
  }
}
