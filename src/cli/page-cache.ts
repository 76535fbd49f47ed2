/**
 * Locates the caches of compiled pages. They are outside the documentation folders, so that a repository can
 * neither decide what is built from it nor lead to other folders. Caches that haven't been used for a long
 * time are removed.
 */

import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  statSync,
  utimesSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { BuildJob } from "../builder/build-protocol.ts";
import { removePacks } from "../builder/pack-store.ts";
import { privateFolder } from "../io/private-folder.ts";
import { sha256 } from "../io/sha256.ts";
import { systemErrorText } from "../io/system-error.ts";
import type { Terminal } from "./terminal.ts";

/** The setting that changes the folder of the caches. */
export const cacheSetting = "OCTAVO_CACHE";

const unused_ms = 30 * 24 * 3_600_000;

/**
 * Returns the folder of the user's caches: that of `OCTAVO_CACHE`, or the platform's. Undefined if the user
 * has no home folder.
 */
export function userCaches(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (env[cacheSetting]) return path.resolve(env[cacheSetting]);
  if (env.XDG_CACHE_HOME && path.isAbsolute(env.XDG_CACHE_HOME))
    return path.join(env.XDG_CACHE_HOME, "octavo");
  if (platform === "win32" && env.LOCALAPPDATA) return path.join(env.LOCALAPPDATA, "octavo", "cache");
  const home = env.HOME || homeFolder();
  if (!home) return undefined;
  return platform === "darwin"
    ? path.join(home, "Library", "Caches", "octavo")
    : path.join(home, ".cache", "octavo");
}

/** A user without an entry in the password file has no home folder. */
function homeFolder(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/**
 * Returns the cache of a documentation folder, which may not exist. Empty if it can't be written, which is
 * noted.
 */
export function pageCache(
  folder: string,
  { caches, note }: Pick<Terminal, "caches" | "note">,
): Pick<BuildJob, "cacheFolder"> {
  if (caches === undefined) return withoutCache("The user has no home folder");
  const name = sha256(realpathSync(folder)).slice(0, 32);
  const cache = path.join(caches, name);
  try {
    privateFolder(caches, { isNamed: true });
    removeUnused(caches, name);
    const info = lstatSync(cache, { throwIfNoEntry: false });
    if (info && !info.isDirectory()) return withoutCache(`${cache} isn't a folder`);
    accessSync(info ? cache : caches, constants.W_OK);
    if (info) utimesSync(cache, new Date(), new Date());
    return { cacheFolder: cache };
  } catch (error) {
    return withoutCache(systemErrorText(error) ?? (error as Error).message);
  }

  function withoutCache(reason: string): Pick<BuildJob, "cacheFolder"> {
    note(
      `Pages aren't cached. ${reason}. To cache them, set ${cacheSetting} to a folder that you can write to.`,
    );
    return {};
  }
}

/** Removes the caches that haven't been used for a long time, except `own`. */
function removeUnused(caches: string, own: string): void {
  for (const name of readdirSync(caches)) {
    const cache = path.join(caches, name);
    if (name === own || !/^[0-9a-f]{32}$/.test(name)) continue;
    try {
      if (!lstatSync(cache).isDirectory() || Date.now() - statSync(cache).mtimeMs < unused_ms) continue;
      removePacks(cache);
      rmdirSync(cache);
    } catch {
      // Another command is removing it, or it contains other files.
    }
  }
}
