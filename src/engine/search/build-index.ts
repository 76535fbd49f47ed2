/** Merges segments into the files of a search index. */

import {
  type Head,
  letterOf,
  NumberReader,
  type PageRecord,
  pagesOfPassages,
  pagesOfRecords,
  partCounts,
  passagesOfTerm_count,
  valueOfCode,
  writeNumber,
} from "./index-format.ts";
import {
  type IndexedPage,
  type IndexedPageHeader,
  type IndexSegment,
  SegmentBuilder,
  type SegmentPage,
  versionOf,
} from "./index-segment.ts";
import { IndexTerms } from "./index-terms.ts";
import { stepScores } from "./scoring.ts";
import { shortLanguage } from "./terms.ts";

/** Returns the names of all files of an index with `pages_count` pages. */
export function partNames(pages_count: number): string[] {
  const { t, d, p } = partCounts(pages_count);
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, number) => `${letter}${number}`);
  return ["head", ...numbered("t", t), ...numbered("d", d), ...numbered("p", p)];
}

/** Returns the range of pages in the part `p<number>`: the index of the first page (`from`), and an exclusive end (`before`). */
export function pagesOfPart(number: number, pages_count: number): { from: number; before: number } {
  return { from: number * pagesOfPassages, before: Math.min(pages_count, (number + 1) * pagesOfPassages) };
}

/** Creates all parts of a small index. Returns them by name. */
export function buildIndex(pages: readonly IndexedPage[], language: string): Map<string, string> {
  const builder = new SegmentBuilder(new IndexTerms(language));
  const passages = pages.map((page) => builder.add(page));
  const merger = new IndexMerger();
  merger.add(builder.finish());
  const parts = merger.finish(pages, language);
  for (let part = 0; part < partCounts(pages.length).p; part++) {
    const { from, before } = pagesOfPart(part, pages.length);
    parts.set(`p${part}`, `[${passages.slice(from, before).map(({ json }) => json)}]`);
  }
  return parts;
}

/** Merges the segments of an index, in order. */
export class IndexMerger {
  private readonly details: SegmentPage[] = [];
  private passages_count = 0;
  private readonly numbers = new Map<string, number>();
  /** The terms of all segments. The following lists have one entry for each term. */
  private readonly terms: string[] = [];
  /** Number of passages with the term. */
  private readonly counts: number[] = [];
  /** The first and last of the term's entries. */
  private readonly heads: number[] = [];
  private readonly tails: number[] = [];
  /** The entries: the postings of a term in one segment, with passages numbered from the first one of the index. */
  private readonly firsts: number[] = [];
  private readonly lasts: number[] = [];
  private readonly lists: string[] = [];
  private readonly letters: string[] = [];
  /** The term's next entry. -1 for the last one. */
  private readonly next: number[] = [];

  add({ pages, terms, counts, firsts, lasts, lists, letters }: IndexSegment): void {
    const before = this.passages_count;
    for (let index = 0; index < terms.length; index++) {
      const entry = this.next.push(-1) - 1;
      this.firsts.push(before + firsts[index]!);
      this.lasts.push(before + lasts[index]!);
      this.lists.push(lists[index]!);
      this.letters.push(letters[index]!);
      this.addEntry(terms[index]!, counts[index]!, entry);
    }
    for (const page of pages) {
      this.details.push(page);
      for (const count of page.counts) this.passages_count += count;
    }
  }

  private addEntry(term: string, count: number, entry: number): void {
    const number = this.numbers.get(term);
    if (number === undefined) {
      this.numbers.set(term, this.terms.push(term) - 1);
      this.counts.push(count);
      this.heads.push(entry);
      this.tails.push(entry);
      return;
    }
    this.counts[number]! += count;
    this.next[this.tails[number]!] = entry;
    this.tails[number] = entry;
  }

  /** Returns one segment that replaces those that were added. It omits postings that no index with the segment contains. */
  segment(pages: readonly IndexedPageHeader[]): IndexSegment {
    const groups = groupsOfPassages(pages, this.details);
    const postings = [...this.terms.keys()].map((number) => this.postings(number, groups));
    return {
      pages: this.details,
      terms: this.terms,
      counts: this.counts,
      firsts: postings.map(({ first }) => first),
      lasts: postings.map(({ last }) => last),
      lists: postings.map(({ list }) => list.slice(1).join("")),
      letters: postings.map(({ letters }) => letters.join("")),
    };
  }

