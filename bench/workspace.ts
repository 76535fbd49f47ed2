/** Helpers for the benchmarks: folders, installation of npm packages, sizes of outputs, and statistics. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
export const work = path.join(root, "bench", ".work");

const overrides = { "@docsearch/core": "4.7.0", "@docsearch/css": "4.7.0", "@docsearch/react": "4.7.0" };

/**
 * Installs npm packages in a folder, unless it already has a `node_modules` folder. Throws an `Error` if npm
 * fails.
 */
export function install(folder: string, packages: readonly string[], flags: readonly string[] = []): void {
  if (existsSync(path.join(folder, "node_modules"))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify({ private: true, overrides })}\n`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--legacy-peer-deps", ...flags, ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/**
 * Path of Node 22 or later, which Astro needs. Installed from the npm package `node` if this process's Node
 * is older.
 */
export function newerNode(): string {
  if (Number(process.versions.node.split(".")[0]) >= 22) return process.execPath;
  install(path.join(work, "node"), ["node@22"]);
  return path.join(work, "node/node_modules/node/bin/node");
}

const discarded = path.join(work, "discarded");
let discarded_count = 0;
process.on("exit", () => rmSync(discarded, { recursive: true, force: true }));

/**
 * Removes a folder at the end of the benchmark, and moves it away until then. On some file systems, creating
 * files is slow for minutes after others were deleted, which would count toward the tool that is measured
 * next.
 */
export function discard(folder: string): void {
  if (!existsSync(folder)) return;
  mkdirSync(discarded, { recursive: true });
  renameSync(folder, path.join(discarded, String(discarded_count++)));
}

/** Environment for the commands of a tool. `node`: path of the Node executable. */
export const environment = (node: string): NodeJS.ProcessEnv => ({
  PATH: `${path.dirname(node)}:${process.env.PATH}`,
  CI: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  ZUDOKU_TELEMETRY_DISABLED: "1",
  ZUDOKU_DISABLE_UPDATE_CHECK: "1",
});

/** Sizes of all files in a folder in bytes, by relative path. Empty if the folder doesn't exist. */
export function sizesBelow(folder: string): Map<string, number> {
  if (!existsSync(folder)) return new Map();
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), statSync(file).size]),
  );
}

export const sum = (list: Iterable<number>): number => [...list].reduce((a, b) => a + b, 0);

/** The middle value, or the higher one of the two middle values. 0 for an empty list. */
export const median = (list: number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
