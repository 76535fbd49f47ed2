/**
 * Suggests pages with similar names on the 404 page. The file with the list of pages contains this script and
 * calls `octavoPages`.
 */

import { nearest } from "../base/nearest.ts";
import { percentDecoded } from "../base/url.ts";
import { create } from "./dom.ts";

declare global {
  interface Window {
    octavoPages?: (pages: [title: string, href: string][]) => void;
  }
}

const shown_count = 5;

/** Minimum similarity of a suggested page, from 0 to 1. */
const minSimilarity = 0.4;
/** Minimum share of the requested words that a suggested page has, from 0 to 1. */
const minShared = 0.5;
/** Minimum length of a word that is also matched in a different spelling, in characters. */
const misspelled_chars = 4;

const section = document.getElementById("near");
const list = section?.querySelector("ul");
if (section && list)
  window.octavoPages = (pages) => {
    const requested = wordsOf(pathOf(location.pathname));
    const near = pages
      .map(([title, href]) => ({
        title,
        href,
        ...similarity(requested, wordsOf(`${pathOf(href)} ${title}`)),
      }))
      .filter((page) => page.similarity >= minSimilarity && page.shared >= minShared)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, shown_count);

    for (const { title, href } of near) {
      const item = document.createElement("li");
      item.append(create("a", { href, textContent: title }));
      list.append(item);
    }

    section.hidden = near.length === 0;
  };

function pathOf(url: string): string {
  return percentDecoded(url).replace(/\.\w+$/, "");
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/**
 * Returns the similarity of two sets of words, and the share of the requested words that are in both, from 0
 * to 1. A misspelled word counts as half a match.
 */
function similarity(
  requested: ReadonlySet<string>,
  words: ReadonlySet<string>,
): { similarity: number; shared: number } {
  let matches = 0;
  for (const word of requested)
    if (words.has(word)) matches++;
    else if (word.length >= misspelled_chars && nearest(word, words)) matches += 0.5;
  return {
    similarity: (2 * matches) / (requested.size + words.size || 1),
    shared: matches / (requested.size || 1),
  };
}
