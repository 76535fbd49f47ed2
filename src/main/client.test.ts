/** When `octavo/client` sends a request again, and what it throws. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient, OctavoError } from "./client.ts";

interface Api {
  "/things": {
    get: { query?: { limit?: number }; response: { things: string[]; hasMore: boolean } };
    post: { body: object | Blob | ReadableStream<Uint8Array>; response: { id: string } };
  };
  "/events": { post: { events: { text: string } } };
}

/** A client of a server with these responses, and the requests that it gets. */
function clientWith(answers: (Response | Error)[], options: { maxWaitSeconds?: number } = {}) {
  const requests: { url: string; headers: Record<string, string>; body: unknown; at_ms: number }[] = [];
  const fetch = async (url: string, { headers, body }: RequestInit) => {
    requests.push({ url, headers: headers as Record<string, string>, body, at_ms: Date.now() });
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const client = createClient<Api>({
    url: "https://docs.test/base/",
    key: "oct_key",
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  return { client, requests };
}

const busy = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: "Busy", details: [{ message: "Later" }] }, { status, headers });
const created = () => Response.json({ id: "1" });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** The result of a promise while timers run, or what it's rejected with. */
async function settled<Value>(promise: Promise<Value>): Promise<Value | Error> {
  const caught = promise.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return caught;
}

describe("a request that fails for now", () => {
  test.each([
    ["a rate limit", busy(429, { "retry-after": "7" }), 7_000],
    ["a busy service", busy(503, { "retry-after": "2" }), 2_000],
    ["a gateway without the header", busy(502), 500],
    ["the first request with the key in progress", busy(409, { "retry-after": "1" }), 1_000],
    ["a network error", new TypeError("fetch failed"), 500],
  ])("%s: sent again after the wait, with the same key", async (_name, answer, wait_ms) => {
    const { client, requests } = clientWith([answer, created()]);
    expect(await settled(client.post("/things", { body: {} }))).toEqual({ id: "1" });
    const [first, second] = requests;
    expect(second!.at_ms - first!.at_ms).toBe(wait_ms);
    expect(first!.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toEqual({ ...first, at_ms: second!.at_ms });
  });

  test("a date in Retry-After", async () => {
    vi.setSystemTime(new Date("2026-01-31T08:00:00Z"));
    const { client, requests } = clientWith([
      busy(503, { "retry-after": "Sat, 31 Jan 2026 08:00:20 GMT" }),
      created(),
    ]);
    await settled(client.post("/things", { body: {} }));
    expect(requests[1]!.at_ms - requests[0]!.at_ms).toBe(20_000);
  });

  test("is sent four times at most, with longer waits", async () => {
    const { client, requests } = clientWith([busy(503), busy(503), busy(503), busy(503), created()]);
    expect(await settled(client.get("/things"))).toMatchObject({ status: 503 });
    const times = requests.map(({ at_ms }) => at_ms - requests[0]!.at_ms);
    expect(times).toEqual([0, 500, 1_500, 3_500]);
  });

  test("isn't sent again if the wait is too long, or if the body is a stream", async () => {
    const long = clientWith([busy(429, { "retry-after": "61" }), created()]);
    expect(await settled(long.client.get("/things"))).toMatchObject({ status: 429, retryAfterSeconds: 61 });
    const streamed = clientWith([busy(503), created()]);
    const body = new Blob(["text"]).stream();
    expect(await settled(streamed.client.post("/things", { body }))).toMatchObject({ status: 503 });
    expect([long.requests.length, streamed.requests.length]).toEqual([1, 1]);
  });

  test("isn't sent again after the signal", async () => {
    const { client, requests } = clientWith([busy(503, { "retry-after": "30" }), created()]);
    const controller = new AbortController();
    const call = client.get("/things", { signal: controller.signal }).catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    controller.abort(new Error("Enough"));
    expect(await call).toEqual(new Error("Enough"));
    await vi.runAllTimersAsync();
    expect(requests).toHaveLength(1);
  });
});

test.each([400, 401, 403, 404, 409, 422, 500])("a status of %i is thrown at once", async (status) => {
  const { client, requests } = clientWith([busy(status, { "x-request-id": "r-1" }), created()]);
  const error = await settled(client.post("/things", { body: {} }));
  expect(error).toBeInstanceOf(OctavoError);
  expect(error).toMatchObject({
    status,
    message: "Busy",
    details: [{ message: "Later" }],
    requestId: "r-1",
    retryAfterSeconds: undefined,
  });
  expect(requests).toHaveLength(1);
});

test.each(["<h1>Bad request</h1>", "null", '"text"'])("a response of a proxy: %s", async (text) => {
  const { client } = clientWith([new Response(text, { status: 400 })]);
  const error = await settled(client.get("/things"));
  expect(error).toMatchObject({ message: "The service responded with status 400", details: [] });
});

test("the base URL, queries, keys of the caller, and kinds of bodies", async () => {
  const { client, requests } = clientWith([created(), created(), created()]);
  await client.get("/things", { query: { limit: 2 } });
  await client.post("/things", { body: { a: 1 }, idempotencyKey: "mine" });
  await client.post("/things", { body: new Blob(["text"]) });
  const [get, json, blob] = requests;
  expect(get!.url).toBe("https://docs.test/base/things?limit=2");
  expect(get!.headers).toEqual({
    authorization: "Bearer oct_key",
    accept: "application/json, text/event-stream",
  });
  expect(json).toMatchObject({
    body: '{"a":1}',
    headers: { "content-type": "application/json", "idempotency-key": "mine" },
  });
  expect(blob).toMatchObject({
    body: expect.any(Blob),
    headers: { "content-type": "application/octet-stream" },
  });
});

test("items of all pages, which are requested when they're needed", async () => {
  const page = (things: string[], nextCursor: string | null) =>
    Response.json({ total: 3, things, nextCursor, hasMore: nextCursor !== null });
  const { client, requests } = clientWith([page(["a", "b"], "after b"), page([], "x"), page(["c"], null)]);
  const items: string[] = [];
  for await (const item of client.all("/things", { query: { limit: 2 } })) {
    items.push(`${item}${requests.length}`);
  }
  expect(items).toEqual(["a1", "b1", "c3"]);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    "?limit=2",
    "?limit=2&cursor=after+b",
    "?limit=2&cursor=x",
  ]);
});

test("events of a streamed response, in any pieces, until it's done", async () => {
  const text =
    'data: {"text":"ä"}\n\n: comment\r\ndata: {"text":"b"}\n\ndata: [DONE]\n\ndata: {"text":"c"}\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    );
    const { client } = clientWith([new Response(new Blob(pieces).stream())]);
    const events: string[] = [];
    for await (const event of client.stream("/events")) events.push(event.text);
    expect(events).toEqual(["ä", "b"]);
  }
});
