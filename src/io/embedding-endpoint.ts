/**
 * Implements a client for embedding models with the OpenAI protocol, such as those that Ollama, vLLM and TEI
 * serve.
 */

import type { Embedder } from "../base/embedder.ts";
import { parseJson } from "../base/parse-json.ts";
import { outboundStream } from "./outbound-fetch.ts";

/** Maximum number of texts in a request. */
const batch_count = 32;
/** Maximum length of a vector. */
const dimensions_count = 8_192;
/** Maximum length of a number of a vector, with its comma. */
const number_chars = 32;
/** Maximum number of objects and arrays of a response, not including the vectors. */
const values_count = 100;
/** Timeout for the vectors of a batch of passages. */
const batch_ms = 60_000;

export interface EmbeddingEndpointSettings {
  /** Base URL, including `/v1`. */
  baseUrl: string;
  name: string;
  apiKey?: string;
  /** Timeout for the vector of a question. */
  timeout_s: number;
}

/**
 * Returns a client without connecting to the endpoint, which may be in a private network. Its errors contain
 * no part of the texts.
 */
export function openEmbeddingEndpoint({
  baseUrl,
  name,
  apiKey,
  timeout_s,
}: EmbeddingEndpointSettings): Embedder {
  const send = outboundStream({ sender: "embedding", allowPrivate: true });
  const url = `${baseUrl.replace(/\/+$/, "")}/embeddings`;

  async function embed(input: readonly string[], most_ms: number): Promise<Float32Array[]> {
    const response = await send(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model: name, input }),
      signal: AbortSignal.timeout(most_ms),
    });

    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`The embedding endpoint responded with status ${response.status}`);
    }

    const text = await response.text().catch(() => undefined);
    const vectors = text === undefined ? undefined : readVectors(parseVectors(text, input.length));
    if (vectors?.length !== input.length)
      throw new Error("The embedding endpoint's response doesn't contain a vector for each text");
    return vectors;
  }

  return {
    model: name,
    async embedQuestion(text) {
      return (await embed([text], timeout_s * 1_000))[0]!;
    },
    async embedPassages(texts) {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch_count)
        vectors.push(...(await embed(texts.slice(at, at + batch_count), batch_ms)));
      return vectors;
    },
  };
}

/** Parses a response. Undefined if it isn't JSON, or larger than one with a vector for each text. */
function parseVectors(text: string, texts_count: number): unknown {
  if (text.length > (texts_count + 1) * dimensions_count * number_chars) return undefined;
  try {
    return parseJson(text, values_count + 2 * texts_count);
  } catch {
    return undefined;
  }
}

/** Reads the vectors of a response and scales them to the length 1. Undefined if the response is invalid. */
function readVectors(body: unknown): Float32Array[] | undefined {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  const rows = data as ({ index?: unknown; embedding?: unknown } | null)[];
  const ordered = rows.every((row) => typeof row?.index === "number")
    ? [...rows].sort((a, b) => (a!.index as number) - (b!.index as number))
    : rows;
  const vectors = ordered.map((row) => unitVector(row?.embedding));
  const isWhole = vectors.every((vector) => vector !== undefined && vector.length === vectors[0]!.length);
  return isWhole ? (vectors as Float32Array[]) : undefined;
}

function unitVector(values: unknown): Float32Array | undefined {
  if (
    !Array.isArray(values) ||
    values.length > dimensions_count ||
    !values.every((value) => typeof value === "number" && Number.isFinite(value))
  )
    return undefined;
  const norm = Math.hypot(...(values as number[]));
  return norm > 0 && Number.isFinite(norm)
    ? Float32Array.from(values as number[], (value) => value / norm)
    : undefined;
}
