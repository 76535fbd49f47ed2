import { expect, test } from "vitest";
import { type ReceivedBody, readBody } from "./read-response-body.ts";

async function received(type: string, ...chunks: Uint8Array[]): Promise<ReceivedBody> {
  let last: ReceivedBody | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  await readBody(stream, type, (body) => {
    last = body;
  });
  return last!;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("a character that is split between two chunks is decoded", async () => {
  const [first, second] = [bytes("é").subarray(0, 1), bytes("é").subarray(1)];
  expect((await received("text/plain", first, second)).text).toBe("é");
});

test("the charset of the content type is used", async () => {
  expect((await received("text/plain; charset=iso-8859-1", new Uint8Array([0xe9]))).text).toBe("é");
});

test.each([
  ["application/problem+json; charset=utf-8", "json"],
  ["application/x-ndjson", "lines"],
  ["text/event-stream", "events"],
  ["image/png", "image"],
  ["application/xml", "text"],
  ["application/zip", "binary"],
])("%s is %s", async (type, kind) => expect((await received(type, bytes("x"))).kind).toBe(kind));

test("without a content type, JSON and text are detected by their bytes", async () => {
  expect((await received("", bytes(' {"a":1}'))).kind).toBe("json");
  expect((await received("", bytes("words"))).kind).toBe("text");
  expect((await received("", new Uint8Array([0, 1]))).kind).toBe("binary");
});
