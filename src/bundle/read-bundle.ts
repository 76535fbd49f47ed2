/** Reads the files of an unpacked bundle, a `.tar.gz` or a `.zip`. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { TextFinder } from "../base/text-finder.ts";
import { hashOf } from "../engine/hash-of.ts";
import { entriesOf } from "./archive-entries.ts";
import { BadBundle } from "./bundle-manifest.ts";

export interface ReadFile {
  name: string;
  bytes: Uint8Array;
}

/**
 * Yields the files, one at a time. Throws if the bundle can't be read, and a BadBundle if it contains a file
 * twice, or something that is neither a file nor a folder, such as a link.
 */
export async function* filesOfBundle(bundle: string): AsyncGenerator<ReadFile> {
  const names = new Set<string>();
  const onOther = (name: string) => {
    throw new BadBundle(`The bundle contains ${name}, which is neither a file nor a folder`);
  };
  for await (const file of filesIn(bundle, onOther)) {
    if (names.has(file.name)) throw new BadBundle(`The bundle contains ${file.name} twice`);
    names.add(file.name);
    yield file;
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
  } else if (bundle.endsWith(".zip")) {
    const names: string[] = [];
    // The result is an object, so it has only the last of the entries with a name.
    const files = unzipSync(readFileSync(bundle), { filter: ({ name }) => names.push(name) > 0 });
    for (const name of names) yield { name, bytes: files[name]! };
  } else
    for await (const entry of entriesOf(bundle, { onOther }))
      yield { name: entry.name, bytes: await entry.bytes() };
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
