import { setImmediate } from "node:timers/promises";
import { type CompareMeaning, similarPassages } from "../../engine/search/meaning.ts";
import type { SiteSearches } from "../../host/site-search.ts";
import type { Service } from "../core/service.ts";

/**
 * Returns a function that compares the meaning of questions with the passages of indexes, if the service has
 * an embedder. The indexes must be those that the reader may search, so that only vectors of passages that
 * the reader may read are compared. If the embedder fails, which it reports itself, the function resolves to
 * undefined. The same applies if vectors can't be read, which is reported, so that words are compared.
 */
export function compareMeaningIn(
  searches: SiteSearches,
  { embedding }: Pick<Service, "embedding">,
  report: (error: unknown) => void,
): CompareMeaning | undefined {
  if (!embedding) return undefined;
  const { embedder } = embedding;
  const withoutVectors = (error: unknown) => {
    report(error);
    return undefined;
  };

  return async (indexes, question) => {
    const all = await Promise.all(indexes.map((index) => searches.vectorsOf(index).catch(withoutVectors)));
    const vectors = all.map((one) => (one?.model === embedder.model ? one : undefined));
    if (!vectors.some(Boolean)) return undefined;
    const vector = await embedder.embedQuestion(question).catch(() => undefined);
    return vector && similarPassages(vectors, vector, setImmediate).catch(withoutVectors);
  };
}
