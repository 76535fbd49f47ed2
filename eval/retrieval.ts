import { mean, ndcg, recall, reciprocalRank } from "./measures.ts";
import { type Corpus, openCorpus, type Question, questions } from "./sets.ts";

export interface Found {
  question: Question;
  /** Ids of sections, best first. */
  found: string[];
}

export async function search({ index, ids }: Corpus, asked: readonly Question[]): Promise<Found[]> {
  return Promise.all(
    asked.map(async (question) => {
      const { hits } = await index.search({ text: question.question, limit: 20 });
      return { question, found: hits.map(({ route, anchor }) => ids.get(`${route}#${anchor}`)!) };
    }),
  );
}

const over = (measure: (found: readonly string[], relevant: readonly string[]) => number) => (cases: readonly Found[]) =>
  mean(cases.map(({ found, question }) => measure(found, question.relevant)));

export const retrievalMeasures = {
  "recall@3": over((found, relevant) => recall(found, relevant, 3)),
  "recall@5": over((found, relevant) => recall(found, relevant, 5)),
  "recall@10": over((found, relevant) => recall(found, relevant, 10)),
  "recall@20": over((found, relevant) => recall(found, relevant, 20)),
  "MRR@20": over((found, relevant) => reciprocalRank(found, relevant, 20)),
  "nDCG@10": over((found, relevant) => ndcg(found, relevant, 10)),
};

export async function retrievalOf(set: "anthropic-docs" | "squad2-sample"): Promise<Found[]> {
  return search(await openCorpus(set), questions(set).answerable);
}
