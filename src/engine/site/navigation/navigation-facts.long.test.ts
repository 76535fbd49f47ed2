/**
 * Compares the navigation of real repositories with what the reference makes of them: addresses, titles, and
 * order of all pages, including the generated ones. Each difference has a reason.
 */

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../../../../test/engine/build.ts";
import { corpusEntries, corpusOf } from "../../../../test/shared/corpus.ts";
import { filesFrom } from "../../../base/files.ts";
import { buildSite } from "../build-site.ts";
import type { Page } from "../page.ts";
import { isPage, type NavTreeItem } from "./resolve-navigation.ts";

interface Entry {
  path: string;
  title: string;
}

interface Fact extends Entry {
  file?: false;
}

/** Entries that only we have, or that only the reference has, and why. */
const reasons = {
  overview: "a document with a description has an overview page, docs/apis/pages.mdx",
  missing: "the page has no file, which is reported",
  replaced: "a page of the folder describes the operation, so none is generated for it",
  title: "a page without a title has that of its first heading, and titles have no blanks around them",
} as const;

type Reason = keyof typeof reasons;

/** Number of the differences of each repository, by reason. Repositories that aren't listed have none. */
const expected: Record<string, Partial<Record<Reason, number>>> = {
  dify: { title: 2 },
  digger: { title: 1 },
  elementary: { missing: 1 },
  formal: { missing: 5, replaced: 38 },
  "grid-api": { overview: 1 },
  lotus: { missing: 1 },
  spree: { overview: 8 },
  "z-up": { title: 24 },
};

const facts = corpusEntries(corpusOf.navigationFacts).filter((name) => name.endsWith(".json"));

const repositories = facts.map((file) => file.replace(".json", ""));

test.skipIf(facts.length === 0).each(facts.length ? repositories : ["no corpus"])(
  "%s",
  { timeout: 600_000 },
  async (name) => {
    const theirs = JSON.parse(
      readFileSync(path.join(corpusOf.navigationFacts, `${name}.json`), "utf8"),
    ) as Fact[];
    const { entries: ours, written } = await navigationOf(name);
    const found = differences(ours, theirs, written);
    const counts: Partial<Record<string, number>> = {};
    for (const { reason } of found) counts[reason] = (counts[reason] ?? 0) + 1;
    const none = found.filter(({ reason }) => !Object.hasOwn(reasons, reason));
    console.log(`${name}: ${theirs.length} entries, ${JSON.stringify(counts)}`);
    expect(none.slice(0, 20)).toEqual([]);
    expect(counts).toEqual(expected[name] ?? {});
  },
);

/** Reads the folder as the facts were made: `grid-api` has its document in the folder. */
async function navigationOf(name: string): Promise<{ entries: Entry[]; written: ReadonlySet<string> }> {
  const folder = [corpusOf.docs, corpusOf.moreDocs].map((above) => path.join(above, name)).find(inFolder)!;
  const files = Object.fromEntries(
    filesBelow(folder).map((file) => [file, readFileSync(path.join(folder, file))] as [string, Uint8Array]),
  );
  if (name === "grid-api") {
    const text = new TextDecoder().decode(files["docs.json"]);
    files["docs.json"] = new TextEncoder().encode(
      text.replace(/"https:[^"]*openapi\.documented\.yml"/, '"openapi.yaml"'),
    );
  }

  const { site } = await buildSite(filesFrom(files), { generator: "test", clock: Date.now });
  const written = new Set(
    [...site.pages.values()].filter(({ file }) => file in files).map(({ route }) => `/${route}`),
  );
  return { entries: [...entriesIn([site.navigation.root])], written };
}

function inFolder(folder: string): boolean {
  return ["docs.json", "mint.json"].some((name) => existsSync(path.join(folder, name)));
}

function* entriesIn(items: readonly NavTreeItem[]): Generator<Entry> {
  for (const item of items) {
    if (isPage(item)) yield entryOf(item.page);
    else {
      if (item.rootPage) yield entryOf(item.rootPage);
      yield* entriesIn(item.children);
    }
  }
}

function entryOf({ route, title, frontmatter }: Page): Entry {
  return { path: `/${route}`, title: frontmatter.sidebarTitle ?? title };
}

/** Compares the lists in order. `written`: paths of our pages that have a file. */
function differences(ours: readonly Entry[], theirs: readonly Fact[], written: ReadonlySet<string>) {
  const found: { reason: Reason | "none"; ours?: Entry; theirs?: Entry }[] = [];
  const [left, right] = [[...ours], theirs.map((fact) => ({ ...fact, path: plain(fact.path) }))];
  const [ourPaths, theirPaths] = [left, right].map((list) => new Set(list.map((entry) => entry.path)));
  while (left.length > 0 || right.length > 0) {
    const [our, their] = [left[0], right[0]];
    if (our && their && our.path === their.path) {
      if (our.title !== their.title) found.push({ reason: "title", ours: our, theirs: their });
      left.shift();
      right.shift();
    } else if (their && !ourPaths!.has(their.path)) {
      const isReplaced = /^\/api-reference\//.test(their.path) && their.file === undefined;
      found.push({
        reason: their.file === false ? "missing" : isReplaced ? "replaced" : "none",
        theirs: their,
      });
      right.shift();
    } else if (our && !theirPaths!.has(our.path)) {
      const reason = /\/overview$/.test(our.path) ? "overview" : written.has(our.path) ? "replaced" : "none";
      found.push({ reason, ours: our });
      left.shift();
    } else {
      found.push({ reason: "none", ...(our ? { ours: our } : {}), ...(their ? { theirs: their } : {}) });
      left.shift();
      right.shift();
    }
  }
  return found;
}

function plain(address: string): string {
  return address.replace(/\/index$/, "") || "/";
}
