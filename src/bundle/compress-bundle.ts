/** Compresses the text files of a bundle and stores them in its `packed` folder. */

import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { typeOf } from "../host/content-type.ts";
import { sha256 } from "../io/sha256.ts";
import type { CompressedSizes } from "./bundle-site.ts";
import type { Bundle } from "./bundle-store.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Minimum size of a file to compress, in bytes. */
const minimum_bytes = 1_000;
/** Maximum size of a file to compress, in bytes. */
const maximum_bytes = 20_000_000;

/**
 * Returns the sizes of the files in the `packed` folder. Empty if no call to `compressBundle` has completed,
 * or if a compressed file is missing or damaged. The caller must then compress all files.
 */
export async function compressedSizes({ folder, manifest }: Bundle): Promise<CompressedSizes> {
  const list = path.join(folder, "packed.json");
  if (!existsSync(list)) return new Map();

  try {
    const sizes = new Map(JSON.parse(await readFile(list, "utf8")) as [string, number][]);
    for (const { path: name, bytes, sha256: hash } of manifest.files) {
      if (!sizes.has(name)) continue;
      const packed = await readFile(path.join(folder, "packed", `${name}.gz`));
      const unpacked = await unpack(packed, { maxOutputLength: Math.max(bytes, 1) });
      if (packed.length !== sizes.get(name) || sha256(unpacked) !== hash)
        throw new Error(`${name} was changed`);
    }
    return sizes;
  } catch {
    await rm(list, { force: true });
    return new Map();
  }
}

/**
 * Compresses the text files, and resolves with the compressed sizes. Rejects if the signal is aborted before
 * the last file.
 */
export async function compressBundle(
  { folder, manifest }: Bundle,
  signal: AbortSignal,
): Promise<CompressedSizes> {
  const sizes: [string, number][] = [];
  for (const { path: name, bytes } of manifest.files) {
    if (
      bytes < minimum_bytes ||
      bytes > maximum_bytes ||
      !/^(?:text\/|application\/(?:json|xml|yaml)|image\/svg)/.test(typeOf(name))
    )
      continue;
    signal.throwIfAborted();
    const packed = await pack(await readFile(path.join(folder, "site", name)), { level: 6 });
    const file = path.join(folder, "packed", `${name}.gz`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, packed);
    sizes.push([name, packed.length]);
  }

  const list = path.join(folder, "packed.json");
  await writeFile(`${list}.part`, JSON.stringify(sizes));
  await rename(`${list}.part`, list);

  return new Map(sizes);
}
