/**
 * Creates the parts of one search index. Postings are kept in segments of some consecutive pages, and in
 * shards with all passages of some terms. After an edit, only the changed terms are replaced in the shards.
 * If the passage numbers change, all segments are merged again.
 */

import { limits } from "../../base/limits.ts";
import { hashOf } from "../hash-of.ts";
import { memo } from "../incremental/memo.ts";
import { type RunSize, runsOf } from "../incremental/runs.ts";
import type { Store } from "../incremental/store.ts";
import { type CutShards, cutShards, type ShardOptions, updateShards } from "../search/cut-shards.ts";
import {
  describePages,
  groupsOf,
  type NumberedPage,
  numberCrumbs,
  recordOf,
} from "../search/describe-pages.ts";
import { type Head, type PageRecord, partCounts } from "../search/index-format.ts";
import {
  contentHash,
  pageRangeOfPart,
  partNames,
  passagesVersion,
  shortVersion,
} from "../search/index-parts.ts";
import {
  type IndexedPage,
  type IndexedPageHeader,
  type IndexedRun,
  type IndexSegment,
  indexRun,
  type PageDetails,
  type SegmentPage,
  type WrittenPassages,
  writtenPassages,
} from "../search/index-segment.ts";
import { IndexTerms } from "../search/index-terms.ts";
import { PostingsMerger } from "../search/merge-postings.ts";
import { prunedShard, type Shard } from "../search/shards.ts";
import { passagesIn, type Slot, slotOf } from "../search/slots.ts";
import { shortLanguage } from "../search/terms.ts";
import { addChanges, type Changes } from "../search/update-postings.ts";
import type { IndexTask } from "../site/other-threads.ts";

/** A page of an index, without its text. */
export interface PlannedPage {
  route: string;
  header: IndexedPageHeader;
  /** Hash of everything that the page's sections depend on. */
  version: string;
  sections(): IndexedPage["sections"];
}

interface IndexOptions {
  language: string;
  /** Name that identifies the index among the site's indexes. */
  name: string;
  /** Identifies the build of the product. */
  generator: string;
  store: Store;
}

/** Number of pages in a run. */
const run_pages: RunSize = { min: 4, usual: 16, max: 64 };
/** Maximum number of changed runs for an update. After more changes, merging all segments takes less time. */
const updatedRuns_count = 32;

/** Consecutive pages of an index whose postings are kept as a segment. */
interface Run {
  pages: readonly PlannedPage[];
  /** Name of the segment in the store. */
  name: string;
  /** Hash of everything that the segment depends on. */
  key: string;
  /** Key of the run in the earlier index. */
  earlierKey?: string;
  /** Whether the run's segment has been built or read. */
  isIndexed?: boolean;
}

/** What is kept of an index, besides its segments and shards. */
interface StoredIndex {
  /** Hash of the number of pages, the passage numbers and the groups. */
  layout: string;
  runs: { key: string; pages: PageDetails[] }[];
  /** Estimated size of all terms. */
  size: number;
  shards: StoredShard[];
  /** The parts `d<n>`. */
  records: StoredPart[];
}

interface StoredPart {
  /** Hash of everything that the part depends on. */
  key: string;
  /** Hash of the part's content. */
  hash: string;
}

interface StoredShard extends StoredPart {
  /** First term. */
  first: string;
}

/** An index, except for its passages. */
interface BuiltIndex extends StoredIndex {
  head: string;
  groups: Uint32Array;
  /** Options for dividing its terms into shards. */
  sizes: ShardOptions;
  /** Passage numbers of each run. */
  slots: readonly Slot[];
}

/** Content of the shards after the last one with terms. */
const emptyShard = "\n\n";
const emptyShardHash = contentHash(emptyShard);

