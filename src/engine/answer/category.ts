/** The theme of a question: the group of the navigation that most of what was found lies in. */

export interface Vote {
  /** Divisions and groups of the navigation, outermost first. */
  breadcrumbs: readonly string[];
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
  const level = tellingLevel(found);
  const votes = new Map<string | undefined, number>();
  let total = 0;
  for (const [rank, { breadcrumbs, score }] of found.slice(0, voters_count).entries()) {
    const weight = score ** 3 / Math.log2(rank + 2);
    const group = breadcrumbs[Math.min(level, breadcrumbs.length - 1)];
    votes.set(group, (votes.get(group) ?? 0) + weight);
    total += weight;
  }
  const [first, second] = [...votes].sort((a, b) => b[1] - a[1]);
  if (!first || first[0] === undefined || first[1] < leastShare * total) return null;
  return first[1] - (second?.[1] ?? 0) < leastMargin * total ? null : first[0];
}

/** The outermost level at which what was found differs: a tab or version that holds all of it says nothing. */
function tellingLevel(found: readonly Vote[]): number {
  const deepest = Math.max(0, ...found.map(({ breadcrumbs }) => breadcrumbs.length - 1));
  for (let level = 0; level < deepest; level++) if (new Set(found.map(({ breadcrumbs }) => breadcrumbs[level])).size > 1) return level;
  return deepest;
}
