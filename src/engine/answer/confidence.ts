/**
 * Estimates the confidence that the found sections answer the question, based on matching terms, without a
 * model.
 */

import type { SearchOutcome } from "../search/search-hit.ts";

/** Features that distinguish answerable questions from others. */
export interface Signals {
  /** Natural logarithm of the highest `strength` of the hits. */
  strength: number;
  /**
   * Share of the question's total idf from terms that are unknown or were searched with additional terms,
   * such as synonyms. 1 if the question has no terms.
   */
  unknown: number;
}

export type SignalWeights = Record<keyof Signals | "constant", number>;

/**
 * Weights of a logistic regression that separates answerable questions from questions about other products.
 * `npm run eval -- answerable` fits and prints the weights.
 */
export const signalWeights: SignalWeights = { constant: 7.3, strength: 3.5, unknown: -3.4 };

/** Minimum confidence at which the documentation counts as covering a question. */
export const coveredConfidence = 0.5;

/** Minimum confidence at which sections are linked for a question that isn't covered. */
export const relatedConfidence = 0.35;

/** Lower bound of the strength, so that the logarithm is finite. */
const leastStrength = 0.01;

export function signalsOf({ hits, terms }: SearchOutcome): Signals {
  const total = terms.reduce((sum, { idf }) => sum + idf, 0);
  const known = terms.reduce(
    (sum, { idf, isKnown, also }) => sum + (isKnown && also.length === 0 ? idf : 0),
    0,
  );
  const strength = hits.reduce((most, hit) => Math.max(most, hit.strength), leastStrength);
  return { strength: Math.log(strength), unknown: total === 0 ? 1 : 1 - known / total };
}

/** Returns the confidence that the sections answer the question, from 0 to 1. */
export function confidenceOf(signals: Signals, weights: SignalWeights = signalWeights): number {
  const sum = weights.constant + weights.strength * signals.strength + weights.unknown * signals.unknown;
  return 1 / (1 + Math.exp(-sum));
}
