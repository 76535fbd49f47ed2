/** Measures replies without a model: whether they show a correct section, and whether quotes are verbatim. */

import { cited } from "../src/engine/answer/clean-answer.ts";
import { replyWithoutModel } from "../src/engine/answer/reply.ts";
import { retrieve } from "../src/engine/answer/retrieve.ts";
import type { Retrieved } from "../src/engine/answer/retrieved.ts";
import { bootstrap, mean } from "./measures.ts";
import type { CaseResult, Report } from "./report.ts";
import { type Corpus, openCorpus, type Question, questions } from "./sets.ts";
import { compareMeaning } from "./vectors.ts";

export interface AnswerCase {
  id: string;
  question: string;
  quote: string | undefined;
  /** Whether a section that answers the question is quoted or linked. */
  showsRight: boolean;
  isVerbatim: boolean;
}

export async function answerCases(): Promise<AnswerCase[]> {
  const corpus = await openCorpus("anthropic-docs");
  return Promise.all(questions("anthropic-docs").answerable.map((asked) => answerOf(corpus, asked)));
}

async function answerOf({ index, ids }: Corpus, { id, question, relevant }: Question): Promise<AnswerCase> {
  const retrieved = await retrieve([index], question, {
    limit_sections: 12,
    limit_chars: 24_000,
    compareMeaning: compareMeaning(),
  });
  const reply = replyWithoutModel(question, retrieved, ({ route }) => `/${route}`);
  const quote = reply.kind === "quote" ? reply.text.slice(reply.text.indexOf("\n\n") + 2) : undefined;
  const shownIds = reply.sections.map((number) => {
    const { route, anchor } = retrieved.sections[number - 1]!;
    return ids.get(`${route}#${anchor}`)!;
  });
  return {
    id,
    question,
    quote,
    showsRight: shownIds.some((shown) => relevant.includes(shown)),
    isVerbatim: quote === undefined || isVerbatim(quote, retrieved),
  };
}

/**
 * Whether each line of an answer consists of pieces of the cited sections. The pieces need not be adjacent in
 * the sections.
 */
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
      while (length > 0 && !sources.some((source) => source.includes(words.slice(0, length).join(" "))))
        length--;
      if (length < Math.min(words.length, 3)) return false;
      words = words.slice(length);
    }
    return true;
  });
}

export async function evalAnswer(): Promise<Report[]> {
  const cases = await answerCases();
  const share = (is: (one: AnswerCase) => boolean, among = cases) =>
    bootstrap(among, (drawn) => mean(drawn.map((one) => Number(is(one)))));
  const quoted = cases.filter(({ quote }) => quote !== undefined);
  const report: Report = {
    title: `Replies without a model on anthropic-docs, ${cases.length} questions`,
    figures: [
      { name: "show a section that answers", value: share(({ showsRight }) => showsRight) },
      { name: "answered by a quote", value: share(({ quote }) => quote !== undefined) },
      {
        name: "quotes of a section that answers",
        value: share(({ showsRight }) => showsRight, quoted),
      },
      { name: "verbatim", value: share(({ isVerbatim: is }) => is) },
    ],
    cases: cases.map(({ id, question, quote, showsRight }): CaseResult => {
      const result = `${quote === undefined ? "related sections" : "a quote"}, ${showsRight ? "a right" : "no right"} section`;
      return { id, question, result, value: Number(showsRight) };
    }),
  };
  return [report];
}
