/**
 * Computes the vectors of a built site's passages, for search by meaning. The vectors are stored with the deployment's other files. They
 * are found again by the hash of the passage, so a deployment only computes those of passages that the previous one didn't have.
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Embedder } from "../../base/embedder.ts";
import { plural } from "../../base/plural.ts";
import { type EmbeddedText, embeddedTexts } from "../../engine/search/embedded-text.ts";
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

/** Adds files with vectors to the site's folder, and returns them. Logs how many vectors were computed, and why some are missing. */
export async function embedPassages({ embedding, objects }: Service, options: EmbedOptions): Promise<SiteFile[]> {
  if (!embedding) return [];
  const { folder, files, previous, signal, log } = options;
  const { embedder, languages } = embedding;
  const vectors = await previousVectors(objects, previous, embedder.model);
  let embedded_count = 0;
  const added: SiteFile[] = [];
  let failure: string | undefined;
  const deadline_ms = performance.now() + embedding_ms;
  for (const { path: file, access } of files) {
    const index = readSearchHeadPath(file);
    if (!index || !languages.has(shortLanguage(index.language))) continue;
    const passages: (EmbeddedText & { hash: string })[] = [];
    const load = async (name: string) => payloadOf(await readFile(path.join(folder, searchFilePath(name, index)), "utf8"));
    for await (const passage of embeddedTexts(load)) passages.push({ ...passage, hash: rowHash(passage.text) });
    failure ??= await embedMissing(embedder, passages, vectors, { signal, deadline_ms, added: (count) => (embedded_count += count) });
    const rows = new Map<number, VectorRow>();
    for (const { number, hash } of passages) if (vectors.has(hash)) rows.set(number, { hash, vector: vectors.get(hash)! });
    const [first] = rows.values();
    if (!first) continue;
    for (const [part, bytes] of writeParts({ model: embedder.model, dimensions: first.vector.length }, rows).entries()) {
      const vectorFile = vectorFilePath(part, index);
      await mkdir(path.dirname(path.join(folder, vectorFile)), { recursive: true });
      await writeFile(path.join(folder, vectorFile), bytes);
      added.push({ path: vectorFile, access });
    }
  }
  if (embedded_count > 0) log(`Embedded ${plural(embedded_count, "passage")}`);
  if (failure !== undefined) log(`Search by meaning is incomplete until the next deployment: ${failure}`);
  return added;
}

/** Adds the missing vectors of passages, by their hash. Returns the reason if some are still missing. */
async function embedMissing(
  embedder: Embedder,
  passages: readonly { hash: string; text: string }[],
  vectors: Map<string, Int8Array>,
  run: { signal: AbortSignal; deadline_ms: number; added(count: number): void },
): Promise<string | undefined> {
  const texts = [...new Map(passages.filter(({ hash }) => !vectors.has(hash)).map(({ hash, text }) => [hash, text]))];
  for (let at = 0; at < texts.length; at += embeddedAtOnce_count) {
    run.signal.throwIfAborted();
    if (performance.now() > run.deadline_ms) return `computing the vectors takes longer than ${embedding_ms / 60_000} minutes`;
    const batch = texts.slice(at, at + embeddedAtOnce_count);
    try {
      const found = await embedder.embedPassages(batch.map(([, text]) => text));
      const [known] = vectors.values();
      if (known && known.length !== found[0]!.length) {
        // The endpoint has another model with the same name, so all vectors are computed again.
        vectors.clear();
        return embedMissing(embedder, passages, vectors, run);
      }
      for (const [place, [hash]] of batch.entries()) vectors.set(hash, quantized(found[place]!));
      run.added(batch.length);
    } catch {
      // The operator gets the error, which may contain internal host names.
      return "the embedding model failed";
    }
  }
  return undefined;
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
