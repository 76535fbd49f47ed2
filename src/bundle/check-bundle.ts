/**
 * Checks an unpacked bundle against its manifest: no missing, additional or changed files. The operator's
 * file isn't in the manifest and is accepted with any content.
 */

import { type Dirent, existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { operatorPath } from "../engine/site/features.ts";
import { sha256, sha256OfFile } from "../io/sha256.ts";
import {
  BadBundle,
  type BundleFile,
  type BundleManifest,
  manifestPath,
  readBundleManifest,
  requireManifestSize,
  signaturePath,
} from "./bundle-manifest.ts";

/** Maximum number of files that are read concurrently. */
const parallel_count = 8;

/** Maximum size in bytes of a file that is read into memory. Larger files are read as streams. */
const small_bytes = 256 * 1024;

/** Reads and checks every file of the bundle in `folder`. Throws `BadBundle`. */
export async function checkBundle(folder: string): Promise<BundleManifest> {
  if (!existsSync(folder)) throw new BadBundle("File not found");
  const waiting = await filesOf(folder);
  const found = new Map<string, Omit<BundleFile, "path">>();
  await Promise.all(
    Array.from({ length: parallel_count }, async () => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        const file = path.join(folder, name);
        const { size } = await stat(file);
        found.set(name, {
          bytes: size,
          sha256: size > small_bytes ? await sha256OfFile(file) : sha256(await readFile(file)),
        });
      }
    }),
  );

  return checkFiles(folder, found);
}

/**
 * Checks `found`, the files in `folder` by path, against the manifest. Returns the manifest. Throws
 * `BadBundle`.
 */
export async function checkFiles(
  folder: string,
  found: ReadonlyMap<string, Omit<BundleFile, "path">>,
): Promise<BundleManifest> {
  const own = found.get(manifestPath);
  if (!own) throw new BadBundle(`The bundle has no ${manifestPath}`);
  requireManifestSize(manifestPath, own.bytes);
  const manifest = readBundleManifest(await readFile(path.join(folder, manifestPath)));
  const listed = new Set(manifest.files.map((file) => file.path));
  for (const name of found.keys())
    if (!listed.has(name) && name !== manifestPath && name !== signaturePath && name !== operatorPath)
      throw new BadBundle(`The bundle contains ${name}, which isn't in its manifest`);

  for (const { path: name, bytes, sha256 } of manifest.files) {
    const file = found.get(name);
    if (!file) throw new BadBundle(`The bundle is missing ${name}`);
    if (file.bytes !== bytes)
      throw new BadBundle(
        `${name} is ${file.bytes} bytes, but should be ${bytes} bytes according to the manifest`,
      );
    if (file.sha256 !== sha256) throw new BadBundle(`The hash of ${name} doesn't match the manifest`);
  }

  return manifest;
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pathIn = (entry: Dirent) =>
    path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/");
  const special = entries.find((entry) => !entry.isDirectory() && !entry.isFile());
  if (special)
    throw new BadBundle(`The bundle contains ${pathIn(special)}, which isn't a regular file or folder`);
  return entries.filter((entry) => entry.isFile()).map(pathIn);
}
