/** Finds terms in the shards of an index, which are loaded on demand. */

import type { TermShard } from "./term-shard.ts";

/** A term of the index. */
export interface FoundTerm {
  term: string;
  shard: TermShard;
  /** Index of the term in the shard. */
  place: number;
}

export class Dictionary {
  private readonly firstTerms: readonly string[];
  /** Loads a shard by its number. */
  readonly shard: (number: number) => Promise<TermShard>;

  /** `firstTerms`: the first term of each shard. */
  constructor(firstTerms: readonly string[], shard: (number: number) => Promise<TermShard>) {
    this.firstTerms = firstTerms;
    this.shard = shard;
  }

  get shards_count(): number {
    return Math.max(1, this.firstTerms.length);
  }

  /** Returns the number of the shard that contains a term if the index does. */
  shardOf(term: string): number {
    let low = 0;
    let high = this.firstTerms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.firstTerms[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  async find(term: string): Promise<FoundTerm | undefined> {
    const shard = await this.shard(this.shardOf(term));
    const place = shard.find(term);
    return place < 0 ? undefined : { term, shard, place };
  }

  /** Returns those of the terms that the index contains. Reads at most `shards_count` shards. */
  async findAll(terms: Iterable<string>, shards_count = Number.POSITIVE_INFINITY): Promise<FoundTerm[]> {
    const byShard = new Map<number, string[]>();
    for (const term of terms) {
      const number = this.shardOf(term);
      const others = byShard.get(number);
      if (others) others.push(term);
      else if (byShard.size < shards_count) byShard.set(number, [term]);
    }

    const found = await Promise.all(
      [...byShard].map(async ([number, wanted]) => {
        const shard = await this.shard(number);
        return wanted
          .map((term) => ({ term, shard, place: shard.find(term) }))
          .filter(({ place }) => place >= 0);
      }),
    );
    return found.flat();
  }
}
