// node scripts/vscode-extension.js: writes the extension for VS Code to release/. Needs npm and the network,
// because @vscode/vsce isn't a development dependency.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { root } from "./prepare.js";

const vsce = "@vscode/vsce@3.9.2";

/** Writes the files of the extension, with its dependencies in one script. */
export async function writeExtension(folder) {
  const source = path.join(root, "tools/vscode");
  await build({
    entryPoints: [path.join(source, "extension.ts")],
    outfile: path.join(folder, "extension.js"),
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    logLevel: "error",
  });
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  // VS Code loads the script as a CommonJS module.
  const {
    private: _,
    type: __,
    ...manifest
  } = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...manifest, version }, undefined, 2));
  for (const file of [path.join(source, "README.md"), path.join(root, "LICENSE")])
    cpSync(file, path.join(folder, path.basename(file)));
}

/** Packs the extension into a .vsix file. Returns its path. */
export async function packExtension(folder) {
  const scratch = mkdtempSync(path.join(tmpdir(), "octavo-vscode-"));
  try {
    await writeExtension(scratch);
    const { version } = JSON.parse(readFileSync(path.join(scratch, "package.json"), "utf8"));
    const file = path.join(folder, `octavo-vscode-${version}.vsix`);
    const args = ["exec", "--yes", `--package=${vsce}`, "--", "vsce", "package", "--no-dependencies"];
    execFileSync("npm", [...args, "--skip-license", "--allow-missing-repository", "--out", file], {
      cwd: scratch,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return file;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = path.join(root, "release");
  mkdirSync(folder, { recursive: true });
  console.log(path.relative(root, await packExtension(folder)));
}
