// Installs packages and builds the product if needed, before every command of this repository.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) throw error;
  return status ?? 1;
}

/** Installs the locked packages unless they are there. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Octavo needs Node 20.19 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  const mark = path.join(root, "node_modules", ".octavo-installed");
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.error("Installing packages …");
  const npm = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ["npm", []];
  if (run(npm[0], [...npm[1], "ci", "--no-audit", "--no-fund"], { stdio: ["ignore", "ignore", "inherit"] }) !== 0) process.exit(1);
  writeFileSync(mark, wanted);
}

/** Bundles the product unless its sources are unchanged. */
export async function ensureBuilt() {
  const { buildProduct, sourceHash } = await import("./build.js");
  const mark = path.join(root, "dist", ".sources");
  const wanted = await sourceHash();
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.error("Building …");
  await buildProduct();
  writeFileSync(mark, wanted);
}

// npm run build
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled();
  await ensureBuilt();
}
