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
  const embedder = guardedEmbedder(model, (error) => reported.push(error));
  for (let failure = 0; failure < limits.modelFailures_count; failure++) await expect(embedder.embedQuestion("a")).rejects.toThrow("down");
  isDown = false;
  await expect(embedder.embedQuestion("b")).rejects.toThrow("paused");
  expect([calls.length, reported.length]).toEqual([limits.modelFailures_count, limits.modelFailures_count]);
  vi.setSystemTime(Date.now() + limits.modelPause_ms);
  expect(await embedder.embedQuestion("c")).toEqual(Float32Array.of(1));
});
