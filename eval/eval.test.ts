/**
 * The measures of `npm run eval` must reach their goals on the shared halves of the question sets. The other
 * halves are held out.
 */

import { describe, expect, test } from "vitest";
import { corpusOf, inCorpus } from "../test/shared/corpus.ts";
import { answerCases } from "./answer.ts";
import { answerableCases, refusedShare, unansweredF1 } from "./answerable.ts";
import { accuracy, categoryCases } from "./category.ts";
import { mean } from "./measures.ts";
import { retrievalMeasures, retrievalOf } from "./retrieval.ts";

describe.skipIf(!inCorpus(corpusOf.retrieval))("goals of search and assistant", () => {
  test.each([
    ["anthropic-docs", { "recall@5": 0.81, "recall@10": 0.86, "recall@20": 0.9, "MRR@20": 0.89 }],
    ["squad2-sample", { "recall@5": 0.93 }],
  ] as const)("retrieval on %s", async (set, goals) => {
    const found = await retrievalOf(set);
    for (const [name, goal] of Object.entries(goals))
      expect(retrievalMeasures[name as keyof typeof retrievalMeasures](found), name).toBeGreaterThanOrEqual(
        goal - 1e-9,
      );
  });

  test("unanswerable questions are distinguished", async () => {
    const { docs, articles } = await answerableCases();
    expect(unansweredF1(docs)).toBeGreaterThanOrEqual(0.92);
    expect(refusedShare(docs)).toBeLessThanOrEqual(0.05);
    expect(refusedShare(articles)).toBeLessThanOrEqual(0.05);
  });

  test("topics", async () => {
    const { own, offTopic } = await categoryCases();
    expect(accuracy(own)).toBeGreaterThanOrEqual(0.93);
    expect(accuracy(offTopic)).toBeGreaterThanOrEqual(0.9);
  });

  test("quotes are verbatim, and replies show a right section", async () => {
    const cases = await answerCases();
    expect(cases.filter(({ isVerbatim }) => !isVerbatim).map(({ question }) => question)).toEqual([]);
    expect(mean(cases.map(({ showsRight }) => Number(showsRight)))).toBeGreaterThanOrEqual(0.85);
  });
});
