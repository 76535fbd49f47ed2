import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type EmbeddingServer, startEmbeddingServer } from "../../test/service/embedding-server.ts";
import type { Embedder } from "../base/embedder.ts";
import { openEmbeddingEndpoint } from "./embedding-endpoint.ts";

let server: EmbeddingServer;
let embedder: Embedder;
beforeAll(async () => {
  server = await startEmbeddingServer();
  embedder = openEmbeddingEndpoint({
    baseUrl: `${server.url}/`,
    name: "tiny",
    apiKey: "key-1",
    timeout_s: 5,
  });
});
beforeEach(() => server.respond(undefined));
afterAll(() => server.stop());

const product = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);

test("vectors have the length 1, and are in the order of the texts", async () => {
  const texts = Array.from({ length: 70 }, (_, number) => `cat ${number}`);
  const vectors = await embedder.embedPassages(texts);
  expect(vectors).toHaveLength(70);
  const again = await embedder.embedQuestion("cat 33");
  expect(product(again, again)).toBeCloseTo(1);
  expect(product(again, vectors[33]!)).toBeCloseTo(1);
  expect(server.requests.map(({ length }) => length)).toEqual([32, 32, 6, 1]);
  expect(server.headers()["authorization"]).toBe("Bearer key-1");
});

const invalid = "doesn't contain a vector for each text";
test.each<[string, { status?: number; body?: unknown }, string]>([
  ["an error", { status: 503 }, "status 503"],
  ["a redirect", { status: 307 }, "status 307"],
  ["a web page", { body: "<html>" }, invalid],
  ["no list", { body: { data: {} } }, invalid],
  ["too few vectors", { body: { data: [] } }, invalid],
  ["too many lists", { body: { data: [{ embedding: [1] }], more: Array(1_000).fill([]) } }, invalid],
  ["text that is too long", { body: { data: [{ embedding: [1] }], more: "x".repeat(1_000_000) } }, invalid],
  ["a vector of text", { body: { data: [{ embedding: ["a"] }] } }, invalid],
  ["a vector without a direction", { body: { data: [{ embedding: [0, 0] }] } }, invalid],
  ["a number that is too large", { body: '{"data":[{"embedding":[1e999, 1]}]}' }, invalid],
  ["an empty element", { body: { data: [null] } }, invalid],
])("%s is a failure", async (_name, response, message) => {
  server.respond(response);
  await expect(embedder.embedQuestion("secret text")).rejects.toThrow(message);
  await expect(embedder.embedQuestion("secret text")).rejects.not.toThrow("secret");
});

test("vectors of different lengths are a failure", async () => {
  server.respond({ body: { data: [{ embedding: [1, 0] }, { embedding: [1] }] } });
  await expect(embedder.embedPassages(["a", "b"])).rejects.toThrow(invalid);
});
