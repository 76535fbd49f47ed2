/**
 * Measures whether questions get the topic of the sections that answer them, and whether off-topic questions
 * get no topic.
 */

import { retrieve } from "../src/engine/answer/retrieve.ts";
import { bootstrap, mean } from "./measures.ts";
import type { CaseResult, Report } from "./report.ts";
import { type Corpus, openCorpus, questions, rows } from "./sets.ts";

export interface CategoryCase {
  id: string;
  question: string;
  expected: string | null;
  given: string | null;
}

export async function categoryCases(): Promise<{ own: CategoryCase[]; offTopic: CategoryCase[] }> {
  const corpus = await openCorpus("anthropic-docs");
  const single = questions("anthropic-docs").answerable.flatMap((question) => {
    const groups = new Set(question.relevant.map((id) => corpus.groups.get(id)!));
    return groups.size === 1 ? [{ ...question, expected: [...groups][0]! }] : [];
  });
  const strange = rows<{ id: string; question: string }>("ray-questions/questions.jsonl").map((row) => ({
    ...row,
    expected: null,
  }));
  return { own: await given(corpus, single), offTopic: await given(corpus, strange) };
}

async function given(
  { index }: Corpus,
  asked: readonly { id: string; question: string; expected: string | null }[],
): Promise<CategoryCase[]> {
  return Promise.all(
    asked.map(async ({ id, question, expected }) => {
      const { category } = await retrieve([index], question, { limit_sections: 8, limit_chars: 12_000 });
      return { id, question, expected, given: category };
    }),
  );
}

export function accuracy(cases: readonly CategoryCase[]): number {
  return mean(cases.map(({ expected, given: got }) => (expected === got ? 1 : 0)));
}

export async function evalCategory(): Promise<Report[]> {
  const { own, offTopic } = await categoryCases();
  return [
    report(`Category of anthropic-docs questions with one group, ${own.length} questions`, "accuracy", own),
    report(`Category of off-topic questions, ${offTopic.length} questions`, "share without one", offTopic),
  ];
}

function report(title: string, name: string, cases: readonly CategoryCase[]): Report {
  return {
    title,
    figures: [{ name, value: bootstrap(cases, accuracy) }],
    cases: cases.map(({ id, question, expected, given: got }): CaseResult => {
      return {
        id,
        question,
        result: `${got ?? "none"}${expected === got ? "" : `, not ${expected ?? "none"}`}`,
        value: expected === got ? 1 : 0,
      };
    }),
  };
}
