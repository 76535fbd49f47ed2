/** How sure it is that what was found is about what was asked. No model is asked: only how well the words meet. */
import type { SearchOutcome } from "../search/search-hit.ts";

/** What tells questions that the documentation answers from others. Their length does too in every set, but by accident. */
export interface Signals {
  /** Logarithm of how much the best passage scored of what it could. */
  strength: number;
  /** Share of what the words tell that the documentation does not know, or knows by another spelling only. */
  unknown: number;
}

export type SignalWeights = Record<keyof Signals | "constant", number>;

/**
 * Logistic regression on the sets of `npm run eval -- answerable`, which fits it anew and prints what it found: questions with
 * an answer against questions to other products. It came out alike on documentation and on encyclopedia articles.
 */
export const signalWeights: SignalWeights = { constant: 7.3, strength: 3.5, unknown: -3.4 };

/** Below it, an answer that no model judges would more often be beside the point than not. */
export const coveredConfidence = 0.5;

/** Less would make one missing word out of nothing. */
const leastStrength = 0.01;

export function signalsOf({ hits, terms }: SearchOutcome): Signals {
  const total = terms.reduce((sum, { idf }) => sum + idf, 0);
  const known = terms.reduce((sum, { idf, isKnown, also }) => sum + (isKnown && also.length === 0 ? idf : 0), 0);
  const strength = hits.reduce((most, hit) => Math.max(most, hit.strength), leastStrength);
  return { strength: Math.log(strength), unknown: total === 0 ? 1 : 1 - known / total };
}

/** 0 to 1. */
export function confidenceOf(signals: Signals, weights: SignalWeights = signalWeights): number {
  const sum = weights.constant + weights.strength * signals.strength + weights.unknown * signals.unknown;
  return 1 / (1 + Math.exp(-sum));
}