  /** Creates all parts except the parts `p<n>`. Returns them by name. `pages`: the pages of all segments. */
  finish(pages: readonly IndexedPageHeader[], language: string): Map<string, string> {
    const { records, head, passages_count } = describePages(pages, this.details);
    const counts = partCounts(pages.length);
    const groups = groupsOfPassages(pages, this.details);
    const { shards, first } = this.termShards(groups, counts.t);
    const termParts = Array.from({ length: counts.t }, (_, number) => shards[number] ?? "\n\n");
    const recordParts = Array.from({ length: counts.d }, (_, number) =>
      JSON.stringify(records.slice(number * pagesOfRecords, (number + 1) * pagesOfRecords)),
    );
    const passagesVersions = Array.from({ length: counts.p }, (_, number) => {
      const { from, before } = pagesOfPart(number, pages.length);
      return passagesVersion(this.details.slice(from, before).map(({ version }) => version));
    });
    const whole: Head = {
      language: shortLanguage(language),
      passages_count,
      versions: { t: termParts.map(versionOf).join(""), d: recordParts.map(versionOf).join(""), p: passagesVersions.join("") },
      terms: first,
      ...head,
    };
    const parts = new Map<string, string>([["head", JSON.stringify(whole)]]);
    for (const [number, part] of termParts.entries()) parts.set(`t${number}`, part);
    for (const [number, part] of recordParts.entries()) parts.set(`d${number}`, part);
    return parts;
  }

  /**
   * Sorts the terms and writes them into shards of about the same size. Returns the shards and the first term of each. `groups`: group
   * number of each passage.
   */
  private termShards(groups: Uint32Array, shards_count: number): { shards: string[]; first: string[] } {
    const { terms, counts } = this;
    const cut = new Map<number, Postings>();
    let postings_count = 0;
    for (const [number, count] of counts.entries()) {
      if (count > passagesOfTerm_count) cut.set(number, this.bestPostings(number, groups));
      postings_count += cut.get(number)?.count ?? count;
    }
    const most = (postings_count * posting_chars + terms.length * term_chars) / shards_count;
    const shards: string[] = [];
    const first: string[] = [];
    let shard = new ShardWriter();
    for (const number of [...terms.keys()].sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1))) {
      if (shard.size > most && shards.length < shards_count - 1) {
        shards.push(shard.finish());
        shard = new ShardWriter();
      }
      if (shard.isEmpty) first.push(terms[number]!);
      shard.add(terms[number]!, counts[number]!, cut.get(number) ?? this.allPostings(number));
    }
    if (!shard.isEmpty) shards.push(shard.finish());
    return { shards, first };
  }

  /** Returns the postings of the term with this number that the index contains. */
  private postings(number: number, groups: Uint32Array): Postings {
    return this.counts[number]! > passagesOfTerm_count ? this.bestPostings(number, groups) : this.allPostings(number);
  }

  /** Returns all postings of the term with this number. */
  private allPostings(number: number): Postings {
    const list: string[] = [];
    const letters: string[] = [];
    let last = 0;
    for (let entry = this.heads[number]!; entry >= 0; entry = this.next[entry]!) {
      list.push(writeNumber(this.firsts[entry]! - last), this.lists[entry]!);
      letters.push(this.letters[entry]!);
      last = this.lasts[entry]!;
    }
    return { count: this.counts[number]!, first: this.firsts[this.heads[number]!]!, last, list, letters };
  }

  /**
   * Returns the postings with the highest scores, `passagesOfTerm_count` for each group, in the order of the index. If scores are equal, the
   * earlier ones are kept.
   */
  private bestPostings(number: number, groups: Uint32Array): Postings {
    const { passages, steps } = this.decoded(number);
    /** Number of passages by score, for each group. */
    const counts = new Map<number, Uint32Array>();
    for (let index = 0; index < passages.length; index++) {
      const group = groups[passages[index]!]!;
      let ofGroup = counts.get(group);
      if (!ofGroup) counts.set(group, (ofGroup = new Uint32Array(stepScores.length)));
      ofGroup[steps[index]!]!++;
    }
    const rooms = new Map([...counts].map(([group, ofGroup]) => [group, roomByScore(ofGroup)]));
    const list: string[] = [];
    const letters: string[] = [];
    let first = 0;
    let last = 0;
    for (let index = 0; index < passages.length; index++) {
      const passage = passages[index]!;
      const step = steps[index]!;
      const room = rooms.get(groups[passage]!)!;
      if (room[step] === 0) continue;
      room[step]!--;
      if (list.length === 0) first = passage;
      list.push(writeNumber(passage - last));
      letters.push(letterOf(step));
      last = passage;
    }
    return { count: letters.length, first, last, list: [list[0]!, list.slice(1).join("")], letters: [letters.join("")] };
  }

  /** Returns the passages of a term and their scores, as indexes in `stepScores`. */
  private decoded(number: number): { passages: Uint32Array; steps: Uint8Array } {
    let listed = 0;
    for (let entry = this.heads[number]!; entry >= 0; entry = this.next[entry]!) listed += this.letters[entry]!.length;
    const passages = new Uint32Array(listed);
    const steps = new Uint8Array(passages.length);
    let index = 0;
    for (let entry = this.heads[number]!; entry >= 0; entry = this.next[entry]!) {
      const letters = this.letters[entry]!;
      const numbers = new NumberReader(this.lists[entry]!);
      let passage = this.firsts[entry]!;
      for (let place = 0; place < letters.length; place++) {
        if (place > 0) passage += numbers.next();
        passages[index] = passage;
        steps[index++] = valueOfCode[letters.charCodeAt(place)]!;
      }
    }
    return { passages, steps };
  }
}

