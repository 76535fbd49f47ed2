/**
 * Vectors for measurements with an embedder: `--embedder FOLDER` for the package octavo-semantic in this
 * folder, or `--embedder http://127.0.0.1:11434/v1#NAME` for an endpoint. Vectors of passages are kept for
 * the next run.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Embedder } from "../src/base/embedder.ts";
import { embeddedTexts } from "../src/engine/search/embedded-text.ts";
import { type CompareMeaning, similarPassages } from "../src/engine/search/meaning.ts";
import {
  PassageVectors,
  quantized,
  type VectorRow,
  writeParts,
} from "../src/engine/search/passage-vectors.ts";
import type { SearchHit } from "../src/engine/search/search-hit.ts";
import type { LoadPart, SearchIndex } from "../src/engine/search/search-index.ts";
import { openEmbeddingEndpoint } from "../src/io/embedding-endpoint.ts";
import { openLocalEmbedder } from "../src/io/local-embedder.ts";

/** Folder with the vectors of earlier runs. */
const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../.octavo/eval");
let embedder: Embedder | undefined;
const vectors = new WeakMap<SearchIndex, Promise<PassageVectors>>();

export async function useEmbedder(location: string): Promise<void> {
  const [baseUrl = "", name = ""] = location.split("#");
  embedder = /^https?:/.test(location)
    ? openEmbeddingEndpoint({ baseUrl, name, timeout_s: 60 })
    : await openLocalEmbedder(location);
}

/** Compares meanings if there is an embedder. */
export function compareMeaning(): CompareMeaning | undefined {
  const model = embedder;
  if (!model) return undefined;
  return async (indexes, question) =>
    similarPassages(
      await Promise.all(indexes.map((index) => vectors.get(index))),
      await model.embedQuestion(question),
      setImmediate,
    );
}

/** Adds the vectors of an index if there is an embedder. */
export function addVectors(index: SearchIndex, name: string, load: LoadPart): SearchIndex {
  if (embedder) vectors.set(index, vectorsOf(embedder, name, load));
  return index;
}

async function vectorsOf(model: Embedder, name: string, load: LoadPart): Promise<PassageVectors> {
  const file = path.join(folder, `${name}-${model.model.replace(/\W+/g, "-")}.json`);
  const kept = new Map(
    existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : [],
  );
  const rows = new Map<number, VectorRow>();
  for await (const { number, text } of embeddedTexts(load)) {
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    if (!kept.has(hash))
      kept.set(hash, Buffer.from(quantized((await model.embedPassages([text]))[0]!)).toString("base64"));
    rows.set(number, { hash, vector: new Int8Array(Buffer.from(kept.get(hash)!, "base64")) });
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(kept)));
  const dimensions = rows.values().next().value!.vector.length;
  return new PassageVectors(writeParts({ model: model.model, dimensions }, rows));
}

/** Searches by words and, if there is an embedder, by meaning. */
export async function hitsFor(
  index: SearchIndex,
  text: string,
  limit: number,
): Promise<readonly SearchHit[]> {
  const [similar] = (await compareMeaning()?.([index], text)) ?? [];
  return (await index.search({ text, limit, similar })).hits;
}
