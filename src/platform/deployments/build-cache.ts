/** Compiled pages of earlier builds, a folder for each project. They may be lost at any time, and must not fill the disk. */
import { readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { limits } from "../../base/limits.ts";

/** Where the build of a project keeps its pages. */
export function buildCache(workFolder: string, projectId: string): string {
  return path.join(workFolder, "cache", projectId, "pages");
}

/** To be called after a build. One that outgrew its room begins anew. */
export async function tidyBuildCache(workFolder: string, projectId: string): Promise<void> {
  const folder = path.join(workFolder, "cache", projectId);
  if ((await bytesOf(folder)) > limits.buildCache_bytes) await rm(folder, { recursive: true, force: true });
  else await utimes(folder, new Date(), new Date()).catch(() => {});
}

/** The projects that were built longest ago make room. */
export async function tidyBuildCaches(workFolder: string): Promise<void> {
  const all = path.join(workFolder, "cache");
  const names = await readdir(all).catch(() => []);
  const projects = await Promise.all(
    names.map(async (name) => ({ name, usedAt_ms: (await stat(path.join(all, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  let bytes = 0;
  for (const { name } of projects.sort((a, b) => b.usedAt_ms - a.usedAt_ms)) {
    bytes += await bytesOf(path.join(all, name));
    if (bytes > limits.buildCaches_bytes) await rm(path.join(all, name), { recursive: true, force: true });
  }
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
