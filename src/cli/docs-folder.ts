import { statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "./command.ts";

/** The folder that a command works on: an existing one. */
export function docsFolder(word: string | undefined): string {
  const folder = path.resolve(word ?? ".");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`${word ?? folder} is not a folder`);
  return folder;
}

export function cacheFolder(folder: string): string {
  return path.join(folder, ".octavo", "cache");
}
