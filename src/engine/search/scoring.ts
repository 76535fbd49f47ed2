/**
 * Computes scores with BM25+ (Lv and Zhai 2011) per field. The terms of a title or heading count for every
 * passage below it.
 */

export const fields = ["body", "heading", "title", "breadcrumbs"] as const;

export type Field = (typeof fields)[number];

export const weights: Record<Field, number> = { body: 1, heading: 2, title: 1.5, breadcrumbs: 0.7 };

const k1 = 1.2;
const b = 0.7;
const delta = 0.5;

/**
 * Average number of words of a field in a passage, measured on documentation sites. Averages of the indexed
 * site aren't used, because then editing one page would change the scores of all pages. Constants are
 * accurate enough, because passages have a limited size.
 */
const wordsOfFields: Record<Field, number> = { body: 34, heading: 1.8, title: 1.8, breadcrumbs: 5 };

/**
 * Languages whose words are indexed as pairs of characters. A text in these languages has about three times
 * as many terms.
 */
const pairedLanguages = new Set(["zh", "ja", "ko", "th", "lo", "km", "my"]);

/** Returns the average lengths of fields in words. `language`: the first part of a language code. */
export function averageLengths(language: string): Record<Field, number> {
  const factor = pairedLanguages.has(language) ? 3 : 1;
  return Object.fromEntries(fields.map((field) => [field, wordsOfFields[field] * factor])) as Record<
    Field,
    number
  >;
}

/**
 * Returns the score of a term in a field of a passage, without idf. `length` is relative to the average
 * length of the field.
 */
export function fieldScore(field: Field, frequency: number, length: number): number {
  if (frequency === 0) return 0;
  return weights[field] * (delta + (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length)));
}

/** Upper bound, without idf, of the score of a term that occurs only in the body. */
export const maxBodyScore = weights.body * (delta + k1 + 1);

const most = Object.values(weights).reduce((sum, weight) => sum + weight, 0) * (delta + k1 + 1);

const least = weights.breadcrumbs * delta;
/** Range of the scores on a logarithmic scale. */
const range = Math.log(most / least);
const steps = 24;

/** Quantized scores, by the step that the index stores. The ratio between consecutive scores is constant. */
export const stepScores = Float32Array.from(
  { length: steps },
  (_, step) => least * (most / least) ** (step / (steps - 1)),
);

/** Returns the step whose score is nearest to a score on a logarithmic scale. */
export function stepOf(score: number): number {
  const step = Math.round((Math.log(score / least) / range) * (steps - 1));
  return Math.max(0, Math.min(steps - 1, step));
}

export function inverseFrequency(passages: number, withTerm: number): number {
  return Math.log(1 + (passages - withTerm + 0.5) / (withTerm + 0.5));
}
