/** Reads the files of an unpacked bundle, a `.tar.gz` or a `.zip`. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type UnzipFileInfo, unzipSync } from "fflate";
import { limits } from "../base/limits.ts";
import { megabytes } from "../base/megabytes.ts";
import { TextFinder } from "../base/text-finder.ts";
import { hashOf } from "../engine/hash-of.ts";
import { BadArchive, requireRatio } from "../io/archive-limits.ts";
import { entriesOf, readFile_bytes } from "./archive-entries.ts";
import { BadBundle } from "./bundle-manifest.ts";

/** Number of bytes of a ZIP archive that are decompressed at a time, unless a single file is larger. */
const zipBatch_bytes = 64 * 1024 * 1024;

export interface ReadFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Yields the files, one at a time. Throws if the bundle can't be read, and a BadBundle if it isn't an
 * archive, has a file above `readFile_bytes`, unpacks to far more than its size, or contains a file
 * twice or something that is neither a file nor a folder, such as a link.
 */
export async function* filesOfBundle(bundle: string): AsyncGenerator<ReadFile> {
  const names = new Set<string>();
  const onOther = (name: string) => {
    throw new BadBundle(`The bundle contains ${name}, which is neither a file nor a folder`);
  };
  try {
    for await (const file of filesIn(bundle, onOther)) {
      if (names.has(file.name)) throw twice(file.name);
      names.add(file.name);
      yield file;
    }
  } catch (error) {
    if (error instanceof BadArchive) throw new BadBundle(`${path.basename(bundle)}: ${error.message}`);
    // The codes of zlib, and the message of fflate.
    const { code, message } = error as { code?: unknown; message: string };
    if (!String(code).startsWith("Z_") && message !== "invalid zip data") throw error;
    throw new BadBundle(`${path.basename(bundle)} isn't a .tar.gz or .zip archive, or it's damaged`);
  }
}

async function* filesIn(bundle: string, onOther: (name: string) => void): AsyncGenerator<ReadFile> {
  if (statSync(bundle).isDirectory()) {
    for (const entry of readdirSync(bundle, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(bundle, file).split(path.sep).join("/");
      if (entry.isFile()) yield { name, bytes: readFileSync(file) };
      else if (!entry.isDirectory()) onOther(name);
    }
  } else if (bundle.endsWith(".zip")) yield* filesInZip(bundle);
  else
    for await (const entry of entriesOf(bundle, { onOther, file_bytes: readFile_bytes }))
      yield { name: entry.name, bytes: await entry.bytes() };
}

/**
 * Yields the files in the list at the end of a ZIP archive. Decompresses about `zipBatch_bytes` at a time.
 * Throws `BadArchive` if the sizes in the list exceed a limit of bundles. Content that is larger than its
 * size in the list is truncated.
 */
function* filesInZip(bundle: string): Generator<ReadFile> {
  const archive = readFileSync(bundle);
  const entries: UnzipFileInfo[] = [];
  let total_bytes = 0;
  unzipSync(archive, {
    filter: (entry) => {
      entries.push(entry);
      total_bytes += sizeOf(entry);
      if (entries.length > limits.bundle.entries_count)
        throw new BadArchive(`The archive has more than ${limits.bundle.entries_count} entries`);
      if (sizeOf(entry) > readFile_bytes)
        throw new BadArchive(`${entry.name} is larger than ${megabytes(readFile_bytes)}`);
      return false;
    },
  });

  requireRatio(total_bytes, archive.length);

  const names = new Set<string>();
  for (const { name } of entries) {
    if (names.has(name)) throw twice(name);
    names.add(name);
  }

  for (let from = 0, to = 0; from < entries.length; from = to) {
    let batch_bytes = 0;
    while (to < entries.length && (to === from || batch_bytes + sizeOf(entries[to]!) <= zipBatch_bytes))
      batch_bytes += sizeOf(entries[to++]!);

    const batch = new Set(entries.slice(from, to).map(({ name }) => name));
    const files = unzipSync(archive, { filter: ({ name }) => batch.has(name) });
    for (const name of batch) yield { name, bytes: files[name]! };
  }
}

/** Returns the memory that an entry can need. A file that isn't compressed has its size in the archive. */
function sizeOf({ size, originalSize }: UnzipFileInfo): number {
  return Math.max(size, originalSize);
}

function twice(name: string): BadBundle {
  return new BadBundle(`The bundle contains ${name} twice`);
}

/**
 * Returns the names of the files that contain one of the texts, which `TextFinder` must support, and the
 * number of all files.
 */
export async function findTexts(
  bundle: string,
  texts: readonly string[],
  hashes: readonly string[] = [],
): Promise<{ found: string[]; files: number }> {
  const finder = new TextFinder(texts);
  const contents = new Set(hashes);
  const found: string[] = [];
  let files = 0;
  for await (const { name, bytes } of filesOfBundle(bundle)) {
    files++;
    if (finder.findIn(bytes).size > 0 || (contents.size > 0 && contents.has(hashOf(bytes)))) found.push(name);
  }
  return { found, files };
}
