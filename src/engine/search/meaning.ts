/** Adds the meaning of passages to a search by words. */

import type { PassageVectors } from "./passage-vectors.ts";
import type { Candidate, SimilarPassages } from "./search-hit.ts";
import type { SearchIndex } from "./search-index.ts";

/** Number of sections whose similarity counts. */
const similarSections_count = 50;
/**
 * The similarity of the passage at this place is the lowest one that counts. On a small site, the mean of all
 * passages is.
 */
const similarPassages_count = 100;
/** Score of the most similar section, relative to the best score by words. Chosen on public question sets. */
const similarityWeight = 0.6;

/**
 * Compares a question with the passages of each index. The elements of the result are undefined for indexes
 * that have no vectors, and the result is undefined if no index has any, or if the embedder fails.
 */
export type CompareMeaning = (
  indexes: readonly SearchIndex[],
  question: string,
) => Promise<readonly (SimilarPassages | undefined)[] | undefined>;

/**
 * Finds the similar passages of each index. `question`: unit vector. `pause`: see `PassageVectors.cosines`.
 */
export async function similarPassages(
  vectors: readonly (PassageVectors | undefined)[],
  question: Float32Array,
  pause: () => Promise<void>,
): Promise<(SimilarPassages | undefined)[]> {
  const cosines: (Float32Array | undefined)[] = [];
  for (const one of vectors) cosines.push(await one?.cosines(question, pause));
  const compared = cosines.flatMap((values) => (values ? [values.filter((cosine) => cosine !== 0)] : []));
  const best = compared.flatMap((values) => [...values.slice().sort().subarray(-similarPassages_count)]);
  const descending = Float32Array.from(best).sort().reverse();
  const count = compared.reduce((sum, { length }) => sum + length, 0);
  const mean =
    compared.reduce((sum, values) => values.reduce((total, cosine) => total + cosine, sum), 0) / (count || 1);
  const least = Math.max(mean, descending[similarPassages_count - 1] ?? mean);
  const most = descending[0] ?? 0;
  return cosines.map((values) => {
    if (!values) return undefined;
    const shares = new Map<number, number>();
    // The mean is negative if the question is unlike most passages, and 0 means that there's no vector.
    for (let passage = 0; passage < values.length; passage++)
      if (values[passage] !== 0 && values[passage]! > least)
        shares.set(passage, (values[passage]! - least) / (most - least));
    return {
      addTo: (candidates, sectionOf, factorOf) =>
        withSimilar(candidates, bestOfSections(shares, sectionOf, factorOf)),
    };
  });
}

/**
 * Returns the most similar sections. Their scores are from 0 to 1. `shares`: similarities from 0 to 1, by
 * passage number.
 */
function bestOfSections(
  shares: ReadonlyMap<number, number>,
  sectionOf: Uint32Array,
  factorOf: (passage: number) => number,
): Candidate[] {
  const sections = new Map<number, Candidate>();
  for (const [passage, share] of shares) {
    const section = sectionOf[passage];
    // The vectors aren't those of the index.
    if (section === undefined) continue;
    const score = share * factorOf(passage);
    if (score > (sections.get(section)?.score ?? 0))
      sections.set(section, { section, passage, score, covered_idf: 0 });
  }
  return byScore(sections.values()).slice(0, similarSections_count);
}

function withSimilar(candidates: readonly Candidate[], similar: readonly Candidate[]): Candidate[] {
  const best = candidates[0]?.score ?? 1;
  const sections = new Map(candidates.map((candidate) => [candidate.section, candidate]));
  for (const found of similar) {
    const added = similarityWeight * best * found.score;
    const known = sections.get(found.section);
    sections.set(
      found.section,
      known ? { ...known, score: known.score + added } : { ...found, score: added },
    );
  }
  return byScore(sections.values());
}

function byScore(candidates: Iterable<Candidate>): Candidate[] {
  return [...candidates].sort((a, b) => b.score - a.score || a.passage - b.passage);
}
