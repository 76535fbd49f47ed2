/** Holds the files of an unpacked bundle against its manifest: nothing missing, nothing more, nothing altered. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { BadBundle, type BundleFile, type BundleManifest, manifestPath, readBundleManifest } from "../../base/bundle-manifest.ts";
import { operatorPath } from "../../engine/export/asking.ts";

/** Files that are read at once. */
const parallel_count = 8;

/** `folder`: where the bundle lies. Throws `BadBundle`. */
export async function checkBundle(folder: string): Promise<BundleManifest> {
  const bytes = await readFile(path.join(folder, manifestPath)).catch(() => undefined);
  if (!bytes) throw new BadBundle(`The bundle has no ${manifestPath}`);
  const manifest = readBundleManifest(bytes);
  const listed = new Set(manifest.files.map((file) => file.path));
  for (const found of await filesOf(folder))
    if (!listed.has(found) && found !== manifestPath && found !== operatorPath)
      throw new BadBundle(`The bundle has ${found}, which its manifest does not list`);
  const waiting = [...manifest.files];
  await Promise.all(
    Array.from({ length: parallel_count }, async () => {
      for (let file = waiting.pop(); file; file = waiting.pop()) await checkFile(folder, file);
    }),
  );
  return manifest;
}

async function checkFile(folder: string, { path: name, bytes, sha256 }: BundleFile): Promise<void> {
  const file = path.join(folder, name);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new BadBundle(`The bundle lacks ${name}`);
  if (found.size !== bytes) throw new BadBundle(`${name} has ${found.size} bytes; the manifest says ${bytes}`);
  if ((await hashOfFile(file)) !== sha256) throw new BadBundle(`${name} is not the file that the manifest lists: its hash is another`);
}

/** SHA-256 in hex. */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}
