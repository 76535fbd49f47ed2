/** Reads the files of an unpacked bundle, a `.tar.gz` or a `.zip`. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { TextFinder } from "../base/text-finder.ts";
import { entriesOf } from "./archive-entries.ts";

export interface ReadFile {
  name: string;
  bytes: Uint8Array;
}

/** Yields the files, one at a time. Throws if the bundle can't be read. */
export async function* filesOfBundle(bundle: string): AsyncGenerator<ReadFile> {
  if (statSync(bundle).isDirectory()) {
    const entries = readdirSync(bundle, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of entries) {
      const file = path.join(entry.parentPath, entry.name);
      yield { name: path.relative(bundle, file).split(path.sep).join("/"), bytes: readFileSync(file) };
    }
  } else if (bundle.endsWith(".zip")) {
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(bundle)))) yield { name, bytes };
  } else for await (const entry of entriesOf(bundle)) yield { name: entry.name, bytes: await entry.bytes() };
}

/** Returns the names of the files that contain one of the texts, which `TextFinder` must support, and the number of all files. */
export async function findTexts(bundle: string, texts: readonly string[]): Promise<{ found: string[]; files: number }> {
  const finder = new TextFinder(texts);
  const found: string[] = [];
  let files = 0;
  for await (const { name, bytes } of filesOfBundle(bundle)) {
    files++;
    if (finder.findIn(bytes).size > 0) found.push(name);
  }
  return { found, files };
}
