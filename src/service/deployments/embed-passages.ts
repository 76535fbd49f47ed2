/**
 * Writes the vectors of a site's passages, for search by meaning. The vectors are stored with the
 * deployment's other files. They are found again by the hash of the passage, so only those of passages that
 * the previous deployment didn't have are computed.
 */

import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Embedder } from "../../base/embedder.ts";
import { limits } from "../../base/limits.ts";
import { embeddedTexts } from "../../engine/search/embedded-text.ts";
import { payloadOf } from "../../engine/search/index-format.ts";
import { quantized, rowsOf, type VectorRow, writeParts } from "../../engine/search/passage-vectors.ts";
import { shortLanguage } from "../../engine/search/terms.ts";
import type { Objects } from "../../io/objects.ts";
import {
  isVectorFile,
  readSearchHeadPath,
  searchFilePath,
  vectorFilePath,
} from "../../layout/site-layout.ts";
import { fileKey, type SiteManifest } from "../../layout/site-manifest.ts";
import type { SiteFile } from "../storage/store-files.ts";

/** Number of passages that are embedded together. */
const embeddedAtOnce_count = 32;
/** Number of passages that the model can reject in a row before it counts as unavailable. */
const rejectedInRow_count = 3;

/** Vectors by the hash of their passage. */
export type KnownVectors = Map<string, Int8Array>;

export interface VectorOptions {
  /** Folder that the files are written to. */
  folder: string;
  /** Files of the site. */
  files: Iterable<SiteFile>;
  /** Reads a file of the site as text. */
  read(file: string): Promise<string>;
  /** Languages whose pages have vectors. */
  languages: ReadonlySet<string>;
  model: string;
  vectors: KnownVectors;
  /**
   * Computes missing vectors and adds them to `vectors`. Without it, passages without a vector are left out.
   */
  batches?: Batches;
}

export interface WrittenVectors {
  files: SiteFile[];
  /** Whether passages have no vector, although they are within the limit of their index. */
  isIncomplete: boolean;
  /** Whether an index has more passages than its limit. */
  isCut: boolean;
}

/**
 * Writes the files with vectors to the folder. Rejects if a file can't be read or written, or `batches` is
 * aborted.
 */
export async function writeVectors({
  folder,
  files,
  read,
  languages,
  model,
  vectors,
  batches,
}: VectorOptions): Promise<WrittenVectors> {
  const written: WrittenVectors = { files: [], isIncomplete: false, isCut: false };
  for (const { path: file, access } of files) {
    const index = readSearchHeadPath(file);
    if (!index || !languages.has(shortLanguage(index.language))) continue;
    const load = async (name: string) => payloadOf(await read(searchFilePath(name, index)));
    const hashes = new Map<number, string>();
    for await (const { number, text } of embeddedTexts(load)) {
      written.isCut ||= hashes.size >= limits.embeddedPassages_count;
      if (hashes.size >= limits.embeddedPassages_count) break;
      const hash = rowHash(text);
      hashes.set(number, hash);
      await batches?.add(hash, text);
    }
    await batches?.flush();
    const rows = new Map<number, VectorRow>();
    for (const [number, hash] of hashes) {
      const vector = vectors.get(hash);
      if (vector) rows.set(number, { hash, vector });
    }
    written.isIncomplete ||= rows.size < hashes.size;
    const [first] = rows.values();
    if (!first) continue;
    for (const [part, bytes] of writeParts({ model, dimensions: first.vector.length }, rows).entries()) {
      const vectorFile = vectorFilePath(part, index);
      await mkdir(path.dirname(path.join(folder, vectorFile)), { recursive: true });
      await writeFile(path.join(folder, vectorFile), bytes);
      written.files.push({ path: vectorFile, access });
    }
  }

  return written;
}

/**
 * Computes the missing vectors of passages, some at a time. After a failure, or when the time is over, no
 * more vectors are computed.
 */
export class Batches {
  embedded_count = 0;
  /** Number of passages that the model rejected, although it accepted others. */
  rejected_count = 0;
  /** Why no more vectors are computed. `other-model`: a vector has another length than the known ones. */
  end: "failed" | "late" | "other-model" | undefined;
  private readonly embedder: Embedder;
  private readonly vectors: KnownVectors;
  private readonly signal: AbortSignal;
  private readonly deadline: AbortSignal;
  /** Texts of the next batch, by their hash. */
  private texts = new Map<string, string>();
  private rejectedInRow = 0;

  /**
   * `signal`: aborts the computation, which then rejects. `most_ms`: time after which no more vectors are
   * computed.
   */
  constructor(embedder: Embedder, vectors: KnownVectors, signal: AbortSignal, most_ms: number) {
    this.embedder = embedder;
    this.vectors = vectors;
    this.signal = signal;
    this.deadline = AbortSignal.timeout(most_ms);
  }

  /** Whether the model failed, and not only for some passages. */
  get hasFailed(): boolean {
    return this.end === "failed" || (this.rejected_count > 0 && this.embedded_count === 0);
  }

  async add(hash: string, text: string): Promise<void> {
    if (this.end !== undefined || this.vectors.has(hash)) return;
    this.texts.set(hash, text);
    if (this.texts.size >= embeddedAtOnce_count) await this.flush();
  }

  async flush(): Promise<void> {
    const texts = [...this.texts];
    this.texts = new Map();
    if (this.end !== undefined || texts.length === 0 || (await this.embed(texts))) return;
    // The model may have rejected only one of the passages.
    for (const text of texts) {
      if (this.end !== undefined) return;
      if (await this.embed([text])) this.rejectedInRow = 0;
      else {
        this.rejected_count++;
        if (++this.rejectedInRow >= rejectedInRow_count) this.end ??= "failed";
      }
    }
  }

  /**
   * Adds the vectors of passages. Resolves with false if the model fails, and rejects if the job is aborted.
   */
  private async embed(texts: readonly (readonly [hash: string, text: string])[]): Promise<boolean> {
    let found: Float32Array[];
    try {
      const computed = this.embedder.embedPassages(texts.map(([, text]) => text));
      found = await beforeAbort(computed, AbortSignal.any([this.signal, this.deadline]));
    } catch {
      // The operator gets the error, which may contain internal host names.
      this.signal.throwIfAborted();
      if (this.deadline.aborted) this.end = "late";
      return false;
    }

    const [known] = this.vectors.values();
    if (known && found.some(({ length }) => length !== known.length)) {
      this.end = "other-model";
      return false;
    }

    for (const [place, [hash]] of texts.entries()) this.vectors.set(hash, quantized(found[place]!));
    this.embedded_count += found.length;
    return true;
  }
}

/** Rejects when the signal is aborted, even if the result doesn't arrive. */
function beforeAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function rowHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Reads the vectors by this model in a manifest. Vectors whose file was deleted are left out. */
export async function knownVectors(
  objects: Objects,
  { files }: Pick<SiteManifest, "files">,
  model: string,
): Promise<KnownVectors> {
  const vectors: KnownVectors = new Map();
  for (const [file, { hash }] of Object.entries(files)) {
    if (!isVectorFile(file)) continue;
    const bytes = await objects.get(fileKey(hash));
    for (const row of bytes ? rowsOf(bytes, model) : []) vectors.set(row.hash, row.vector);
  }
  return vectors;
}
