/** A language model that fails, stalls, doesn't end, or receives a hundred concurrent questions. */

import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answered, ask, bodyOf } from "../../../test/service/ask-assistant.ts";
import {
  answered,
  type Behaviour,
  type ModelServer,
  startModelServer,
} from "../../../test/service/model-server.ts";
import { modelSecrets, modelSite } from "../../../test/service/model-site.ts";
import { freePort } from "../../../test/service/postgres.ts";
import { send } from "../../../test/service/service.ts";
import {
  newReader,
  newSite,
  rowOf,
  rowsOf,
  type TestSite,
  trusting,
} from "../../../test/service/test-sites.ts";
import { until } from "../../../test/service/until.ts";
import { startService } from "../../../test/shared/service.ts";
import { limits } from "../../base/limits.ts";

/**
 * Maximum heap size of the service in MB. It uses about 90 MB when idle, and 100 answers leave about 45 MB of
 * garbage.
 */
const heap_mb = 180;

describe.each(["openai-compatible", "anthropic"] as const)("a model with the protocol %s", (provider) => {
  const at = modelSite(provider);
  const { asReader, askOf, expectRow } = at;
  describe("if it fails before any text, passages are quoted", () => {
    const rows: [string, Behaviour][] = [
      ["429", { status: 429 }],
      ["500", { status: 500 }],
      ["no answer", { head_ms: 4_000 }],
      ["a connection that ends", { text: ["x"], cutAfter: 0 }],
      ["silence after the head", { text: ["x"], hangAfter: 0 }],
      ["an empty answer", { text: [] }],
      ["a response that is not a stream", { raw: "<html>Bad gateway</html>" }],
      ["a stream that is not JSON", { raw: "data: {oh no\n\ndata: }}\n\n" }],
      ["only a report", { text: [], finish: { covered: true, used: [1], clarifying: false } }],
    ];
    test.each(rows)("%s", async (_name, behaviour) => {
      const began = performance.now();
      const answer = await askOf(behaviour);
      expect(performance.now() - began).toBeLessThan(5_000);
      expect(answer).toMatchObject({ status: 200, resolutionStatus: "answered", error: undefined });
      expect(answer.text).toContain("npm install acme");
      await expectRow(answer);
      // A success resets the count of failures.
      expect((await askOf(answered)).text).toContain("one command");
    });
  });

  describe("if it is interrupted, the text is kept and the reader sees an error", () => {
    const rows: [string, Behaviour, string][] = [
      ["cut after a citation", { text: ["With npm [1]. ", "And then "], cutAfter: 2 }, "answered"],
      ["cut before a citation", { text: ["With npm and ", "then "], cutAfter: 2 }, "unanswered"],
      ["silent in the middle", { text: ["With npm [1]. ", "And then "], hangAfter: 2 }, "answered"],
      ["no JSON in the middle", { raw: "" }, "unanswered"],
    ];
    test.each(rows)("%s", async (name, behaviour, resolutionStatus) => {
      const broken = provider === "anthropic" ? "event: content_block_delta\ndata: {{{\n\n" : "data: {{{\n\n";
      const piece =
        provider === "anthropic"
          ? 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"t","content":[],"usage":{"input_tokens":0,"output_tokens":0}}}\n\nevent: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"With npm and then "}}\n\n'
          : 'data: {"id":"1","created":1,"model":"t","choices":[{"index":0,"delta":{"content":"With npm and then "}}]}\n\n';
      const answer = await askOf(name.startsWith("no JSON") ? { raw: piece + broken } : behaviour);
      expect(answer.text).toContain("With npm");
      expect(answer.error).toBe("The answer was interrupted");
      expect(answer.resolutionStatus).toBe(resolutionStatus);
      await expectRow(answer);
      await askOf(answered);
    });

    test("a slow stream does not time out", async () => {
      const answer = await askOf({
        text: ["With ", "npm ", "install ", "[1]."],
        between_ms: 900,
        finish: { covered: true, used: [1], clarifying: false },
      });
      expect(answer).toMatchObject({
        text: "With npm install [1].",
        error: undefined,
        resolutionStatus: "answered",
      });
    });
  });

  test("a model that keeps failing is paused", async () => {
    const own = await newSite(at.site.service);
    at.model.behave({ status: 500 });
    for (let n = 0; n < limits.modelFailures_count; n++) await ask({ ...own, headers: newReader() });
    const asked = at.model.asked.length;
    for (let n = 0; n < 5; n++)
      expect((await ask({ ...own, headers: newReader() })).text).toContain("npm install acme");
    expect(at.model.asked.length).toBe(asked);
    at.model.behave(answered);
    await wait(limits.modelPause_ms + 500);
    expect((await asReader()).text).toContain("one command");
  });
});

