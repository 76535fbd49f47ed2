/** Measures recall and rank of the sections that answer a question. */

import { tokens } from "../src/engine/search/terms.ts";
import { bootstrap, mean, ndcg, recall, reciprocalRank } from "./measures.ts";
import type { CaseResult, Report } from "./report.ts";
import { type Corpus, openCorpus, type Question, questions, type SetName } from "./sets.ts";
import { hitsFor } from "./vectors.ts";

export interface Found {
  question: Question;
  /** Ids of the found sections, best first. */
  found: string[];
}

const over =
  (measure: (found: readonly string[], relevant: readonly string[]) => number) => (cases: readonly Found[]) =>
    mean(cases.map(({ found, question }) => measure(found, question.relevant)));

export const retrievalMeasures = {
  "recall@3": over((found, relevant) => recall(found, relevant, 3)),
  "recall@5": over((found, relevant) => recall(found, relevant, 5)),
  "recall@10": over((found, relevant) => recall(found, relevant, 10)),
  "recall@20": over((found, relevant) => recall(found, relevant, 20)),
  "MRR@20": over((found, relevant) => reciprocalRank(found, relevant, 20)),
  "nDCG@10": over((found, relevant) => ndcg(found, relevant, 10)),
};

export async function retrievalOf(set: SetName): Promise<Found[]> {
  return search(await openCorpus(set), questions(set).answerable);
}

async function search({ index, ids }: Corpus, asked: readonly Question[]): Promise<Found[]> {
  return Promise.all(
    asked.map(async (question) => {
      const hits = await hitsFor(index, question.question, 20);
      return { question, found: hits.map(({ route, anchor }) => ids.get(`${route}#${anchor}`)!) };
    }),
  );
}

/** Search results for the same questions with a typo in the rarest word: two swapped letters. */
export async function misspelledRetrievalOf(set: SetName): Promise<Found[]> {
  const corpus = await openCorpus(set);
  const asked = questions(set).answerable.map(async (question) => {
    const { terms } = await corpus.index.search({ text: question.question, limit: 1 });
    const worth = new Map(terms.map(({ term, idf, isKnown }) => [term, isKnown ? idf : 0]));
    const words = [...tokens(question.question, "en")].filter(({ start, end }) =>
      /^\p{L}{5,}$/u.test(question.question.slice(start, end)),
    );
    const rarest = words.sort((a, b) => (worth.get(b.terms[0]!) ?? 0) - (worth.get(a.terms[0]!) ?? 0))[0];
    if (!rarest) return question;
    const at = Math.floor((rarest.start + rarest.end) / 2);
    const { question: text } = question;
    return { ...question, question: text.slice(0, at - 1) + text[at]! + text[at - 1]! + text.slice(at + 1) };
  });
  return search(corpus, await Promise.all(asked));
}

export async function evalRetrieval(): Promise<Report[]> {
  return Promise.all((["anthropic-docs", "squad2-sample"] as const).map(reportOf));
}

async function reportOf(set: SetName): Promise<Report> {
  const cases = await retrievalOf(set);
  const misspelled = await misspelledRetrievalOf(set);
  return {
    title: `Retrieval on ${set}, ${cases.length} questions`,
    figures: [
      ...Object.entries(retrievalMeasures).map(([name, measure]) => ({
        name,
        value: bootstrap(cases, measure),
      })),
      {
        name: "recall@10, a slip in the rarest word",
        value: bootstrap(misspelled, retrievalMeasures["recall@10"]),
      },
    ],
    cases: cases.map(({ question, found }): CaseResult => {
      const places = question.relevant.map((id) => found.indexOf(id) + 1 || ">20");
      return {
        id: question.id,
        question: question.question,
        result: `found at ${places.join(", ")}`,
        value: ndcg(found, question.relevant, 20),
      };
    }),
  };
}
