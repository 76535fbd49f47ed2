/**
 * Returns the candidate that is most similar to a misspelled word, ignoring case. Undefined if none is
 * similar enough.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, 80);
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase().slice(0, 80), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * Returns the edit distance of two words. Swapping two adjacent letters counts as one edit. If the distance
 * is at least `bound`, the result may be a different number that is at least `bound`.
 */
function editDistance(a: string, b: string, bound: number): number {
  let earlier: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const value = Math.min(
        previous[j]! + 1,
        current[j - 1]! + 1,
        substitution,
        isSwap ? earlier[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
      current.push(value);
      least = Math.min(least, value);
    }
    if (least >= bound) return bound;
    earlier = previous;
    previous = current;
  }

  return previous[b.length]!;
}
