import { setImmediate } from "node:timers/promises";
import { type CompareMeaning, similarPassages } from "../../engine/search/meaning.ts";
import type { SiteSearches } from "../../host/site-search.ts";
import type { Service } from "../core/service.ts";

/**
 * Returns a function that compares the meaning of questions with the passages of indexes, if the service has
 * an embedder. The indexes must be those that the reader may search, so that only vectors of passages that
 * the reader may read are compared. If the embedder fails, which it reports itself, the function resolves to
 * undefined.
 */
export function compareMeaningIn(
  searches: SiteSearches,
  { embedding }: Pick<Service, "embedding">,
): CompareMeaning | undefined {
  if (!embedding) return undefined;
  const { embedder } = embedding;
  return async (indexes, question) => {
    const all = await Promise.all(indexes.map((index) => searches.vectorsOf(index).catch(() => undefined)));
    const vectors = all.map((one) => (one?.model === embedder.model ? one : undefined));
    if (!vectors.some(Boolean)) return undefined;
    const vector = await embedder.embedQuestion(question).catch(() => undefined);
    return vector && similarPassages(vectors, vector, setImmediate);
  };
}
