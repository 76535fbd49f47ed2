/** Writes the sorted terms of an index into shards. The format is in `index-format.ts`. */

import { isRunEnd } from "../incremental/runs.ts";
import {
  dictionaryEntries,
  letterOf,
  NumberReader,
  passagesOfTerm_count,
  valueOfCode,
  writeNumber,
} from "./index-format.ts";
import { stepScores } from "./scoring.ts";

/** The passages of a term, encoded as in shards. */
export interface TermPostings {
  term: string;
  /** Number of passages with the term, including those that are left out. */
  frequency: number;
  list: string;
  letters: string;
}

/** Reads the terms of a shard. */
export function* termsOf(shard: string): Generator<TermPostings> {
  const [dictionary = "", lists = "", letters = ""] = shard.split("\n");
  let list = 0;
  let letter = 0;
  for (const { term, frequency, listed, list_chars } of dictionaryEntries(dictionary)) {
    yield {
      term,
      frequency,
      list: lists.slice(list, (list += list_chars)),
      letters: letters.slice(letter, (letter += listed)),
    };
  }
}

/**
 * Estimated numbers of characters per term and per passage of a term in a shard. Integers, so that sums don't
 * depend on the order.
 */
const term_chars = 10;
const posting_chars = 3;

/** Returns the estimated size of a term. `groups_count`: see `groupsOf`. */
export function sizeOfTerm({ frequency }: Pick<TermPostings, "frequency">, groups_count: number): number {
  return term_chars + posting_chars * Math.min(frequency, passagesOfTerm_count * groups_count);
}

/**
 * Returns the minimum size of a shard in estimated characters, so that there are at most `shards_count`
 * shards. Infinity for one shard. `size`: sum of `sizeOfTerm` of all terms. Small changes of the size usually
 * don't change the result.
 */
export function leastSizeOf(size: number, shards_count: number): number {
  if (shards_count === 1) return Number.POSITIVE_INFINITY;
  const least = Math.ceil(size / (shards_count - 0.5));
  const unit = 2 ** Math.max(0, 26 - Math.clz32(least));
  return Math.ceil(least / unit) * unit;
}

/** After its minimum size, a shard ends with one in this number of terms. */
const usual_terms = 2;

/** A shard with all passages of its terms. */
export interface Shard {
  /** The first term. */
  first: string;
  text: string;
}

/**
 * Divides sorted terms into shards. Whether a shard ends with a term depends only on the terms of the shard,
 * so a change usually affects only one shard.
 */
export class ShardCutter {
  private readonly least: number;
  private readonly groups_count: number;
  private readonly onShard: (shard: Shard) => void;
  private writer = new ShardWriter();
  private first = "";
  private size = 0;

  /** `least`: minimum size of a shard. `onShard` is called with each shard. */
  constructor(least: number, groups_count: number, onShard: (shard: Shard) => void) {
    this.least = least;
    this.groups_count = groups_count;
    this.onShard = onShard;
  }

  /** Whether the next term starts a shard. */
  get isBetweenShards(): boolean {
    return this.writer.isEmpty;
  }

  add(postings: TermPostings): void {
    if (this.writer.isEmpty) this.first = postings.term;
    this.writer.add(postings);
    this.size += sizeOfTerm(postings, this.groups_count);
    if (this.size >= this.least && isRunEnd(postings.term, usual_terms)) this.finish();
  }

  /** Ends the last shard. */
  finish(): void {
    if (this.writer.isEmpty) return;
    this.onShard({ first: this.first, text: this.writer.finish() });
    this.writer = new ShardWriter();
    this.size = 0;
  }
}

class ShardWriter {
  private readonly dictionary: string[] = [];
  private readonly lists: string[] = [];
  private readonly letters: string[] = [];
  private previous = "";

  get isEmpty(): boolean {
    return this.dictionary.length === 0;
  }

  /** Adds the next term. */
  add({ term, frequency, list, letters }: TermPostings): void {
    let shared = 0;
    while (shared < term.length && term[shared] === this.previous[shared]) shared++;
    const listed = frequency > passagesOfTerm_count ? writeNumber(letters.length) : "";
    this.dictionary.push(
      `${writeNumber(shared)}${term.slice(shared)} ${writeNumber(frequency)}${writeNumber(list.length)}${listed}`,
    );
    this.lists.push(list);
    this.letters.push(letters);
    this.previous = term;
  }

  finish(): string {
    return [this.dictionary, this.lists, this.letters].map((texts) => texts.join("")).join("\n");
  }
}

/** Returns a shard without the passages that an index leaves out. `groups`: group number of each passage. */
export function prunedShard(shard: string, groups: Uint32Array): string {
  const terms = [...termsOf(shard)];
  if (terms.every(({ frequency }) => frequency <= passagesOfTerm_count)) return shard;
  const writer = new ShardWriter();
  for (const postings of terms)
    writer.add(postings.frequency > passagesOfTerm_count ? bestPostings(postings, groups) : postings);
  return writer.finish();
}

/**
 * Returns the postings with the highest scores, `passagesOfTerm_count` for each group, in the order of the
 * index. If scores are equal, the earlier ones are kept.
 */
function bestPostings({ term, frequency, list, letters }: TermPostings, groups: Uint32Array): TermPostings {
  const passages = decodedList(list, letters.length);

  /** Number of passages by score, for each group. */
  const counts = new Map<number, Uint32Array>();
  for (let index = 0; index < passages.length; index++) {
    const group = groups[passages[index]!]!;
    let ofGroup = counts.get(group);
    if (!ofGroup) counts.set(group, (ofGroup = new Uint32Array(stepScores.length)));
    ofGroup[valueOfCode[letters.charCodeAt(index)]!]!++;
  }

  const rooms = new Map([...counts].map(([group, ofGroup]) => [group, roomByScore(ofGroup)]));
  const kept: string[] = [];
  const keptLetters: string[] = [];
  let last = 0;
  for (let index = 0; index < passages.length; index++) {
    const passage = passages[index]!;
    const step = valueOfCode[letters.charCodeAt(index)]!;
    const room = rooms.get(groups[passage]!)!;
    if (room[step] === 0) continue;
    room[step]!--;
    kept.push(writeNumber(passage - last));
    keptLetters.push(letterOf(step));
    last = passage;
  }

  return { term, frequency, list: kept.join(""), letters: keptLetters.join("") };
}

function decodedList(list: string, count: number): Uint32Array {
  const passages = new Uint32Array(count);
  const numbers = new NumberReader(list);
  let passage = 0;
  for (let index = 0; index < count; index++) passages[index] = passage += numbers.next();
  return passages;
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
