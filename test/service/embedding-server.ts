/**
 * A fake endpoint for embeddings. Texts are similar if they have the same words, or words that are synonyms
 * in `synonyms`.
 */

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Groups of words with the same vector. */
const synonyms = [
  ["feline", "felines", "cat", "cats", "kitty"],
  ["hungry", "feeding", "food"],
];

export interface EmbeddingServer {
  /** Base URL, including `/v1`. */
  url: string;
  /** The texts of each request. */
  requests: string[][];
  /** Headers of the last request. */
  headers(): Record<string, unknown>;
  /** Sets the status and the body of the next responses. Undefined: vectors. */
  respond(response: { status?: number; body?: unknown } | undefined): void;
  /** Delays the following vectors of passages, which have several lines, until a promise is resolved. */
  hold(until: Promise<void>): void;
  /** Refuses requests with a text that contains a word. Undefined: none. */
  reject(word: string | undefined): void;
  /** Sets the length of vectors, as another model would. Initially 64. */
  resize(dimensions: number): void;
  stop(): Promise<void>;
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  let set: { status?: number; body?: unknown } | undefined;
  let headers = {};
  let dimensions = 64;
  let held = Promise.resolve();
  let rejected: string | undefined;
  const requests: string[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    requests.push(input);
    headers = request.headers;
    const data = input.map((text, index) => ({
      index,
      object: "embedding",
      embedding: vectorOf(text, dimensions),
    }));
    if (input.some((text) => text.includes("\n"))) await held;
    const isRejected = rejected !== undefined && input.some((text) => text.includes(rejected!));
    response.writeHead(set?.status ?? (isRejected ? 400 : 200), {
      "content-type": "application/json",
      location: "http://127.0.0.1:1/",
    });
    const body = set && "body" in set ? set.body : { object: "list", data: data.reverse() };
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    headers: () => headers,
    respond(response) {
      set = response;
    },
    hold(until) {
      held = until;
    },
    reject(word) {
      rejected = word;
    },
    resize(length) {
      dimensions = length;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const concept = synonyms.find((group) => group.includes(word))?.[0] ?? word;
    vector[createHash("sha256").update(concept).digest().readUInt32LE() % dimensions]! += 1;
  }
  return vector;
}