export class CachedIndex {
  private readonly pages: readonly PlannedPage[];
  private readonly options: IndexOptions;
  private readonly indexTerms: IndexTerms;
  private readonly runs: Run[];
  private readonly runOf = new Map<PlannedPage, Run>();
  private readonly crumbs: ReadonlyMap<string, number>;
  /** The index of an earlier build as JSON. */
  private readonly stored: string | undefined;
  /** The index of an earlier build. Undefined if it has other runs, or if many of them have changed. */
  private readonly earlier: StoredIndex | undefined;
  /** Passages of pages whose run has been built, until they are read or all runs have been merged. */
  private readonly recent = new Map<PlannedPage, WrittenPassages>();
  /** The pages of segments that have been read for `built`. */
  private readonly segmentPages = new Map<Run, SegmentPage[]>();
  /** Contents of the parts `t<n>` and `d<n>` that this build generated, by name. */
  private readonly contents = new Map<string, string>();
  private built: BuiltIndex | undefined;

  constructor(pages: readonly PlannedPage[], options: IndexOptions) {
    this.pages = pages;
    this.options = options;
    this.indexTerms = new IndexTerms(options.language);

    this.runs = runsOf(pages, ({ route }) => route, run_pages).map((run) => ({
      pages: run,
      name: `search\n${options.name}\n${run[0]!.route}`,
      key: hashOf(
        options.language,
        ...run.map(({ version }) => version),
        JSON.stringify(run.map(({ header }) => header)),
      ),
    }));

    for (const run of this.runs) for (const page of run.pages) this.runOf.set(page, run);
    this.crumbs = numberCrumbs(pages.map(({ header }) => header));
    this.stored = this.kept(this.storedName, options.generator);
    this.earlier = this.findEarlier();
  }

  /**
   * Yields the runs that have to be indexed. Their segments are built here only if no thread has built them.
   */
  *tasks(): Generator<IndexTask> {
    const { language, store } = this.options;
    for (const run of this.runs) {
      if (store.has(run.name, run.key)) continue;
      const onIndexed = (index: IndexedRun) =>
        store.keep(run.name, run.key, this.withPassages(run, index).segment);
      yield { language, pages: run.pages.map(indexed), onIndexed };
    }
  }

  get passageNames(): string[] {
    return partNames(this.pages.length).filter((name) => name.startsWith("p"));
  }

  get otherNames(): string[] {
    return partNames(this.pages.length).filter((name) => !name.startsWith("p"));
  }

  /**
   * Returns the pages whose passages are in a part. `name`: name of a part with passages, which starts with
   * `p`.
   */
  pagesOf(name: string): readonly PlannedPage[] {
    const { from, before } = pageRangeOfPart(name, this.pages.length);
    return this.pages.slice(from, before);
  }

  /** Returns the passages of each page of a part. */
  passages(name: string): WrittenPassages[] {
    return this.pagesOf(name).map((page) => this.passagesOf(page));
  }

  /** Returns a hash of the content of any other part. */
  hashOf(name: string): string {
    const { head, shards, records } = this.index;
    if (name === "head") return contentHash(head);
    const number = Number(name.slice(1));
    return name.startsWith("d") ? records[number]!.hash : (shards[number]?.hash ?? emptyShardHash);
  }

  /** Returns the content of any other part. */
  other(name: string): string {
    const { head, shards } = this.index;
    if (name === "head") return head;
    const known = this.contents.get(name);
    if (known !== undefined) return known;
    if (name.startsWith("d")) return this.recordsIn(name);
    const shard = shards[Number(name.slice(1))];
    return shard ? prunedShard(this.readShard(shard), this.index.groups) : emptyShard;
  }

  private get index(): BuiltIndex {
    return (this.built ??= this.build());
  }

  private get storedName(): string {
    return `index\n${this.options.name}`;
  }

  private findEarlier(): StoredIndex | undefined {
    const earlier = this.stored === undefined ? undefined : (JSON.parse(this.stored) as StoredIndex);
    if (earlier?.runs.length !== this.runs.length) return undefined;
    const changed_count = this.runs.filter(({ key }, number) => key !== earlier.runs[number]!.key).length;
    if (changed_count > updatedRuns_count) return undefined;
    for (const [number, run] of this.runs.entries()) run.earlierKey = earlier.runs[number]!.key;
    return earlier;
  }

