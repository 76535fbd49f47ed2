/** Makes the next bundle of the one that is there and what leads on from it. */
import { constants } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { applyDelta as applyPatch, getDeltaTargetSize } from "fossil-delta";
import { limits } from "../base/limits.ts";
import { operatorPath } from "../engine/site/features.ts";
import { sha256 } from "../io/sha256.ts";
import { deltaPath, patchFolder, readDeltaIndex, wholeFolder } from "./bundle-delta.ts";
import { BadBundle, manifestPath, readBundleManifest } from "./bundle-manifest.ts";

/**
 * `before`: files of the bundle that is there; `delta`: of the unpacked delta, which is used up; `site`: where the files of the
 * next one are put. They are as good as the delta: whoever shows them checks them first. Throws `BadBundle`.
 */
export async function applyDelta(before: string, delta: string, site: string): Promise<void> {
  const index = readDeltaIndex(await readFile(path.join(delta, deltaPath), "utf8").catch(() => ""));
  const old = await readFile(path.join(before, manifestPath));
  if (sha256(old) !== index.from) throw new BadBundle("The delta leads on from another bundle than the one that is here");
  await mkdir(site);
  const make = async (name: string, atMost_bytes: number): Promise<boolean> => {
    const file = path.join(site, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (await rename(path.join(delta, wholeFolder, name), file).then(() => true, ifMissing)) return true;
    const patch = await readFile(path.join(delta, patchFolder, name)).catch(ifMissing);
    if (!patch) return false;
    await writeFile(file, patched(name, await readFile(path.join(before, name)).catch(() => Buffer.alloc(0)), patch, atMost_bytes));
    return true;
  };
  await make(manifestPath, limits.deltaChanged_bytes);
  const manifest = await readFile(path.join(site, manifestPath)).catch(() => Buffer.alloc(0));
  if (sha256(manifest) !== index.to) throw new BadBundle("The delta does not lead to the bundle that it names");
  for (const { path: name, bytes } of readBundleManifest(manifest).files) {
    if (await make(name, bytes)) continue;
    const there = path.join(before, name);
    if ((await stat(there).catch(() => undefined)) === undefined) throw new BadBundle(`The delta lacks ${name}`);
    // Not a link: what a disk does to one bundle must not be done to the one before, too.
    await copyFile(there, path.join(site, name), constants.COPYFILE_FICLONE);
  }
  await make(operatorPath, limits.deltaChanged_bytes);
  await rm(delta, { recursive: true });
}

/** The size stands in the patch, so what it would need is known before it is given. */
function patched(name: string, old: Uint8Array, patch: Uint8Array, atMost_bytes: number): Uint8Array {
  try {
    if (getDeltaTargetSize(patch) > atMost_bytes) throw new Error("it makes more than the manifest says");
    return applyPatch(old, patch);
  } catch (error) {
    throw new BadBundle(`The delta of ${name} is damaged: ${(error as Error).message}`);
  }
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  throw error;
}
