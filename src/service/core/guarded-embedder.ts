/**
 * Reports the failures of an embedder to the operator, and doesn't let readers wait for one that is slow or
 * keeps failing.
 */

import type { Embedder } from "../../base/embedder.ts";
import { limits } from "../../base/limits.ts";

/**
 * Returns the embedder. After several failures in a row, vectors of questions are refused for a while. They
 * are also refused while too many questions wait. Refusals aren't reported. `timeout_ms`: timeout for the
 * vector of a question.
 */
export function guardedEmbedder(
  embedder: Embedder,
  timeout_ms: number,
  report: (error: unknown) => void,
): Embedder {
  let failures = 0;
  let waiting = 0;
  let pausedUntil_ms = 0;
  const guarded = async <T>(vectors: Promise<T>): Promise<T> => {
    try {
      const result = await vectors;
      failures = 0;
      return result;
    } catch (error) {
      // Requests that were sent before the pause fail for the same reason.
      if (Date.now() >= pausedUntil_ms) report(error);
      if (++failures >= limits.modelFailures_count) pausedUntil_ms = Date.now() + limits.modelPause_ms;
      throw error;
    }
  };

  return {
    model: embedder.model,
    async embedQuestion(text) {
      if (Date.now() < pausedUntil_ms) throw new Error("The embedding model is paused after failures");
      if (waiting >= limits.embeddedQuestions_count)
        throw new Error("Too many questions wait for the embedding model");
      waiting++;
      // A question that isn't waited for anymore still occupies the model.
      const vector = embedder
        .embedQuestion(text.slice(0, limits.embeddedQuestion_chars).toWellFormed())
        .finally(() => waiting--);
      return guarded(inTime(vector, timeout_ms));
    },
    embedPassages: (texts) => guarded(embedder.embedPassages(texts)),
  };
}

function inTime<T>(result: Promise<T>, timeout_ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The embedding model took longer than ${timeout_ms / 1_000} s`)),
      timeout_ms,
    );
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
