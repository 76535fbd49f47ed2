/** Answers of hostile models, whose servers tenants choose, don't keep the process from handling requests. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLanguageModel } from "./language-model.ts";

const letters_count = 30_000;
const letter = { choices: [{ index: 0, delta: { content: "a" } }] };
const toolCalls = (from: number) =>
  Array.from({ length: 20 }, (_, index) => ({
    index: from + index,
    id: `call-${from + index}`,
    type: "function",
    function: { name: "never asked for", arguments: "{}" },
  }));
const bodies: Record<string, string> = {
  "events with many tool calls": Array.from(
    { length: 2_000 },
    (_, event) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: toolCalls(event * 20) } }] })}\n\n`,
  ).join(""),
  "events with pieces of a tool's input": Array.from({ length: 7_000 }, (_, event) => {
    const [call] = toolCalls(0);
    const piece = { ...call, function: { name: "report", arguments: event === 0 ? "[" : "[]," } };
    return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [piece] } }] })}\n\n`;
  }).join(""),
  "one line with nested lists": `data: ${"[".repeat(1_000_000)}\n\n`,
  "events with one letter": `data: ${JSON.stringify(letter)}\n\n`.repeat(letters_count),
  "events without text": "data: {}\n\n".repeat(300_000),
  comments: ":\n".repeat(2_000_000),
  "empty lines": "\n".repeat(4_000_000),
  "carriage returns": ":\r".repeat(2_000_000),
};

const endless = Object.keys(bodies);

/** Reported numbers of input tokens, and the number that is counted for them. */
const usages: [reported: string, counted: number][] = [
  ["20", 21],
  ["1e300", 1_000_000_000],
  ["9007199254740993", 1_000_000_000],
  ["-1e15", 0],
  ["20.5", 22],
];
for (const [reported] of usages)
  bodies[reported] = [
    `data: ${JSON.stringify(letter)}`,
    `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":${reported},"completion_tokens":1}}`,
    "data: [DONE]\n\n",
  ].join("\n\n");

const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(bodies[decodeURIComponent(request.url!.split("/")[1]!)]);
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Reads an answer. Returns the number of its parts, and the error that ended it. */
async function read(body: string): Promise<{ parts: number; tokens?: number; error?: string }> {
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/${encodeURIComponent(body)}`;
  const model = openLanguageModel(
    { provider: "openai-compatible", baseUrl, name: "hostile" },
    { timeout_s: 50, isUntrusted: true, allowPrivate: true },
  );
  let parts = 0;
  let tokens: number | undefined;
  try {
    const request = {
      system: "",
      messages: [{ role: "user" as const, content: "Question" }],
      most_ms: 55_000,
    };
    for await (const part of model.answer({ ...request, signal: new AbortController().signal })) {
      parts++;
      if ("tokens" in part) tokens = part.tokens;
    }
    return { parts, tokens };
  } catch (error) {
    return { parts, error: (error as Error).message };
  }
}

test.each(endless)("a stream of %s is cut", async (body) => {
  const { parts, error } = await read(body);
  expect(error).toMatch(/^The model failed/);
  expect(parts).toBeLessThan(10_000);
});

test("other events are handled between the parts of many answers", async () => {
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns++;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  const answers = await Promise.all(Array.from({ length: 6 }, () => read("events with one letter")));
  isRunning = false;
  const parts = answers.reduce((sum, answer) => sum + answer.parts, 0);
  expect(parts).toBeGreaterThan(5_000);
  expect(parts / turns).toBeLessThan(150);
});

test.each(usages)("%s reported tokens count as %i", async (reported, counted) => {
  expect(await read(reported)).toEqual({ parts: 2, tokens: counted });
});
