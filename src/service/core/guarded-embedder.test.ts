import { afterEach, expect, test, vi } from "vitest";
import type { Embedder } from "../../base/embedder.ts";
import { limits } from "../../base/limits.ts";
import { guardedEmbedder } from "./guarded-embedder.ts";

afterEach(() => vi.useRealTimers());

test("after several failures in a row, questions are refused for a while", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  let isDown = true;
  const calls: string[] = [];
  const model: Embedder = {
    model: "tiny",
    async embedQuestion(text) {
      calls.push(text);
      if (isDown) throw new Error("down");
      return Float32Array.of(1);
    },
    embedPassages: async () => [],
  };
  const reported: unknown[] = [];
  const embedder = guardedEmbedder(model, 60_000, (error) => reported.push(error));
  for (let failure = 0; failure < limits.modelFailures_count; failure++)
    await expect(embedder.embedQuestion("a")).rejects.toThrow("down");
  isDown = false;
  await expect(embedder.embedQuestion("b")).rejects.toThrow("paused");
  expect([calls.length, reported.length]).toEqual([limits.modelFailures_count, limits.modelFailures_count]);
  vi.setSystemTime(Date.now() + limits.modelPause_ms);
  expect(await embedder.embedQuestion("c")).toEqual(Float32Array.of(1));
});

test("questions are compared by words while too many wait, and if the model doesn't answer", async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const model: Embedder = {
    model: "tiny",
    embedQuestion(text) {
      asked.push(text);
      return new Promise(() => {});
    },
    embedPassages: async () => [],
  };
  const reported: unknown[] = [];
  const embedder = guardedEmbedder(model, 5_000, (error) => reported.push(error));
  const waiting = Array.from({ length: limits.embeddedQuestions_count }, () =>
    embedder.embedQuestion("a".repeat(20_000)),
  );
  const results = Promise.allSettled(waiting);
  await expect(embedder.embedQuestion("b")).rejects.toThrow("Too many");
  expect([asked.length, asked[0]!.length]).toEqual([
    limits.embeddedQuestions_count,
    limits.embeddedQuestion_chars,
  ]);
  vi.advanceTimersByTime(5_000);
  expect((await results).map(({ status }) => status)).toEqual(waiting.map(() => "rejected"));
  expect(reported).toHaveLength(limits.modelFailures_count);
});