describe("the assistant with a model", () => {
  let model: ModelServer;
  let site: TestSite;
  /** A long answer. It is streamed while the other tests run. */
  let endless: Promise<{ answer: Answered; took_ms: number }>;
  let internalPort: number;
  beforeAll(async () => {
    model = await startModelServer();
    internalPort = await freePort();
    const env = { OCTAVO_MODEL_BASE_URL: model.url, OCTAVO_MODEL_NAME: "test-model" };
    // A small heap, so that leaks fail the test.
    const small = {
      NODE_OPTIONS: `--max-old-space-size=${heap_mb}`,
      OCTAVO_INTERNAL_PORT: String(internalPort),
    };
    site = await newSite(await startService({ env: { ...trusting, ...modelSecrets, ...env, ...small } }));
    // The model first searches for more sections, which takes a part of the minute.
    const endlessText: Behaviour = { text: Array(200).fill("And on [1]. "), between_ms: 1_000 };
    model.behave({ text: [], search: "install acme", head_ms: 12_000 });
    const began = performance.now();
    endless = asReader().then((answer) => ({ answer, took_ms: performance.now() - began }));
    await until(async () => model.asked.length === 1);
    model.behave(endlessText);
    await until(async () => model.asked.length === 2);
    model.behave(answered);
  });
  afterAll(async () => {
    await site.service.stop();
    await model.stop();
  });

  const asReader = (text = "How do I install Acme?", more: object = {}) =>
    ask({ ...site, headers: newReader(), body: bodyOf(text, more) });
  test("100 concurrent readers: each answer is a row, and memory is bounded", async () => {
    const own = await newSite(site.service);
    model.behave({
      text: Array.from({ length: 60 }, (_, n) => `word${n} `).concat("[1]."),
      between_ms: 25,
      finish: { covered: true, used: [1], clarifying: false },
    });
    const rounds: number[] = [];
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          ask({ ...own, headers: newReader(), text: `How do I install Acme? ${round} ${n}` }),
        ),
      );
      expect(
        answers.map(
          ({ status, resolutionStatus, text }) => `${status} ${resolutionStatus} ${text.slice(-11)}`,
        ),
      ).toEqual(Array(100).fill("200 answered word59 [1]."));
      rounds.push(await memoryOf(internalPort));
    }
    const rows = await rowsOf(own);
    expect(new Set(rows.map(({ query }: { query: string }) => query)).size).toBe(400);
    expect(rows.every(({ response }: { response: string }) => response.endsWith("word59 [1]."))).toBe(true);
    console.log(
      `heap after each 100 answers: ${rounds.map((bytes) => Math.round(bytes / 1024 / 1024)).join(", ")} MB`,
    );
    expect(Math.max(...rounds)).toBeLessThan(heap_mb * 1024 * 1024);
    model.behave(answered);
  });

  test("an endless answer is aborted within a minute", { timeout: 90_000 }, async () => {
    const { answer, took_ms } = await endless;
    expect(took_ms).toBeLessThan(60_000);
    expect(answer).toMatchObject({
      error: "The answer was interrupted",
      isDone: true,
      resolutionStatus: "answered",
    });
    expect((await rowOf(site, answer.turnId)).response).toBe(answer.text);
    // The request to the model is aborted.
    expect(
      await Promise.race([
        model.asked[1]!.disconnected.then(() => "ended"),
        wait(3_000).then(() => "goes on"),
      ]),
    ).toBe("ended");
  });
});

async function memoryOf(port: number): Promise<number> {
  const { text } = await send({ port, path: "/metrics" });
  return Number(/^octavo_nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}
