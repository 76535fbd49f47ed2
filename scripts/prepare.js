// Installs the packages and builds the product if needed. The other scripts call these functions first.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command in the root folder of the repository. Returns its exit code, or 1 if a signal ended it. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) throw error;
  return status ?? 1;
}

/**
 * Installs the packages in package-lock.json, unless they are already installed. Exits if the Node version is
 * too old.
 */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Octavo requires Node 20.19 or later. This is ${process.version}.`);
    process.exit(1);
  }
  const mark = path.join(root, "node_modules", ".octavo-installed");
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.error("Installing packages…");
  const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ["npm", []];
  if (
    run(npm[0], [...npm[1], "ci", "--no-audit", "--no-fund"], { stdio: ["ignore", "ignore", "inherit"] }) !==
    0
  )
    process.exit(1);
  writeFileSync(mark, wanted);
}

/** Builds the product, unless its sources are unchanged since the last build. */
export async function ensureBuilt() {
  const { buildProduct, sourceHash } = await import("./build.js");
  const mark = path.join(root, "dist", ".sources");
  const wanted = await sourceHash();
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.error("Building…");
  await buildProduct();
  writeFileSync(mark, wanted);
}

// npm run build
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  await ensureBuilt();
}
