/**
 * Fits the weights of quotes, and measures them by cross-validation: six times, they are fitted on five
 * sixths of the questions and judged on the rest. Uses our own questions and, with a looser criterion, those
 * of anthropic-docs.
 */

import {
  confidenceSignals,
  type QuoteConfidenceSignals,
  type QuotePart,
  type QuoteSignals,
  quoteCandidates,
} from "../src/engine/answer/quote.ts";
import { retrieve } from "../src/engine/answer/retrieve.ts";
import type { SearchIndex } from "../src/engine/search/search-index.ts";
import { termsOf } from "../src/engine/search/terms.ts";
import { mean, mulberry32 } from "./measures.ts";
import { type HowQuestion, openOwnDocs, ownRows, pageOf, type QuestionSet, squeezed } from "./own.ts";
import type { Report } from "./report.ts";
import { openCorpus, rows } from "./sets.ts";
import { compareMeaning } from "./vectors.ts";

interface QuoteCase {
  isOwn: boolean;
  isDocumented: boolean;
  /** Confidence of the retrieval. */
  retrieval: number;
  parts: (QuotePart & { isRight: boolean })[];
}

type Weights = Record<string, number>;
type IsRight = (part: { route: string; anchor: string; text: string }) => boolean;

const sets: readonly QuestionSet[] = [{ folder: "own" }, { folder: "readers", split: "fit" }];
const folds_count = 6;
const shares = [0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5];

export async function evalQuotes(): Promise<Report[]> {
  const cases = [...(await ownQuoteCases()), ...(await anthropicQuoteCases())];
  const random = mulberry32(20_261_122);
  const folds = cases.map(() => Math.floor(random() * folds_count));
  const judged = Array.from({ length: folds_count }, (_, fold) => fold).flatMap((fold) => {
    const { parts, confidence } = fitted(cases.filter((_, place) => folds[place] !== fold));
    return cases
      .filter(({ isOwn }, place) => isOwn && folds[place] === fold)
      .flatMap((one) => resultOf(one, parts, confidence));
  });
  const documented = judged
    .filter(({ isDocumented }) => isDocumented)
    .sort((a, b) => b.confidence - a.confidence);
  const others = judged.filter(({ isDocumented }) => !isDocumented);
  console.log(`\nQuotes on our own documentation, cross-validated, ${documented.length} questions`);
  for (const share of shares) {
    const quoted = documented.slice(0, Math.round(share * documented.length));
    const least = quoted.at(-1)!.confidence;
    const right = mean(quoted.map(({ isRight }) => Number(isRight)));
    const undocumented = mean(others.map(({ confidence }) => Number(confidence >= least)));
    console.log(
      `  ${share.toFixed(2)} answered: ${right.toFixed(3)} right, ${undocumented.toFixed(3)} of the undocumented questions answered, confidence at least ${least.toFixed(2)}`,
    );
  }
  const all = fitted(cases);
  for (const weights of [all.parts, all.confidence])
    console.log(
      `  Fitted on all: ${Object.entries(weights)
        .map(([name, value]) => `${name} ${value.toFixed(2)}`)
        .join(", ")}`,
    );
  return [];
}

async function ownQuoteCases(): Promise<QuoteCase[]> {
  const index = await openOwnDocs();
  const how = sets
    .flatMap((set) => ownRows<HowQuestion>(set, "questions"))
    .map(({ question, pages, fact }) =>
      caseOf(
        index,
        question,
        ({ route, text }) =>
          pages.includes(pageOf(route)) && fact.some((one) => squeezed(text).includes(squeezed(one))),
      ),
    );
  const undocumented = sets
    .flatMap((set) => ownRows<{ question: string }>(set, "undocumented"))
    .map(({ question }) => caseOf(index, question, undefined));
  return (await Promise.all([...how, ...undocumented])).map((one) => ({ ...one, isOwn: true }));
}

/**
 * A part is right if it is in a section that answers the question and has a quarter of the other words of the
 * reference answer.
 */
async function anthropicQuoteCases(): Promise<QuoteCase[]> {
  const { index, ids } = await openCorpus("anthropic-docs");
  const answerable = rows<{ question: string; answer: string; relevant: string[] }>(
    "anthropic-docs/questions.jsonl",
  ).map(({ question, answer, relevant }) => {
    const asked = new Set(termsOf(question, "en"));
    const wanted = termsOf(answer, "en").filter((term) => !asked.has(term));
    return caseOf(index, question, ({ route, anchor, text }) => {
      const terms = new Set(termsOf(text, "en"));
      return (
        relevant.includes(ids.get(`${route}#${anchor}`)!) &&
        wanted.filter((term) => terms.has(term)).length >= wanted.length / 4
      );
    });
  });
  const others = ["anthropic-docs/unanswerable-own.jsonl", "ray-questions/questions.jsonl"].flatMap((file) =>
    rows<{ question: string }>(file).map(({ question }) => caseOf(index, question, undefined)),
  );
  return Promise.all([...answerable, ...others]);
}

