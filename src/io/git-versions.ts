/** Reads the versions of OpenAPI documents of a fetched branch, and stores them beside the files. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ApiVersions, VersionSettings } from "../base/api-versions.ts";
import { listingOf, objectsOf, readListing, readObjects } from "./api-versions.ts";
import { ByteReader } from "./byte-reader.ts";
import { type Git, GitFailed, killGroup } from "./git-process.ts";
import { completeFetch, deeperFetch, shallowFetch } from "./git-remote.ts";

/**
 * The file with the versions, in the folder of the branch's files. Git sources have no file of this name.
 */
export const versionsFile = ".octavo-versions.json";

/** Maximum time to read the versions. After it, the branch has none. */
const versions_ms = 60_000;
/** Maximum size of the output of git, and of the documents of all versions. */
const listing_bytes = 20_000_000;
const documents_bytes = 100_000_000;
const head = "refs/octavo";
const everything = 1_000_000;

interface StoredVersions {
  history: ApiVersions["history"];
  versions: { label: string; date: string; objects: Record<string, string> }[];
  /** Texts of the files by object. */
  texts: Record<string, string>;
}

/**
 * Stores the versions of the documents if `api.changes` in docs.json asks for them. `directory`: path of the
 * files in the branch, or empty. `fetchRef`: fetches into a refspec. Default: the commit.
 */
export async function storeVersions(
  whole: Git,
  directory: string,
  folder: string,
  fetchRef: (git: Git, args: readonly string[], refspec?: string) => Promise<void>,
): Promise<void> {
  const settings = settingsIn(folder);
  if (!settings) return;

  const git = whole.limited(versions_ms);
  let stored: StoredVersions = { history: "late", versions: [], texts: {} };
  try {
    if (settings.source === "days") await fetchRef(git, completeFetch);
    else {
      await fetchRef(git, shallowFetch, "+refs/tags/*:refs/tags/*");
      await fetchRef(git, deeperFetch(everything));
    }
    stored = await readVersions(git, settings, directory);
  } catch {
    // The deployment doesn't fail for lack of versions.
    whole.throwIfAborted();
  }

  writeFileSync(path.join(folder, versionsFile), JSON.stringify(stored));
}

/** Returns `api.changes` of docs.json, if it can be read. The build reports what is wrong with it. */
function settingsIn(folder: string): VersionSettings | undefined {
  try {
    const settings = JSON.parse(readFileSync(path.join(folder, "docs.json"), "utf8")) as {
      api?: { changes?: VersionSettings };
    };
    return settings.api?.changes;
  } catch {
    return undefined;
  }
}

async function readVersions(git: Git, settings: VersionSettings, directory: string): Promise<StoredVersions> {
  const files = await documentsIn(git, directory);
  if (files.length === 0) return { history: "complete", versions: [], texts: {} };
  const listing = await outputOf(git, listingOf(settings, files, head), "\n");
  const { versions, history } = readListing(listing, settings);
  const prefix = directory ? `${directory}/` : "";
  const stored: StoredVersions["versions"] = [];
  const wanted = new Set<string>();

  for (const { label, date, commit } of versions) {
    const found = readObjects(await outputOf(git, objectsOf(commit, files), "\0"));
    const objects = Object.fromEntries(
      [...found].map(([file, object]) => [file.slice(prefix.length).normalize("NFC"), object]),
    );
    for (const object of found.values()) wanted.add(object);
    stored.push({ label, date, objects });
  }

  return { history, versions: stored, texts: await textsOf(git, [...wanted]) };
}

/** Returns the paths of files in the branch that look like OpenAPI documents or overlays. */
async function documentsIn(git: Git, directory: string): Promise<string[]> {
  const keys = "openapi|swagger|overlay";
  const patterns = [`^["']?(${keys})["']?[[:space:]]*:`, `"(${keys})"[[:space:]]*:`];
  const tree = directory ? `${head}:${directory}` : head;
  try {
    const output = await outputOf(
      git,
      [
        "grep",
        "-z",
        "--name-only",
        "-E",
        ...patterns.flatMap((pattern) => ["-e", pattern]),
        tree,
        "--",
        "*.json",
        "*.yaml",
        "*.yml",
      ],
      "\0",
    );
    const prefix = directory ? `${directory}/` : "";
    const names = output.split("\0").filter(Boolean);
    return names.map((name) => prefix + name.slice(tree.length + 1));
  } catch (error) {
    if (error instanceof GitFailed) return [];
    throw error;
  }
}

async function outputOf(git: Git, args: readonly string[], end: "\0" | "\n"): Promise<string> {
  const records: string[] = [];
  const take = (record: Buffer) => void records.push(record.toString("utf8"));
  await git.run(args, { records: { end, most_bytes: listing_bytes, take } });
  return records.join(end);
}

async function textsOf(git: Git, objects: readonly string[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  const child = git.start(["cat-file", "--batch", "--buffer"]);
  child.stdin!.on("error", () => {});
  child.stdin!.end(objects.map((object) => `${object}\n`).join(""));
  const input = new ByteReader(child.stdout!);
  let left = documents_bytes;
  try {
    for (const object of objects) {
      const [, type, size] = (await input.line(200)).toString("latin1").split(" ");
      left -= Number(size);
      if (type !== "blob" || !(left >= 0)) throw new Error("The documents are missing or too large");
      texts[object] = (await input.take(Number(size))).toString("utf8");
      await input.line(1);
    }
  } finally {
    killGroup(child);
  }
  return texts;
}

/** Returns what `storeVersions` stored in a folder. Undefined if there is nothing valid. */
export function readStoredVersions(folder: string): ApiVersions | undefined {
  const file = path.join(folder, versionsFile);
  if (!existsSync(file) || statSync(file).size > 2 * documents_bytes) return undefined;
  try {
    const { history, versions, texts } = JSON.parse(readFileSync(file, "utf8")) as StoredVersions;
    const known = new Map(Object.entries(texts).filter(([, text]) => typeof text === "string"));
    return {
      history,
      versions: versions
        .filter(({ label, date }) => typeof label === "string" && typeof date === "string")
        .map(({ label, date, objects }) => {
          const ids = new Map(Object.entries(objects).filter(([, id]) => known.has(id)));
          return { label, date, idOf: (name) => ids.get(name), textOf: (name) => known.get(ids.get(name)!)! };
        }),
    };
  } catch {
    return undefined;
  }
}