/** Returns the version of a part `p<n>`, computed from the versions of its pages. */
export function passagesVersion(versions: readonly string[]): string {
  return versionOf(versions.join(" "));
}

type HeadOfPages = Pick<Head, "sections" | "starts" | "crumbs" | "filters" | "boosts">;

function describePages(
  pages: readonly IndexedPageHeader[],
  details: readonly SegmentPage[],
): { records: PageRecord[]; head: HeadOfPages; passages_count: number } {
  const records: PageRecord[] = [];
  const crumbs = new Map<string, number>();
  // Without prototypes, since an author can choose a name such as `constructor`.
  const filters: Head["filters"] = { version: Object.create(null), product: Object.create(null) };
  const boosts: Head["boosts"] = [];
  const firstSections: number[] = [];
  const starts: number[] = [];
  let passages_count = 0;
  const crumbNumber = (name: string) => {
    if (!crumbs.has(name)) crumbs.set(name, crumbs.size);
    return crumbs.get(name)!;
  };
  for (const [index, page] of pages.entries()) {
    const { sections, counts } = details[index]!;
    if (index % pagesOfRecords === 0) firstSections.push(starts.length);
    const from = passages_count;
    for (const count of counts) {
      starts.push(passages_count);
      passages_count += count;
    }
    const group = page.group === undefined ? -1 : page.breadcrumbs.indexOf(page.group);
    records.push([page.route, page.title, page.breadcrumbs.map(crumbNumber), page.method ?? "", sections, group]);
    for (const kind of ["version", "product"] as const) {
      const name = page[kind];
      if (name !== undefined) extend((filters[kind][name] ??= []), from, passages_count);
    }
    if (page.boost !== 1) boosts.push([from, passages_count, page.boost]);
  }
  const head = { sections: firstSections, starts: base64(bits(starts, passages_count)), crumbs: [...crumbs.keys()], filters, boosts };
  return { records, head, passages_count };
}

/** The postings of a term in the format of shards, as texts to be joined. */
interface Postings {
  /** Number of passages in the list. */
  count: number;
  /** First and last passage in the list. */
  first: number;
  last: number;
  /** Encoded passage numbers, each as the difference from the previous one. The first text is the number of the first passage. */
  list: string[];
  /** Scores of the passages, one letter per passage. */
  letters: string[];
}

/** Returns the group number of each passage. Passages with the same version and product are in the same group. */
function groupsOfPassages(pages: readonly IndexedPageHeader[], details: readonly SegmentPage[]): Uint32Array {
  const numbers = new Map<string, number>();
  const groups: number[] = [];
  for (const [index, { version = "", product = "" }] of pages.entries()) {
    const name = JSON.stringify([version, product]);
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    for (const count of details[index]!.counts) for (let passage = 0; passage < count; passage++) groups.push(numbers.get(name)!);
  }
  return Uint32Array.from(groups);
}

/** Returns the number of passages to keep for each score. Passages with higher scores are kept first. */
function roomByScore(counts: Uint32Array): Uint32Array {
  let free = passagesOfTerm_count;
  const room = new Uint32Array(counts.length);
  for (let step = counts.length - 1; step >= 0; step--) {
    room[step] = Math.min(free, counts[step]!);
    free -= room[step]!;
  }
  return room;
}

/** Estimated number of characters per posting and per term in a shard. */
const posting_chars = 2.2;
const term_chars = 8;

class ShardWriter {
  private readonly dictionary: string[] = [];
  private readonly lists: string[] = [];
  private readonly letters: string[] = [];
  private previous = "";
  size = 0;

  get isEmpty(): boolean {
    return this.dictionary.length === 0;
  }

  /** Adds the next term. `count`: number of passages with the term, including those without a posting. */
  add(term: string, count: number, postings: Postings): void {
    let shared = 0;
    while (shared < term.length && term[shared] === this.previous[shared]) shared++;
    const list_chars = postings.list.reduce((sum, { length }) => sum + length, 0);
    const listed = count > passagesOfTerm_count ? writeNumber(postings.count) : "";
    const entry = `${writeNumber(shared)}${term.slice(shared)} ${writeNumber(count)}${writeNumber(list_chars)}${listed}`;
    this.dictionary.push(entry);
    for (const text of postings.list) this.lists.push(text);
    for (const text of postings.letters) this.letters.push(text);
    this.size += entry.length + list_chars + postings.count;
    this.previous = term;
  }

  finish(): string {
    return [this.dictionary, this.lists, this.letters].map((texts) => texts.join("")).join("\n");
  }
}

/** Adds a range. Merges it with the last range if the two are adjacent. */
function extend(ranges: number[], from: number, before: number): void {
  if (ranges.at(-1) === from) ranges[ranges.length - 1] = before;
  else ranges.push(from, before);
}

function bits(set: readonly number[], count: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (const bit of set) bytes[bit >> 3]! |= 1 << (bit & 7);
  return bytes;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
