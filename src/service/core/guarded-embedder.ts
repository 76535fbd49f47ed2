/** Reports the failures of an embedder to the operator, and doesn't let readers wait for one that keeps failing. */

import type { Embedder } from "../../base/embedder.ts";
import { limits } from "../../base/limits.ts";

/** Returns the embedder. After several failures in a row, vectors of questions are refused for a while. Those refusals aren't reported. */
export function guardedEmbedder(embedder: Embedder, report: (error: unknown) => void): Embedder {
  let failures = 0;
  let pausedUntil_ms = 0;
  const guarded = async <T>(vectors: Promise<T>): Promise<T> => {
    try {
      const result = await vectors;
      failures = 0;
      return result;
    } catch (error) {
      report(error);
      if (++failures >= limits.modelFailures_count) pausedUntil_ms = Date.now() + limits.modelPause_ms;
      throw error;
    }
  };
  return {
    model: embedder.model,
    async embedQuestion(text) {
      if (Date.now() < pausedUntil_ms) throw new Error("The embedding model is paused after failures");
      return guarded(embedder.embedQuestion(text));
    },
    embedPassages: (texts) => guarded(embedder.embedPassages(texts)),
  };
}
