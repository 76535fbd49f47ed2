/**
 * Tests that a word with one wrong, missing, additional or swapped letter finds a page with the word. The
 * pages come from a judge that reads the text of all passages and knows nothing of the index.
 */

import path from "node:path";
import { stemmer } from "@orama/stemmers/english";
import { describe, expect, test } from "vitest";
import { buildSiteFrom, readFiles, root } from "../../../test/engine/build.ts";
import { openIndex, sectionsIn } from "../../../test/engine/open-index.ts";
import { corpusOf, inCorpus } from "../../../test/shared/corpus.ts";
import { numbers } from "../../../test/shared/random.ts";
import { stopWords } from "./stop-words.ts";

const folders = [
  path.join(root, "docs"),
  ...["agentstack", "digger", "hanko"].map((name) => path.join(corpusOf.moreDocs, name)),
];

describe.each(folders.filter(inCorpus))("%s", async (folder) => {
  const site = await buildSiteFrom(readFiles(folder));
  const index = await openIndex(site);
  const pages = pagesByWord(sectionsIn(site));
  const random = numbers(7);
  const stems = new Map<string, Set<string>>();
  for (const [word, routes] of pages)
    for (const route of routes) stems.set(stemmer(word), (stems.get(stemmer(word)) ?? new Set()).add(route));
  const holds = (word: string, route: string) => stems.get(stemmer(word))?.has(route) ?? false;

  /** Whether a page has the word, a word with the same stem, or a word that starts with it. */
  const isKnown = (word: string) =>
    stems.has(stemmer(word)) || [...pages.keys()].some((other) => other.startsWith(word));
  const isSimilar = (word: string, route: string) =>
    [...pages.keys()].some((other) => isOneEdit(word, other) && holds(other, route));

  const find = async (text: string) =>
    (await index.search({ text, limit: 10, isTyping: true })).hits.map(({ route }) => route);

  test("a misspelled word finds a page with the word", { timeout: 300_000 }, async () => {
    let [tried, right, similar] = [0, 0, 0];
    const missing: string[] = [];
    const words = [...pages.keys()].filter((word) => /^[a-z]{5,20}$/.test(word)).sort();
    while (tried < 400) {
      const word = words[random(words.length)]!;
      const typed = misspelled(word, random);
      if (isKnown(typed) || !(await find(word)).some((route) => holds(word, route))) continue;
      tried++;
      const found = await find(typed);
      if (found.some((route) => holds(word, route))) right++;
      else if (found[0] !== undefined && isSimilar(typed, found[0])) similar++;
      else missing.push(`${typed} (${word})`);
    }

    console.log(
      `${path.basename(folder)}: ${tried} misspelled words, ${right} find the word, ${similar} another word that is one edit away; others: ${missing.join(", ")}`,
    );
    expect(right / tried).toBeGreaterThan(0.92);
    expect((right + similar) / tried).toBeGreaterThan(0.93);
  });
});

/** The routes of the pages with each word. Stop words aren't in the index. */
function pagesByWord(sections: ReturnType<typeof sectionsIn>): Map<string, Set<string>> {
  const pages = new Map<string, Set<string>>();
  const stops = stopWords("en");
  for (const { route, title, headings, passages } of sections)
    for (const word of [title, ...headings, ...passages]
      .join("\n")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [])
      if (!stops.has(word)) pages.set(word, (pages.get(word) ?? new Set()).add(route));
  return pages;
}

function misspelled(word: string, random: (below: number) => number): string {
  const at = random(word.length - 1);
  const [before, letter, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
  const other = String.fromCharCode(97 + random(26));
  return [
    before + after,
    before + other + after,
    before + other + letter + after,
    before + after[0]! + letter + after.slice(1),
  ][random(4)]!;
}

/** Whether two words differ by one edit. */
function isOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short === long || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const [s, l] = [short.slice(at), long.slice(at)];
  if (short.length < long.length) return s === l.slice(1);
  return s.slice(1) === l.slice(1) || (s[0] === l[1] && s[1] === l[0] && s.slice(2) === l.slice(2));
}
