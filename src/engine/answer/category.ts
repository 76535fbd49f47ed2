/**
 * Determines the topic of a question: the navigation group that gets the most votes from the found sections.
 */

export interface Vote {
  /** Navigation group of the page. Absent if the page is in no group. */
  group?: string;
  score: number;
}

/** Maximum number of sections that vote. */
const voters_count = 5;
/** Minimum share of the votes for the first group. */
const leastShare = 0.4;
/** Minimum lead over the second group, as a share of the votes. */
const leastMargin = 0.1;
/**
 * Minimum confidence. Lower than `coveredConfidence`, so that questions about undocumented features of the
 * product also get a topic.
 */
const leastConfidence = 0.35;

/**
 * Returns the navigation group of a question. `found` is sorted with the best section first. Null if no group
 * has enough votes or a large enough lead, if pages without a group have the most votes, or if the confidence
 * is too low.
 */
export function categoryOf(found: readonly Vote[], confidence: number): string | null {
  if (confidence < leastConfidence) return null;
  const votes = new Map<string | undefined, number>();
  let total = 0;
  for (const [rank, { group, score }] of found.slice(0, voters_count).entries()) {
    const weight = score ** 3 / Math.log2(rank + 2);
    votes.set(group, (votes.get(group) ?? 0) + weight);
    total += weight;
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  if (!first || first[0] === undefined || first[1] < leastShare * total) return null;
  return first[1] - (second?.[1] ?? 0) < leastMargin * total ? null : first[0];
}
