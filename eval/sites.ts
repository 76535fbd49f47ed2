/** Builds documentation sites and opens their search indexes. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Payload, payloadOf } from "../src/engine/search/index-format.ts";
import { SearchIndex } from "../src/engine/search/search-index.ts";
import { searchFilePath } from "../src/layout/site-layout.ts";
import { root } from "./sets.ts";
import { addVectors } from "./vectors.ts";

/** Builds a folder of documentation. Returns the folder of the site. */
export function buildDocs(name: string, folder: string): string {
  const out = path.join(root, ".octavo", "eval", name);
  mkdirSync(path.dirname(out), { recursive: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, "bin/octavo.js"), "build", folder, "--out", out],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0 && status !== 1) throw new Error(`octavo build failed: ${stderr}`);
  return out;
}

export async function openSiteIndex(site: string, language: string): Promise<SearchIndex> {
  const load = async (name: string) => readIndexFile(site, language, name);
  return addVectors(await SearchIndex.open(load), path.basename(site), load);
}

/** The payload of a file of the search index. */
export function readIndexFile(site: string, language: string, name: string): Payload {
  return payloadOf(readFileSync(path.join(site, searchFilePath(name, { language })), "utf8"));
}
