/** Compares quoted answers with reference answers, and checks that they are verbatim and cite a correct section. */

import { cited } from "../src/engine/answer/clean-answer.ts";
import { extractAnswer } from "../src/engine/answer/quoted-answer.ts";
import { retrieve } from "../src/engine/answer/retrieve.ts";
import type { Retrieved } from "../src/engine/answer/retrieved.ts";
import { termsOf } from "../src/engine/search/terms.ts";
import { bootstrap, mean } from "./measures.ts";
import type { CaseResult, Report } from "./report.ts";
import { type Corpus, openCorpus, questions, rows } from "./sets.ts";

export interface AnswerCase {
  id: string;
  question: string;
  text: string | undefined;
  /** Share of the reference answer's terms that are in the answer. */
  covered: number;
  /** Share of the answer's terms that are in the reference answer. */
  precise: number;
  /** Whether a section that answers the question is cited. */
  citesRight: boolean;
  isVerbatim: boolean;
}

interface Referenced {
  id: string;
  question: string;
  relevant: string[];
  answer: string;
}

export async function answerCases(): Promise<AnswerCase[]> {
  const corpus = await openCorpus("anthropic-docs");
  const referenced = rows<Referenced>("anthropic-docs/questions.jsonl");
  const known = new Set(questions("anthropic-docs").answerable.map(({ id }) => id));
  return Promise.all(referenced.filter(({ id }) => known.has(id)).map((asked) => answerOf(corpus, asked)));
}

async function answerOf({ index, ids }: Corpus, { id, question, relevant, answer }: Referenced): Promise<AnswerCase> {
  const retrieved = await retrieve([index], question, { limit_sections: 8, limit_chars: 12_000 });
  const extract = extractAnswer(question, retrieved);
  const said = new Set(termsOf(extract?.text ?? "", "en"));
  const wanted = new Set(termsOf(answer, "en"));
  const shared = [...wanted].filter((term) => said.has(term)).length;
  const citedIds = (extract?.used ?? []).map((number) => {
    const { route, anchor } = retrieved.sections[number - 1]!;
    return ids.get(`${route}#${anchor}`)!;
  });
  return {
    id,
    question,
    text: extract?.text,
    covered: shared / wanted.size,
    precise: said.size ? shared / said.size : 0,
    citesRight: citedIds.some((cites) => relevant.includes(cites)),
    isVerbatim: extract === undefined || isVerbatim(extract.text, retrieved),
  };
}

/** Whether each line of an answer consists of pieces of the cited sections. The pieces need not be adjacent in the sections. */
export function isVerbatim(text: string, { sections }: Retrieved): boolean {
  const squeezed = (part: string) => part.replace(/\s+/g, " ").trim();
  const sources = cited(text).map((number) => squeezed(sections[number - 1]!.text));
  const lines = text
    .replace(/ ?\[\d+\]$/gm, "")
    .split("\n")
    .map(squeezed)
    .filter(Boolean);
  return lines.every((line) => {
    let words = line.split(" ");
    while (words.length > 0) {
      let length = words.length;
      while (length > 0 && !sources.some((source) => source.includes(words.slice(0, length).join(" ")))) length--;
      if (length < Math.min(words.length, 3)) return false;
      words = words.slice(length);
    }
    return true;
  });
}

export async function evalAnswer(): Promise<Report[]> {
  const cases = await answerCases();
  const share = (is: (one: AnswerCase) => boolean | number) => bootstrap(cases, (drawn) => mean(drawn.map((one) => Number(is(one)))));
  const report: Report = {
    title: `Quoted answers on anthropic-docs, ${cases.length} questions`,
    figures: [
      { name: "cite a section that answers", value: share(({ citesRight }) => citesRight) },
      { name: "words of the reference that are said", value: share(({ covered }) => covered) },
      { name: "words said that the reference has", value: share(({ precise }) => precise) },
      { name: "verbatim", value: share(({ isVerbatim: is }) => is) },
      { name: "characters", value: share(({ text }) => text?.length ?? 0) },
    ],
    cases: cases.map(({ id, question, covered, citesRight }): CaseResult => {
      return {
        id,
        question,
        result: `${Math.round(covered * 100)} % of the words, ${citesRight ? "a right" : "no right"} section`,
        value: covered,
      };
    }),
  };
  return [report];
}
