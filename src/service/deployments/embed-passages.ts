/**
 * Computes the vectors of a built site's passages, for search by meaning. The vectors are stored with the deployment's other files. They
 * are found again by the hash of the passage, so a deployment only computes those of passages that the previous one didn't have.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Embedder } from "../../base/embedder.ts";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/plural.ts";
import { embeddedTexts } from "../../engine/search/embedded-text.ts";
import { payloadOf } from "../../engine/search/index-format.ts";
import { quantized, rowsOf, type VectorRow, writeParts } from "../../engine/search/passage-vectors.ts";
import { shortLanguage } from "../../engine/search/terms.ts";
import type { Objects } from "../../io/objects.ts";
import { isVectorFile, readSearchHeadPath, searchFilePath, vectorFilePath } from "../../layout/site-layout.ts";
import { fileKey } from "../../layout/site-manifest.ts";
import type { Service } from "../core/service.ts";
import { type DeploymentAttempt, readManifest } from "../storage/manifests.ts";
import type { SiteFile } from "../storage/store-files.ts";

/** Number of passages that are embedded together. Between two batches, the deployment can be canceled. */
const embeddedAtOnce_count = 32;
/** Maximum time for the vectors of a deployment. The next deployment computes those that are missing. */
const embedding_ms = 15 * 60_000;

export interface EmbedOptions {
  /** Folder of the built site. */
  folder: string;
  files: readonly SiteFile[];
  /** The deployment whose vectors are used again, if any. */
  previous: DeploymentAttempt | undefined;
  signal: AbortSignal;
  log(line: string): void;
}

/**
 * Adds files with vectors to the site's folder, and returns them. Logs how many vectors were computed, and why some are missing. Rejects only
 * if the deployment is canceled or the folder can't be written.
 */
export async function embedPassages(service: Service, options: EmbedOptions): Promise<SiteFile[]> {
  const { embedding, objects } = service;
  if (!embedding) return [];
  const { folder, files, previous, signal, log } = options;
  const { embedder, languages } = embedding;
  const batches = new Batches(embedder, signal);
  for (const [hash, vector] of await previousVectors(objects, previous, embedder.model)) batches.vectors.set(hash, vector);
  const added: SiteFile[] = [];
  let isCut = false;
  for (const { path: file, access } of files) {
    const index = readSearchHeadPath(file);
    if (!index || !languages.has(shortLanguage(index.language))) continue;
    const load = async (name: string) => payloadOf(await readFile(path.join(folder, searchFilePath(name, index)), "utf8"));
    const hashes = new Map<number, string>();
    for await (const { number, text } of embeddedTexts(load)) {
      isCut ||= hashes.size >= limits.embeddedPassages_count;
      if (hashes.size >= limits.embeddedPassages_count) break;
      const hash = rowHash(text);
      hashes.set(number, hash);
      await batches.add(hash, text);
    }
    await batches.flush();
    const rows = new Map<number, VectorRow>();
    for (const [number, hash] of hashes) {
      const vector = batches.vectors.get(hash);
      if (vector) rows.set(number, { hash, vector });
    }
    const [first] = rows.values();
    if (!first) continue;
    for (const [part, bytes] of writeParts({ model: embedder.model, dimensions: first.vector.length }, rows).entries()) {
      const vectorFile = vectorFilePath(part, index);
      await mkdir(path.dirname(path.join(folder, vectorFile)), { recursive: true });
      await writeFile(path.join(folder, vectorFile), bytes);
      added.push({ path: vectorFile, access });
    }
  }
  // The endpoint has another model with the same name, so all vectors are computed again.
  if (batches.isOtherModel && previous) return embedPassages(service, { ...options, previous: undefined });
  if (batches.embedded_count > 0) log(`Embedded ${plural(batches.embedded_count, "passage")}`);
  if (batches.failure !== undefined) log(`Search by meaning is incomplete until the next deployment: ${batches.failure}`);
  if (isCut) log(`Search by meaning finds the first ${limits.embeddedPassages_count} passages of an index`);
  return added;
}

/** Computes the missing vectors of passages, some at a time. After a failure, no more vectors are computed. */
class Batches {
  readonly vectors = new Map<string, Int8Array>();
  embedded_count = 0;
  /** Why some vectors are missing. */
  failure: string | undefined;
  /** Whether a vector has another length than the known ones. */
  isOtherModel = false;
  private readonly embedder: Embedder;
  private readonly signal: AbortSignal;
  private readonly deadline = AbortSignal.timeout(embedding_ms);
  /** Texts of the next batch, by their hash. */
  private texts = new Map<string, string>();

  constructor(embedder: Embedder, signal: AbortSignal) {
    this.embedder = embedder;
    this.signal = signal;
  }

  async add(hash: string, text: string): Promise<void> {
    if (this.failure !== undefined || this.vectors.has(hash)) return;
    this.texts.set(hash, text);
    if (this.texts.size >= embeddedAtOnce_count) await this.flush();
  }

  async flush(): Promise<void> {
    const { texts } = this;
    this.texts = new Map();
    if (this.failure !== undefined || texts.size === 0) return;
    const found = await this.embed([...texts.values()]);
    const [known] = this.vectors.values();
    if (known && found.some(({ length }) => length !== known.length)) {
      this.isOtherModel = true;
      this.failure = "the embedding model failed";
      return;
    }
    for (const [place, hash] of found.length ? [...texts.keys()].entries() : []) this.vectors.set(hash, quantized(found[place]!));
    this.embedded_count += found.length;
  }

  /** Returns no vectors after a failure. */
  private async embed(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      return await beforeAbort(this.embedder.embedPassages(texts), AbortSignal.any([this.signal, this.deadline]));
    } catch {
      this.signal.throwIfAborted();
      // The operator gets the error, which may contain internal host names.
      this.failure = this.deadline.aborted
        ? `computing the vectors takes longer than ${embedding_ms / 60_000} minutes`
        : "the embedding model failed";
      return [];
    }
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

/** Returns the vectors of a deployment by this model, by the hash of the passage. Empty if its files were deleted. */
async function previousVectors(objects: Objects, previous: DeploymentAttempt | undefined, model: string): Promise<Map<string, Int8Array>> {
  const vectors = new Map<string, Int8Array>();
  const manifest = previous && (await readManifest(objects, previous).catch(() => undefined));
  for (const [file, { hash }] of Object.entries(manifest?.files ?? {})) {
    if (!isVectorFile(file)) continue;
    const bytes = await objects.get(fileKey(hash));
    for (const row of bytes ? rowsOf(bytes, model) : []) vectors.set(row.hash, row.vector);
  }
  return vectors;
}