  private build(): BuiltIndex {
    const { earlier } = this;
    const merger = earlier ? undefined : new PostingsMerger();
    let changes: Changes | undefined = new Map();
    const runs: StoredIndex["runs"] = [];
    const slots: Slot[] = [];
    for (const [number, run] of this.runs.entries()) {
      const segment = run.key === run.earlierKey ? undefined : this.readSegment(run);
      const pages = segment
        ? segment.pages.map(({ sections: _, ...details }) => details)
        : earlier!.runs[number]!.pages;
      const slot = slotOf(pages, slots.at(-1)?.before ?? 0);
      runs.push({ key: run.key, pages });
      slots.push(slot);
      if (segment && merger) merger.add(segment, slot.from);
      else if (segment && changes) {
        const replaced = this.kept(run.name, run.earlierKey!);
        if (replaced === undefined) changes = undefined;
        else addChanges(JSON.parse(replaced) as IndexSegment, segment, slot, changes);
      }
    }

    this.recent.clear();
    const pages = this.numbered(runs, slots);
    const { groups, groups_count } = groupsOf(pages, slots.at(-1)?.before ?? 0);
    const layout = hashOf(JSON.stringify([pages.length, slots]), new Uint8Array(groups.buffer));
    const sizes = { shards_count: partCounts(this.pages.length).t, groups_count };
    const updated =
      earlier?.layout === layout && changes
        ? updateShards(earlier, changes, (shard) => this.keptShard(shard), sizes)
        : undefined;

    const cut: CutShards<StoredShard> = updated ?? cutShards(merger ?? this.merge(slots), sizes);
    const known =
      earlier?.layout === layout ? new Map(earlier.shards.map((shard) => [shard.first, shard])) : undefined;
    const shards = cut.shards.map((shard, number) =>
      "text" in shard ? this.storeShard(shard, number, known?.get(shard.first), groups) : shard,
    );
    const records = this.storedRecords();
    const index = { layout, runs, size: cut.size, shards, records };
    const text = JSON.stringify(index);
    if (text !== this.stored) this.options.store.keep(this.storedName, this.options.generator, text);

    this.segmentPages.clear();
    return { ...index, groups, sizes, slots, head: JSON.stringify(this.headOf(index, pages)) };
  }

  private numbered(runs: StoredIndex["runs"], slots: readonly Slot[]): NumberedPage[] {
    return this.runs.flatMap((run, number) => {
      const { pages } = runs[number]!;
      let { from } = slots[number]!;
      return run.pages.map(({ header }, place): NumberedPage => {
        const details = pages[place]!;
        const next = from + passagesIn(details);
        const page = {
          header,
          details,
          from,
          before: place === pages.length - 1 ? slots[number]!.before : next,
        };
        from = next;
        return page;
      });
    });
  }

  private merge(slots: readonly Slot[]): PostingsMerger {
    const merger = new PostingsMerger();
    for (const [number, run] of this.runs.entries()) merger.add(this.readSegment(run), slots[number]!.from);
    return merger;
  }

  /** `known`: the shard of the earlier index with the same first term, if the index has the same layout. */
  private storeShard(
    { first, text }: Shard,
    number: number,
    known: StoredShard | undefined,
    groups: Uint32Array,
  ): StoredShard {
    const key = hashOf(text);
    if (known?.key === key) return known;
    this.options.store.keep(this.shardName(first), key, text);
    const content = prunedShard(text, groups);
    this.contents.set(`t${number}`, content);
    return { first, key, hash: contentHash(content) };
  }

  private shardName(first: string): string {
    return `shard\n${this.options.name}\n${first}`;
  }

  /** Returns a shard with all passages of its terms. Undefined if it is no longer in the store. */
  private keptShard({ first, key }: StoredShard): string | undefined {
    return this.kept(this.shardName(first), key);
  }

  private kept(name: string, key: string): string | undefined {
    return this.options.store.get(name, key)?.toString();
  }

