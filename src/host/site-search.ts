/** Opens the search indexes that a reader of a hosted site has access to. */

import { mayRead, type Reader } from "../base/access.ts";
import { payloadOf } from "../engine/search/index-format.ts";
import { PassageVectors } from "../engine/search/passage-vectors.ts";
import { SearchIndex } from "../engine/search/search-index.ts";
import { readSearchHeadPath, searchFilePath, vectorFilePath } from "../layout/site-layout.ts";
import type { ManifestEntry } from "../layout/site-manifest.ts";
import type { FileCache } from "./file-cache.ts";
import type { HostedSite } from "./hosted-site.ts";
import { accessOf } from "./manifest-files.ts";

/**
 * Maximum total size of the loaded files of open indexes, in bytes. The indexes use several times as much
 * memory.
 */
const openIndexes_bytes = 128 * 1024 * 1024;

interface IndexFile {
  language: string;
  suffix: string;
  path: string;
  entry: ManifestEntry;
  /**
   * The files with the vectors of the passages, in order. They can be added to a deployment that is already
   * live.
   */
  vectors: readonly ManifestEntry[];
}

interface OpenIndex {
  index: Promise<SearchIndex>;
  /** Total size of the index's loaded files. */
  bytes: number;
}

/** Opens search indexes, and keeps them open while their files don't exceed `openIndexes_bytes`. */
export class SiteSearches {
  private readonly files: FileCache;
  /**
   * Open indexes, the least recently used one first. Keys contain the deployment, since files of different
   * deployments can't be combined.
   */
  private readonly opened = new Map<string, OpenIndex>();
  private readonly vectors = new WeakMap<SearchIndex, () => Promise<PassageVectors | undefined>>();
  private readonly indexFiles = new WeakMap<HostedSite["manifest"], IndexFile[]>();

  constructor(files: FileCache) {
    this.files = files;
  }

  /**
   * Opens the indexes that the reader may search: the indexes of the language if there are any, and otherwise
   * the indexes of all languages.
   */
  of(site: HostedSite, reader: Reader | undefined, language: string | undefined): Promise<SearchIndex[]> {
    const readable = this.indexesOf(site.manifest).filter(({ path }) =>
      mayRead(accessOf(site, path), reader),
    );
    const own = readable.filter((index) => index.language === language);
    return Promise.all((own.length ? own : readable).map((index) => this.open(site, index)));
  }

  /** Loads the vectors of an index that `of` has returned. Undefined if its deployment has none. */
  vectorsOf(index: SearchIndex): Promise<PassageVectors | undefined> {
    return this.vectors.get(index)!();
  }

  /** Whether the site has an index that anyone may search. */
  hasPublic(site: HostedSite): boolean {
    return this.indexesOf(site.manifest).some(({ path }) => mayRead(accessOf(site, path), undefined));
  }

  private indexesOf(manifest: HostedSite["manifest"]): IndexFile[] {
    let indexFiles = this.indexFiles.get(manifest);
    if (!indexFiles) {
      indexFiles = Object.entries(manifest.files).flatMap(([path, entry]) => {
        const head = readSearchHeadPath(path);
        if (!head) return [];
        const vectors: ManifestEntry[] = [];
        const next = () => manifest.files[vectorFilePath(vectors.length, head)];
        for (let part = next(); part; part = next()) vectors.push(part);
        return [{ ...head, path, entry, vectors }];
      });
      this.indexFiles.set(manifest, indexFiles);
    }
    return indexFiles;
  }

  private open(
    { deploymentId, manifest }: HostedSite,
    { language, suffix, entry, vectors }: IndexFile,
  ): Promise<SearchIndex> {
    const key = `${deploymentId} ${suffix} ${language} ${entry.hash} ${vectors.map(({ hash }) => hash.slice(0, 12)).join("")}`;
    let open = this.opened.get(key);
    if (open) this.opened.delete(key);
    else {
      const loaded = { bytes: 0 };
      const read = (part: ManifestEntry) => {
        loaded.bytes += part.bytes;
        return this.files.whole(part);
      };
      const index = SearchIndex.open(async (name) => {
        const part = manifest.files[searchFilePath(name, { language, suffix })];
        if (!part) throw new Error(`The file ${name} of a search index is missing`);
        return payloadOf((await read(part)).toString("utf8"));
      });
      const readVectors = memoized(async () =>
        vectors.length > 0 ? new PassageVectors(await Promise.all(vectors.map(read))) : undefined,
      );
      index.then((opened) => this.vectors.set(opened, readVectors)).catch(() => this.opened.delete(key));
      open = Object.assign(loaded, { index });
    }

    this.opened.set(key, open);
    this.makeRoom();
    return open.index;
  }

  /** Closes the least recently used indexes until the limit is met or only one index is left. */
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

/** Memoizes the result of a function. After a failure, the next call tries again. */
function memoized<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
