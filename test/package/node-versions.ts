/** Node.js versions other than that of the tests, from npm's package `node`. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

export const nodeVersions = ["22", "24", "26"] as const;
export type NodeVersion = (typeof nodeVersions)[number];

/** Returns the path of the executable. Undefined if it isn't installed. In CI, it's installed once. */
export function nodeOfVersion(version: NodeVersion): string | undefined {
  const folder = path.join(homedir(), ".cache/octavo/node", version);
  const executable = path.join(folder, "node_modules/node/bin/node");
  if (!existsSync(executable) && process.env.CI) {
    mkdirSync(folder, { recursive: true });
    const args = ["install", "--no-audit", "--no-fund", "--prefix", folder, `node@${version}`];
    spawnSync("npm", args, { stdio: "ignore" });
  }
  return existsSync(executable) ? executable : undefined;
}
