/** The theme of a question: the group of the navigation that most of what was found lies in. */

export interface Vote {
  /** Of the page's place in the navigation. */
  group?: string;
  score: number;
}

/** Sections that vote. */
const voters_count = 5;
/** Of all votes, so that there is a theme at all, and before the second. */
const leastShare = 0.4;
const leastMargin = 0.1;
/** An undocumented question of the topic keeps its theme, a question about something else has none. */
const leastConfidence = 0.35;

/** Best first. Null when no group stands out, or when nothing that was found fits. */
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
