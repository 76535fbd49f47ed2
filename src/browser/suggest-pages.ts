import { nearest } from "../base/text.ts";

declare global {
  interface Window {
    octavoPages?: (pages: [title: string, href: string][]) => void;
  }
}

const shown_count = 5;
/** Of 1: below it, pages have too little in common with the address. */
const leastLikeness = 0.3;

/** The page for unknown addresses: links the pages whose names come near, once their list arrives. */
export function startNotFound(): void {
  const section = document.getElementById("near");
  const list = section?.querySelector("ul");
  if (!section || !list) return;
  window.octavoPages = (pages) => {
    const wanted = wordsOf(pathOf(location.pathname));
    const near = pages
      .map(([title, href]) => ({ title, href, likeness: likeness(wanted, wordsOf(`${pathOf(href)} ${title}`)) }))
      .filter((page) => page.likeness >= leastLikeness)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, shown_count);
    for (const { title, href } of near) {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href, textContent: title }));
      list.append(item);
    }
    section.hidden = near.length === 0;
  };
}

function pathOf(address: string): string {
  try {
    return decodeURIComponent(address).replace(/\.\w+$/, "");
  } catch {
    return address;
  }
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** How much two sets of words share, from 0 to 1; a misspelt word counts half. */
function likeness(wanted: ReadonlySet<string>, words: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of wanted) shared += words.has(word) ? 1 : nearest(word, words) ? 0.5 : 0;
  return (2 * shared) / (wanted.size + words.size || 1);
}
