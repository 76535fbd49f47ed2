/** Measures whether unanswerable questions are distinguished from answerable ones, without a model. */

import {
  confidenceOf,
  coveredConfidence,
  type Signals,
  type SignalWeights,
  signalsOf,
} from "../src/engine/answer/confidence.ts";
import { withoutExpectedWord } from "../src/engine/answer/expected-answer.ts";
import { areaUnderCurve, bootstrap, mean } from "./measures.ts";
import type { Report } from "./report.ts";
import { type Corpus, openCorpus, questions, rows } from "./sets.ts";

const leastF1 = 0.92;
const mostRefused_share = 0.05;

interface Judged {
  id: string;
  question: string;
  kind: string;
  isAnswerable: boolean;
  signals: Signals;
}

interface Asked {
  id: string;
  question: string;
}

export interface AnswerableCases {
  docs: Judged[];
  articles: Judged[];
}

/**
 * Questions to a documentation corpus: answerable, plausible but unanswerable, and about other products.
 * Articles are the control.
 */
export async function answerableCases(): Promise<AnswerableCases> {
  const [docs, articles] = await Promise.all([openCorpus("anthropic-docs"), openCorpus("squad2-sample")]);
  const own = questions("anthropic-docs").answerable;
  const ray = rows<Asked>("ray-questions/questions.jsonl");
  const squad = questions("squad2-sample");
  return {
    docs: [
      ...(await judged(docs, own, "answerable")),
      ...(await judged(docs, rows<Asked>("anthropic-docs/unanswerable-own.jsonl"), "undocumented")),
      ...(await judged(docs, ray, "off-topic")),
    ],
    articles: [
      ...(await judged(articles, squad.answerable, "answerable")),
      ...(await judged(articles, [...ray, ...own], "off-topic")),
      ...(await judged(articles, squad.unanswerable, "adversarial")),
    ],
  };
}

async function judged({ index }: Corpus, asked: readonly Asked[], kind: string): Promise<Judged[]> {
  return Promise.all(
    asked.map(async ({ id, question }) => {
      const outcome = await index.search({ text: withoutExpectedWord(question), limit: 10 });
      return {
        id: `${kind} ${id}`,
        question,
        kind,
        isAnswerable: kind === "answerable",
        signals: signalsOf(outcome),
      };
    }),
  );
}

/** F1 score of the classification as unanswerable. */
export function unansweredF1(cases: readonly Judged[], weights?: SignalWeights): number {
  const refused = cases.filter((one) => isRefused(one, weights));
  const right = refused.filter(({ isAnswerable }) => !isAnswerable).length;
  const all = cases.filter(({ isAnswerable }) => !isAnswerable).length;
  return right === 0 ? 0 : (2 * right) / (refused.length + all);
}

/** Share of the answerable questions that are classified as unanswerable. */
export function refusedShare(cases: readonly Judged[], weights?: SignalWeights): number {
  const answerable = cases.filter(({ isAnswerable }) => isAnswerable);
  return mean(answerable.map((one) => (isRefused(one, weights) ? 1 : 0)));
}

function isRefused({ signals }: Judged, weights?: SignalWeights): boolean {
  return confidenceOf(signals, weights) < coveredConfidence;
}

function auc(cases: readonly Judged[], kind: string): number {
  const confidences = (wanted: string) =>
    cases.filter((one) => one.kind === wanted).map(({ signals }) => confidenceOf(signals));
  return areaUnderCurve(confidences("answerable"), confidences(kind));
}

export async function evalAnswerable(): Promise<Report[]> {
  const { docs, articles } = await answerableCases();
  printFit("anthropic-docs", docs, articles);
  printFit("squad2-sample", articles, docs);
  const all = fitted([docs, articles.filter(({ kind }) => kind !== "adversarial")]);
  console.log(
    `\nFitted on both: ${shownWeights(all)}. The product has its own in src/engine/answer/confidence.ts.`,
  );
  requireCovered(docs);
  return [
    reportOf("anthropic-docs", docs, ["undocumented", "off-topic"]),
    reportOf("squad2-sample", articles, ["off-topic", "adversarial"]),
  ];
}

