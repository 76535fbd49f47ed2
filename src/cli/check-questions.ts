/**
 * Asks the search and the assistant of a built site readers' questions, to show what the documentation
 * doesn't answer.
 */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { replyWithoutModel } from "../engine/answer/reply.ts";
import { retrieve } from "../engine/answer/retrieve.ts";
import { payloadOf } from "../engine/search/index-format.ts";
import { SearchIndex } from "../engine/search/search-index.ts";
import { tokens } from "../engine/search/terms.ts";
import { searchFilePath } from "../layout/site-layout.ts";
import { UsageError } from "./command.ts";

export interface QuestionResult {
  question: string;
  /**
   * `quoted`: the assistant answers with a quote. `linked`: it links to related pages. `uncovered`: it may
   * link to pages, but they contain too few of the question's words.
   */
  result: "quoted" | "linked" | "uncovered";
  /** Titles of the sections, the best one first. */
  sections: string[];
  /** Words of the question that are on no page, and that have no synonym there. */
  missingWords: string[];
}

/**
 * Reads a file with one question per line. Empty lines and lines that start with `#` are ignored. Throws
 * `UsageError` if it can't be read.
 */
export function readQuestions(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`Can't read ${file}. Enter the path of a text file with one question per line.`);
  }
  const questions = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (questions.length === 0) throw new UsageError(`${file} has no questions. Enter one question per line.`);
  return questions;
}

/** `site`: the output folder of a build. */
export async function checkQuestions(site: string, questions: readonly string[]): Promise<QuestionResult[]> {
  const indexes = await openIndexes(site);
  const results: QuestionResult[] = [];
  for (const question of questions) {
    const retrieved = await retrieve(indexes, question, { limit_sections: 12, limit_chars: 24_000 });
    const { kind, sections } = replyWithoutModel(question, retrieved, ({ route }) => `/${route}`);
    const unknown = new Set(retrieved.terms.filter(({ isKnown }) => !isKnown).map(({ term }) => term));
    const words = [...tokens(question, retrieved.language)].filter(
      ({ isStop, terms }) => !isStop && terms.every((term) => unknown.has(term)),
    );
    results.push({
      question,
      result: kind === "quote" ? "quoted" : retrieved.isCovered ? "linked" : "uncovered",
      sections: sections.map((number) => retrieved.sections[number - 1]!.title),
      missingWords: [...new Set(words.map(({ start, end }) => question.slice(start, end).toLowerCase()))],
    });
  }

  return results;
}

function openIndexes(site: string): Promise<SearchIndex[]> {
  const languages = readdirSync(path.join(site, path.dirname(searchFilePath("head", { language: "." }))));
  return Promise.all(
    languages.map((language) =>
      SearchIndex.open(async (name) =>
        payloadOf(readFileSync(path.join(site, searchFilePath(name, { language })), "utf8")),
      ),
    ),
  );
}

/**
 * Returns the results as text: the questions that the documentation doesn't cover, the missing words by
 * frequency, and a summary.
 */
export function describeQuestions(results: readonly QuestionResult[]): string {
  const uncovered = results.filter(({ result }) => result === "uncovered");
  const counts = new Map<string, number>();
  for (const { missingWords } of results)
    for (const word of missingWords) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([word, count]) => (count === 1 ? word : `${word} (${count})`));
  const count = (kind: QuestionResult["result"]) => results.filter(({ result }) => result === kind).length;
  return [
    ...uncovered.map(
      ({ question, sections }) =>
        `Not covered: ${question}${sections[0] === undefined ? "" : `\n  Nearest: ${sections[0]}`}`,
    ),
    ...(words.length ? [`Words that no page contains: ${words.join(", ")}`] : []),
    `${results.length} questions: ${count("quoted")} answered with a quote, ${count("linked")} with links, ${count("uncovered")} not covered`,
  ].join("\n");
}
