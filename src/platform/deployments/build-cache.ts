/** Compiled pages of earlier builds, a folder for each project. They may be lost at any time, and must not fill the disk. */
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { limits } from "../../base/limits.ts";

export interface BuildCache {
  folder: string;
  /** To be called after each build. */
  trim(): void;
}

export function buildCache(workFolder: string, projectId: string): BuildCache {
  const all = path.join(workFolder, "cache");
  const own = path.join(all, projectId);
  mkdirSync(own, { recursive: true });
  return {
    folder: path.join(own, "pages"),
    trim() {
      utimesSync(own, new Date(), new Date());
      if (bytesOf(own) > limits.buildCache_bytes) rmSync(own, { recursive: true, force: true });
      const projects = readdirSync(all)
        .map((name) => path.join(all, name))
        .map((folder) => ({ folder, bytes: bytesOf(folder), usedAt_ms: statSync(folder).mtimeMs }))
        .sort((a, b) => b.usedAt_ms - a.usedAt_ms);
      let bytes = 0;
      for (const project of projects) {
        bytes += project.bytes;
        if (bytes > limits.buildCaches_bytes) rmSync(project.folder, { recursive: true, force: true });
      }
    },
  };
}

function bytesOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