/** Fails the command if the status is wrong for too many questions. */
function requireCovered(docs: readonly Judged[]): void {
  const [f1, refused] = [unansweredF1(docs), refusedShare(docs)];
  if (f1 >= leastF1 && refused <= mostRefused_share) return;
  console.error(
    `F1 is ${f1.toFixed(3)} (at least ${leastF1}), and ${refused.toFixed(3)} of the answerable questions are refused (at most ${mostRefused_share}).`,
  );
  process.exitCode = 1;
}

function reportOf(set: string, cases: readonly Judged[], kinds: readonly string[]): Report {
  const [near, far] = kinds;
  const judgedBy = (wanted: readonly string[]) =>
    cases.filter(({ kind }) => kind === "answerable" || wanted.includes(kind));
  const f1 = (wanted: readonly string[]) => bootstrap(judgedBy(wanted), (drawn) => unansweredF1(drawn));
  return {
    title: `Unanswered on ${set}, ${cases.length} questions`,
    figures: [
      ...(set === "anthropic-docs" ? [{ name: `F1, ${near} and ${far}`, value: f1(kinds) }] : []),
      ...kinds.map((kind) => ({ name: `F1, ${kind} alone`, value: f1([kind]) })),
      {
        name: "answerable refused",
        value: bootstrap(
          cases.filter(({ isAnswerable }) => isAnswerable),
          (drawn) => refusedShare(drawn),
        ),
      },
      ...kinds.map((kind) => ({
        name: `AUC, ${kind}`,
        value: bootstrap(judgedBy([kind]), (drawn) => auc(drawn, kind)),
      })),
    ],
    cases: cases.map((one) => {
      const refused = isRefused(one);
      const result =
        refused === one.isAnswerable ? (refused ? "wrongly refused" : "wrongly answered") : "right";
      return { id: one.id, question: one.question, result, value: result === "right" ? 1 : 0 };
    }),
  };
}

/**
 * Cross-validation: prints the results of weights that are fitted on one corpus and evaluated on the other,
 * to reveal overfitting.
 */
function printFit(name: string, own: readonly Judged[], other: readonly Judged[]): void {
  const fair = (cases: readonly Judged[]) => cases.filter(({ kind }) => kind !== "adversarial");
  const weights = fitted([fair(own)]);
  const figures = [own, other].map(
    (cases) =>
      `F1 ${unansweredF1(fair(cases), weights).toFixed(3)}, refused ${refusedShare(cases, weights).toFixed(3)}`,
  );
  console.log(
    `\nFitted on ${name}: ${shownWeights(weights)}\n  there ${figures[0]}; on the other ${figures[1]}`,
  );
}

function shownWeights({ constant, strength, unknown }: SignalWeights): string {
  return `constant ${constant.toFixed(2)}, strength ${strength.toFixed(2)}, unknown ${unknown.toFixed(2)}`;
}

/**
 * Logistic regression by gradient descent. All corpora have equal weight, and so have the classes of a
 * corpus.
 */
function fitted(corpora: readonly (readonly Judged[])[]): SignalWeights {
  const shrink = 0.0015;
  const weights: SignalWeights = { constant: 0, strength: 0, unknown: 0 };
  const weighted = corpora.flatMap((cases) => {
    const answerable = cases.filter(({ isAnswerable }) => isAnswerable).length;
    return cases.map((one) => ({
      ...one,
      weight: 0.5 / (one.isAnswerable ? answerable : cases.length - answerable) / corpora.length,
    }));
  });
  for (let step = 0; step < 6_000; step++) {
    const slope: SignalWeights = { constant: 0, strength: 0, unknown: 0 };
    for (const { signals, isAnswerable, weight } of weighted) {
      const error = weight * (confidenceOf(signals, weights) - (isAnswerable ? 1 : 0));
      slope.constant += error;
      slope.strength += error * signals.strength;
      slope.unknown += error * signals.unknown;
    }
    weights.constant -= 1.5 * slope.constant;
    weights.strength -= 1.5 * (slope.strength + shrink * weights.strength);
    weights.unknown -= 1.5 * (slope.unknown + shrink * weights.unknown);
  }
  return weights;
}
