/** Creates the next bundle from the current one and a delta. */

import { constants } from "node:fs";
import { copyFile, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { applyDelta as applyPatch, getDeltaTargetSize } from "fossil-delta";
import { limits } from "../base/limits.ts";
import { operatorPath } from "../engine/site/features.ts";
import { removeFolder } from "../io/remove-folder.ts";
import { sha256 } from "../io/sha256.ts";
import { deltaPath, patchFolder, readDeltaIndex, wholeFolder } from "./bundle-delta.ts";
import { BadBundle, manifestPath, readBundleManifest, signaturePath } from "./bundle-manifest.ts";

/**
 * Creates the files of the next bundle. `before`: folder with the files of the current bundle. `delta`:
 * folder with the unpacked delta, whose files are moved. The folder is removed on success. `site`: folder to
 * create for the next bundle. The caller must check the files in `site` against the manifest. Throws
 * `BadBundle` if the delta is damaged or is for a different bundle.
 */
export async function applyDelta(before: string, delta: string, site: string): Promise<void> {
  const index = readDeltaIndex(await readFile(path.join(delta, deltaPath), "utf8").catch(() => ""));
  const old = await readFile(path.join(before, manifestPath));
  if (sha256(old) !== index.from) throw new BadBundle("The delta is for a different previous bundle");

  await mkdir(site);

  const write = async (name: string, atMost_bytes: number): Promise<boolean> => {
    const file = path.join(site, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (await rename(path.join(delta, wholeFolder, name), file).then(() => true, ifMissing)) return true;

    const patch = await readFile(path.join(delta, patchFolder, name)).catch(ifMissing);
    if (!patch) return false;

    await writeFile(
      file,
      patched(
        name,
        await readFile(path.join(before, name)).catch(() => Buffer.alloc(0)),
        patch,
        atMost_bytes,
      ),
    );

    return true;
  };

  await write(manifestPath, limits.deltaChanged_bytes);
  const manifest = await readFile(path.join(site, manifestPath)).catch(() => Buffer.alloc(0));
  if (sha256(manifest) !== index.to)
    throw new BadBundle("The delta doesn't produce the bundle that its manifest describes");

  for (const { path: name, bytes } of readBundleManifest(manifest).files) {
    if (await write(name, bytes)) continue;
    const there = path.join(before, name);
    if ((await stat(there).catch(() => undefined)) === undefined)
      throw new BadBundle(`The delta is missing ${name}`);
    // A copy (or a reflink): a hard link would share later changes with the previous bundle.
    await copyFile(there, path.join(site, name), constants.COPYFILE_FICLONE);
  }

  await write(signaturePath, limits.deltaChanged_bytes);
  await write(operatorPath, limits.deltaChanged_bytes);
  await removeFolder(delta);
}

/** Applies a patch. Checks the size of the result first, to limit memory. Throws `BadBundle`. */
function patched(name: string, old: Uint8Array, patch: Uint8Array, atMost_bytes: number): Uint8Array {
  try {
    if (getDeltaTargetSize(patch) > atMost_bytes)
      throw new Error("it produces more data than the manifest allows");
    return applyPatch(old, patch);
  } catch (error) {
    throw new BadBundle(`The delta for ${name} is damaged: ${(error as Error).message}`);
  }
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  throw error;
}