/** `isRight` is undefined for questions that the documentation doesn't answer. */
async function caseOf(
  index: SearchIndex,
  question: string,
  isRight: IsRight | undefined,
): Promise<QuoteCase> {
  const retrieved = await retrieve([index], question, {
    limit_sections: 12,
    limit_chars: 24_000,
    compareMeaning: compareMeaning(),
  });
  const parts = quoteCandidates(question, retrieved).map((part) => {
    const { route, anchor } = retrieved.sections[part.section - 1]!;
    return { ...part, score: 0, isRight: isRight?.({ route, anchor, text: part.text }) ?? false };
  });
  return { isOwn: false, isDocumented: isRight !== undefined, retrieval: retrieved.confidence, parts };
}

function fitted(cases: readonly QuoteCase[]): { parts: Weights; confidence: Weights } {
  const parts = fittedParts(cases.filter((one) => one.parts.some(({ isRight }) => isRight)));
  const judged = cases.filter(({ isOwn }) => isOwn).flatMap((one) => bestOf(one, parts));
  return { parts, confidence: fittedConfidence(judged) };
}

/**
 * Maximizes the probability of the right parts of each question, where a part has a probability proportional
 * to the exponential of its score.
 */
function fittedParts(cases: readonly QuoteCase[]): Weights {
  const names = Object.keys(cases[0]!.parts[0]!.signals) as (keyof QuoteSignals)[];
  const weights: Weights = Object.fromEntries(names.map((name) => [name, 0]));
  for (let step = 0; step < 600; step++) {
    const slope: Weights = Object.fromEntries(names.map((name) => [name, 0]));
    for (const { parts } of cases) {
      const scores = parts.map(({ signals }) => sumOf(weights, signals));
      const most = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - most));
      const total = odds.reduce((sum, one) => sum + one, 0);
      const right = odds.reduce((sum, one, place) => sum + (parts[place]!.isRight ? one : 0), 0);
      for (const [place, { signals, isRight }] of parts.entries()) {
        const error = (isRight ? odds[place]! / right : 0) - odds[place]! / total;
        for (const name of names) slope[name]! += error * signals[name];
      }
    }
    for (const name of names) weights[name]! += 0.3 * (slope[name]! / cases.length - 0.005 * weights[name]!);
  }
  return weights;
}

function fittedConfidence(cases: readonly { signals: QuoteConfidenceSignals; isRight: boolean }[]): Weights {
  const weights: Weights = { constant: 0, lead: 0, retrieval: 0, context: 0 };
  for (let step = 0; step < 20_000; step++) {
    const slope: Weights = { constant: 0, lead: 0, retrieval: 0, context: 0 };
    for (const { signals, isRight } of cases) {
      const error = Number(isRight) - 1 / (1 + Math.exp(-sumOf(weights, { constant: 1, ...signals })));
      for (const [name, value] of Object.entries({ constant: 1, ...signals })) slope[name]! += error * value;
    }
    for (const name of Object.keys(weights))
      weights[name]! +=
        0.5 * (slope[name]! / cases.length - (name === "constant" ? 0 : 0.0005 * weights[name]!));
  }
  return weights;
}

function bestOf(
  { parts, retrieval }: QuoteCase,
  weights: Weights,
): { signals: QuoteConfidenceSignals; isRight: boolean }[] {
  if (parts.length === 0) return [];
  const scored = parts.map((part) => ({ ...part, score: sumOf(weights, part.signals) }));
  const best = scored.reduce((most, one) => (one.score > most.score ? one : most));
  return [{ signals: confidenceSignals(scored, retrieval), isRight: best.isRight }];
}

function resultOf(
  one: QuoteCase,
  parts: Weights,
  weights: Weights,
): { isDocumented: boolean; isRight: boolean; confidence: number }[] {
  return bestOf(one, parts).map(({ signals, isRight }) => {
    const confidence = 1 / (1 + Math.exp(-sumOf(weights, { constant: 1, ...signals })));
    return { isDocumented: one.isDocumented, isRight, confidence };
  });
}

function sumOf(weights: Weights, signals: object): number {
  let sum = 0;
  for (const [name, value] of Object.entries(signals) as [string, number][]) sum += weights[name]! * value;
  return sum;
}