  /**
   * Returns a shard with all passages of its terms. If it is no longer in the store, all shards are generated
   * and stored again.
   */
  private readShard(shard: StoredShard): string {
    const kept = this.keptShard(shard);
    if (kept !== undefined) return kept;
    const { slots, sizes } = this.index;
    for (const { first, text } of cutShards(this.merge(slots), sizes).shards)
      this.options.store.keep(this.shardName(first), hashOf(text), text);
    return this.keptShard(shard)!;
  }

  private storedRecords(): StoredPart[] {
    const { crumbs, earlier } = this;
    const crumbsKey = hashOf(...crumbs.keys());
    return Array.from({ length: partCounts(this.pages.length).d }, (_, number) => {
      const name = `d${number}`;
      const key = hashOf(crumbsKey, this.recordsKey(this.pagesOf(name)));
      const known = earlier?.records[number];
      if (known?.key === key) return known;
      const content = this.recordsIn(name);
      this.contents.set(name, content);
      return { key, hash: contentHash(content) };
    });
  }

  /** Returns a text that identifies consecutive pages and their segments. */
  private recordsKey(pages: readonly PlannedPage[]): string {
    const runs = [...new Set(pages.map((page) => this.runOf.get(page)!))];
    return [runs[0]?.pages.indexOf(pages[0]!), pages.length, ...runs.map(({ key }) => key)].join(" ");
  }

  /** Returns the content of a part `d<n>`. */
  private recordsIn(name: string): string {
    return JSON.stringify(
      this.pagesOf(name).map((page): PageRecord => {
        const run = this.runOf.get(page)!;
        const pages = this.segmentPages.get(run) ?? this.readSegment(run).pages;
        return recordOf(page.header, pages[run.pages.indexOf(page)]!.sections, this.crumbs);
      }),
    );
  }

  private headOf({ runs, shards, records }: StoredIndex, pages: readonly NumberedPage[]): Head {
    const counts = partCounts(this.pages.length);
    const versions = runs.flatMap((run) => run.pages.map(({ version }) => version));
    const aliases = [
      ...new Set(runs.flatMap((run) => run.pages.flatMap((page) => page.aliases ?? []))),
    ].slice(0, limits.aliases_count);

    const ofPassages = Array.from({ length: counts.p }, (_, number) => {
      const { from, before } = pageRangeOfPart(`p${number}`, this.pages.length);
      return passagesVersion(versions.slice(from, before));
    });

    const ofShards = Array.from({ length: counts.t }, (_, number) =>
      shortVersion(shards[number]?.hash ?? emptyShardHash),
    );

    return {
      language: shortLanguage(this.options.language),
      ...describePages(pages),
      versions: {
        t: ofShards.join(""),
        d: records.map(({ hash }) => shortVersion(hash)).join(""),
        p: ofPassages.join(""),
      },
      terms: shards.map(({ first }) => first),
      crumbs: [...this.crumbs.keys()],
      ...(aliases.length ? { aliases } : {}),
    };
  }

  private passagesOf(page: PlannedPage): WrittenPassages {
    let passages = this.recent.get(page);
    if (!passages) {
      const run = this.runOf.get(page)!;
      if (!run.isIndexed) this.segmentOf(run);
      passages = this.recent.get(page) ?? writtenPassages(indexed(page));
    }
    this.recent.delete(page);
    return passages;
  }

  private readSegment(run: Run): IndexSegment {
    const segment = JSON.parse(this.segmentOf(run)) as IndexSegment;
    this.segmentPages.set(run, segment.pages);
    return segment;
  }

  /** Returns the segment of a run as JSON. */
  private segmentOf(run: Run): string {
    run.isIndexed = true;
    const segment = memo(this.options.store, run.name, run.key, () =>
      Buffer.from(this.withPassages(run, indexRun(this.indexTerms, run.pages.map(indexed))).segment),
    );
    return segment.toString();
  }

  private withPassages(run: Run, index: IndexedRun): IndexedRun {
    for (const [number, page] of run.pages.entries()) this.recent.set(page, index.passages[number]!);
    return index;
  }
}

function indexed(page: PlannedPage): IndexedPage {
  return { ...page.header, sections: page.sections() };
}
