/** After any edit, the index that is updated from the cache is the same as a new index. */

import { describe, expect, test } from "vitest";
import { numbers } from "../../../test/shared/random.ts";
import { hashOf } from "../hash-of.ts";
import { MemoryStore, type Store } from "../incremental/store.ts";
import { partNames } from "../search/index-parts.ts";
import { CachedIndex, type PlannedPage } from "./cached-index.ts";

interface Source {
  route: string;
  texts: string[];
  version?: string;
}

/** A sentence with a word that more passages contain than the index lists for it. */
function sentence(next: (below: number) => number): string {
  return `common ${Array.from({ length: 12 }, () => `word${next(next(2) ? 40 : 4_000)}`).join(" ")}`;
}

function planned({ route, texts, version }: Source): PlannedPage {
  const header = {
    route,
    title: route,
    breadcrumbs: ["Guides"],
    keywords: [],
    boost: 1,
    ...(version ? { version } : {}),
  };
  const sections = texts.map((text, index) => ({
    anchor: index ? `s${index}` : "",
    headings: index ? [`Part ${index}`] : [],
    text,
  }));
  return { route, header, version: hashOf(JSON.stringify(sections)), sections: () => sections };
}

/** Returns the parts of the index by name. `store`: the cache of earlier builds. */
function indexOf(pages: readonly Source[], store: Store = new MemoryStore()): Map<string, string> {
  const files = new CachedIndex(pages.map(planned), { language: "en", name: "en", generator: "test", store });
  const contentOf = (name: string) =>
    name.startsWith("p") ? `${files.passages(name).map(({ json }) => json)}` : files.other(name);
  return new Map(partNames(pages.length).map((name) => [name, contentOf(name)]));
}

/** Names of the parts that differ. */
function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}

const next = numbers(7);
const routeOf = (number: number) => `guides/page-${String(number).padStart(4, "0")}`;
const sources = (): Source[] =>
  Array.from({ length: 600 }, (_, number) => ({
    route: routeOf(number),
    texts: Array.from({ length: 1 + next(8) }, () => sentence(next)),
    version: number < 500 ? "v1" : "v2",
  }));

const edits: [what: string, edit: (pages: Source[]) => Source[]][] = [
  [
    "a sentence is added",
    (pages) =>
      pages.map((page, at) => (at === 70 ? { ...page, texts: [`${page.texts[0]} new words`] } : page)),
  ],
  [
    "a sentence is removed",
    (pages) =>
      pages.map((page, at) => (at === 70 ? { ...page, texts: [page.texts[0]!.slice(0, 20)] } : page)),
  ],
  [
    "five pages change",
    (pages) =>
      pages.map((page, at) =>
        at % 120 === 3 ? { ...page, texts: page.texts.map(() => sentence(next)) } : page,
      ),
  ],
  [
    "a page has more sections",
    (pages) => pages.map((page, at) => (at === 5 ? { ...page, texts: [...page.texts, "one", "two"] } : page)),
  ],
  [
    "a page has many more sections",
    (pages) =>
      pages.map((page, at) =>
        at === 5
          ? { ...page, texts: [...page.texts, ...Array.from({ length: 40 }, () => sentence(next))] }
          : page,
      ),
  ],
  [
    "a page is added",
    (pages) => [
      ...pages.slice(0, 200),
      { route: `${routeOf(199)}-added`, texts: ["An added page"] },
      ...pages.slice(200),
    ],
  ],
  ["a page is removed", (pages) => pages.filter((_, at) => at !== 333)],
  [
    "a page moves to another version",
    (pages) => pages.map((page, at) => (at === 500 ? { ...page, version: "v1" } : page)),
  ],
  [
    "many words are new",
    (pages) =>
      pages.map((page, at) =>
        at === 8 ? { ...page, texts: [Array.from({ length: 3_000 }, (_, n) => `n${n}`).join(" ")] } : page,
      ),
  ],
  ["nothing changes", (pages) => pages],
];

describe("updates of an index", () => {
  const store = new MemoryStore(true);
  let pages = sources();

  test("the first build", () => {
    expect(differences(indexOf(pages, store), indexOf(pages))).toEqual([]);
  });

  test.each(edits)("%s", (_, edit) => {
    pages = edit(pages);
    expect(differences(indexOf(pages, store), indexOf(pages))).toEqual([]);
  });

  test("many random edits", () => {
    for (let round = 0; round < 8; round++) {
      const at = next(pages.length);
      const { route, texts } = pages[at]!;
      const changed = texts.map((text) =>
        next(2) ? text : next(2) ? `${text} ${sentence(next)}` : sentence(next),
      );
      pages = pages.with(at, { ...pages[at]!, route, texts: changed });
      expect(differences(indexOf(pages, store), indexOf(pages))).toEqual([]);
    }
  });

  test("half of the shards are missing in the cache", () => {
    const restored = new Set<string>();
    const isMissing = (name: string) =>
      name.startsWith("shard\n") && name.length % 2 === 1 && !restored.has(name);
    const damaged: Store = {
      isLasting: true,
      has: (name, key) => !isMissing(name) && store.has(name, key),
      get: (name, key) => (isMissing(name) ? undefined : store.get(name, key)),
      keep: (name, key, value) => {
        restored.add(name);
        store.keep(name, key, value);
      },
    };
    expect(differences(indexOf(pages, damaged), indexOf(pages))).toEqual([]);
    expect(restored.size).toBeGreaterThan(0);
  });

  test("an added sentence changes few parts", () => {
    const before = indexOf(pages, store);
    pages = pages.with(400, {
      ...pages[400]!,
      texts: ["A brand new sentence", ...pages[400]!.texts.slice(1)],
    });
    const after = indexOf(pages, store);
    const changed = differences(before, after);
    expect(changed.filter((name) => name.startsWith("d"))).toEqual([]);
    expect(changed.filter((name) => name.startsWith("t")).length).toBeLessThan(20);
    expect(indexOf(pages, store)).toEqual(after);
  });
});
