/** Quality measures for retrieval and classification, with confidence intervals. */

export interface Measured {
  value: number;
  low: number;
  high: number;
}

/** Recall at `k`: share of the relevant sections that are among the first `k` found ones. */
export function recall(found: readonly string[], relevant: readonly string[], k: number): number {
  const first = new Set(found.slice(0, k));
  return relevant.filter((id) => first.has(id)).length / relevant.length;
}

export function reciprocalRank(found: readonly string[], relevant: readonly string[], k: number): number {
  const place = found.slice(0, k).findIndex((id) => relevant.includes(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

export function ndcg(found: readonly string[], relevant: readonly string[], k: number): number {
  const gain = (place: number) => 1 / Math.log2(place + 2);
  const got = found
    .slice(0, k)
    .reduce((sum, id, place) => sum + (relevant.includes(id) ? gain(place) : 0), 0);
  const best = relevant.slice(0, k).reduce((sum, _, place) => sum + gain(place), 0);
  return got / best;
}

/** Area under the ROC curve: probability that a positive case has a higher score than a negative one. */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  let wins = 0;
  for (const positive of positives)
    for (const negative of negatives) wins += positive > negative ? 1 : positive === negative ? 0.5 : 0;
  return wins / (positives.length * negatives.length);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A measure with its 95 % confidence interval, by bootstrap with a fixed seed. */
export function bootstrap<T>(cases: readonly T[], measure: (cases: readonly T[]) => number): Measured {
  const random = mulberry32(20_240_601);
  const draws = Array.from({ length: 1_000 }, () =>
    measure(cases.map(() => cases[Math.floor(random() * cases.length)]!)),
  );
  draws.sort((a, b) => a - b);
  return { value: measure(cases), low: draws[25]!, high: draws[974]! };
}

/** Deterministic random number generator (mulberry32 by Tommy Ettinger). */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shown({ value, low, high }: Measured): string {
  return `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}
