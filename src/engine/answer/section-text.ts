import type { Passage } from "../search/search-hit.ts";

export interface SectionText {
  text: string;
  /** Start and end offsets of the best passage in `text`. */
  best: { start: number; end: number };
}

/**
 * Joins the best passage with its neighbors, in the order of the section. A neighbor is added if the total
 * length of the passages stays within `most_chars`. The best passage may be longer, and separators aren't
 * counted.
 */
export function sectionText(passages: readonly Passage[], best: number, most_chars: number): SectionText {
  const place = Math.max(
    0,
    passages.findIndex(({ number }) => number === best),
  );

  let from = place;
  let before = place + 1;
  let left = most_chars - (passages[place]?.text.length ?? 0);
  const fits = (index: number) => passages[index] !== undefined && passages[index].text.length <= left;

  // The following passage comes first, since it is more often relevant.
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    if (fits(before)) {
      left -= passages[before++]!.text.length;
      hasGrown = true;
    }
    if (fits(from - 1)) {
      left -= passages[--from]!.text.length;
      hasGrown = true;
    }
  }

  let text = "";
  const found = { start: 0, end: 0 };
  for (let index = from; index < before; index++) {
    const joined = join(text, passages[index]!.text);
    if (index === place) Object.assign(found, { start: joined.start, end: joined.text.length });
    text = joined.text;
  }

  return { text, best: found };
}

/**
 * Joins two passages. Merges code and tables that were split between them. `start` is the offset of the
 * second passage in the result.
 */
function join(text: string, next: string): { text: string; start: number } {
  if (text === "") return { text: next, start: 0 };
  const fence = /^(`{3,}|~{3,})(\S+)[^\n]*\n/.exec(next);
  if (fence && text.endsWith(`\n${fence[1]}`) && lastFence(text) === fence[0].trimEnd()) {
    const open = text.slice(0, -fence[1]!.length);
    return { text: open + next.slice(fence[0].length), start: open.length };
  }
  const head = /^\|[^\n]*\n\|[\s:|-]+\n/.exec(next)?.[0];
  if (head && lastTable(text).startsWith(head))
    return { text: `${text}\n${next.slice(head.length)}`, start: text.length + 1 };
  return { text: `${text}\n\n${next}`, start: text.length + 2 };
}

function lastFence(text: string): string | undefined {
  return [...text.matchAll(/^(?:`{3,}|~{3,})\S[^\n]*$/gm)].at(-1)?.[0].trimEnd();
}

function lastTable(text: string): string {
  return text.slice(text.lastIndexOf("\n\n") + 1).trimStart();
}
