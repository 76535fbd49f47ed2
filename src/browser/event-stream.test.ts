import { describe, expect, test } from "vitest";
import { eventsOf, readEvents, type StreamEvent } from "./event-stream.ts";

const cases: [string, string, StreamEvent[]][] = [
  ["one", "data: a\n\n", [{ name: "message", data: "a" }]],
  ["lines of data", "data: a\ndata:b\r\n\r\n", [{ name: "message", data: "a\nb" }]],
  ["a name and an id", "event: x\nid: 7\ndata: a\n\n", [{ name: "x", data: "a" }]],
  ["a comment is ignored", ": ping\n\n", []],
  ["does not return an incomplete event", "data: a\n\ndata: b\n", [{ name: "message", data: "a" }]],
  [
    "carriage returns",
    "data: a\rdata: é\r\rdata: b\r\r",
    [
      { name: "message", data: "a\né" },
      { name: "message", data: "b" },
    ],
  ],
  ["a byte order mark", "\uFEFFdata: a\n\n", [{ name: "message", data: "a" }]],
  // JSON contains these characters unescaped.
  ["Unicode line separators", "data: a\u2028b\n\n", [{ name: "message", data: "a\u2028b" }]],
  [
    "a name without data",
    "event: end\n\ndata\n\n",
    [
      { name: "end", data: "" },
      { name: "message", data: "" },
    ],
  ],
];

test.each(cases)("events: %s", (_title, text, expected) => expect(readEvents(text)).toEqual(expected));

describe("a body in chunks of one byte", () => {
  // The last event of a stream that ends with a carriage return could still have a line feed.
  test.each(cases.filter(([, text]) => !text.endsWith("\r")))("%s", async (_title, text, expected) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const found: StreamEvent[] = [];
    for await (const event of eventsOf(body)) found.push(event);
    expect(found).toEqual(expected);
  });

  test("is canceled when the caller stops reading, and its error is the caller's", async () => {
    let reason: unknown;
    const encoded = new TextEncoder().encode("data: a\n\n");
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(encoded),
      cancel: () => void (reason = "canceled"),
    });
    for await (const { data } of eventsOf(endless)) {
      expect(data).toBe("a");
      break;
    }
    await expect.poll(() => reason).toBe("canceled");

    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("lost")),
    });
    await expect(eventsOf(broken).next()).rejects.toThrow("lost");
  });
});
