/** The search of live sites: opens the indexes that an export wrote, for whoever may read what they hold. */

import { mayRead, type Reader } from "../base/access.ts";
import { payloadOf } from "../engine/search/index-format.ts";
import { SearchIndex } from "../engine/search/search-index.ts";
import { readSearchHeadPath, searchFilePath } from "../layout/site-layout.ts";
import type { ManifestEntry } from "../layout/site-manifest.ts";
import type { FileCache } from "./file-cache.ts";
import type { HostedSite } from "./hosted-site.ts";
import { accessOf } from "./manifest-files.ts";

/** Files of search indexes that a process keeps open, as they are stored; in use they take some three times that. */
const openIndexes_bytes = 128 * 1024 * 1024;

interface PlacedIndex {
  language: string;
  suffix: string;
  path: string;
  entry: ManifestEntry;
}

interface OpenIndex {
  index: Promise<SearchIndex>;
  /** Of the files that it has loaded so far. */
  bytes: number;
}

export class SiteSearches {
  private readonly files: FileCache;
  /** By deployment: parts of different ones do not fit together. */
  private readonly opened = new Map<string, OpenIndex>();
  private readonly placed = new WeakMap<HostedSite["manifest"], PlacedIndex[]>();

  constructor(files: FileCache) {
    this.files = files;
  }

  /** The indexes that this reader may search: in one language where the site has it, else in all. */
  of(site: HostedSite, reader: Reader | undefined, language: string | undefined): Promise<SearchIndex[]> {
    const readable = this.indexesOf(site.manifest).filter(({ path }) => mayRead(accessOf(site, path), reader));
    const own = readable.filter((index) => index.language === language);
    return Promise.all((own.length ? own : readable).map((index) => this.open(site, index)));
  }

  hasPublic(site: HostedSite): boolean {
    return this.indexesOf(site.manifest).some(({ path }) => accessOf(site, path) === "anyone");
  }

  private indexesOf(manifest: HostedSite["manifest"]): PlacedIndex[] {
    let placed = this.placed.get(manifest);
    if (!placed) {
      placed = Object.entries(manifest.files).flatMap(([path, entry]) => {
        const head = readSearchHeadPath(path);
        return head ? [{ ...head, path, entry }] : [];
      });
      this.placed.set(manifest, placed);
    }
    return placed;
  }

  private open({ deploymentId, manifest }: HostedSite, { language, suffix, entry }: PlacedIndex): Promise<SearchIndex> {
    const key = `${deploymentId} ${suffix} ${language} ${entry.hash}`;
    let open = this.opened.get(key);
    if (open) this.opened.delete(key);
    else {
      const loaded = { bytes: 0 };
      const index = SearchIndex.open(async (name) => {
        const part = manifest.files[searchFilePath(name, { language, suffix })];
        if (!part) throw new Error(`The file ${name} of a search index is missing`);
        loaded.bytes += part.bytes;
        return payloadOf((await this.files.whole(part)).toString("utf8"));
      });
      const made: OpenIndex = Object.assign(loaded, { index });
      made.index.catch(() => this.opened.delete(key));
      open = made;
    }
    this.opened.set(key, open);
    this.makeRoom();
    return open.index;
  }

  /** What was asked longest ago is closed, but never the one that is asked now. */
  private makeRoom(): void {
    let bytes = 0;
    for (const open of this.opened.values()) bytes += open.bytes;
    for (const [key, open] of this.opened) {
      if (bytes <= openIndexes_bytes || this.opened.size === 1) return;
      this.opened.delete(key);
      bytes -= open.bytes;
    }
  }
}
