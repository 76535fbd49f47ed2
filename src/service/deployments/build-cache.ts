/**
 * Compiled pages of earlier builds, a folder for each project. They may be lost at any time, and must not fill the disk.
 * The folder of work belongs to one process, which knows what is in use.
 */
import { readdir, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { limits } from "../../base/limits.ts";

const inUse = new Set<string>();

/** Builds with the pages that the builds of the project before have left; in `scratch` while another one works on them. */
export async function withBuildCache<T>(
  { workFolder, projectId, scratch }: { workFolder: string; projectId: string; scratch: string },
  build: (cacheFolder: string) => Promise<T>,
): Promise<T> {
  const folder = path.join(workFolder, "cache", projectId);
  if (inUse.has(folder)) return build(path.join(scratch, "cache", "pages"));
  inUse.add(folder);
  try {
    return await build(path.join(folder, "pages"));
  } finally {
    // A cache that is too large is deleted.
    if ((await bytesOf(folder)) > limits.buildCache_bytes) await rm(folder, { recursive: true, force: true });
    else await utimes(folder, new Date(), new Date()).catch(() => {});
    inUse.delete(folder);
  }
}

/** The projects that were built longest ago make room. */
export async function tidyBuildCaches(workFolder: string): Promise<void> {
  const all = path.join(workFolder, "cache");
  const folders = (await readdir(all).catch(() => [])).map((name) => path.join(all, name));
  const projects = await Promise.all(
    folders.map(async (folder) => ({ folder, usedAt_ms: (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  let bytes = 0;
  for (const { folder } of projects.sort((a, b) => b.usedAt_ms - a.usedAt_ms)) {
    bytes += await bytesOf(folder);
    if (bytes > limits.buildCaches_bytes && !inUse.has(folder)) await rm(folder, { recursive: true, force: true });
  }
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
