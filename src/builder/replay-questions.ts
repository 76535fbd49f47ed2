/**
 * Answers recorded questions without a model on two versions of a site, for a reader without groups.
 * Questions are the tests, and answers that a change takes away are its failures.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { mayRead, type Reader } from "../base/access.ts";
import { limits } from "../base/limits.ts";
import { replyWithoutModel } from "../engine/answer/reply.ts";
import { retrieve } from "../engine/answer/retrieve.ts";
import { detectLanguage } from "../engine/search/detect-language.ts";
import { payloadOf } from "../engine/search/index-format.ts";
import type { QueryTerm } from "../engine/search/search-hit.ts";
import { SearchIndex } from "../engine/search/search-index.ts";
import { termsOf } from "../engine/search/terms.ts";
import { readSearchHeadPath, searchFilePath } from "../layout/site-layout.ts";
import type { ComparedFile, ComparedSite } from "./compared-site.ts";

export interface RecordedQuestion {
  /** ID of the message. */
  id: string;
  text: string;
}

export interface RecordedQuestions {
  /** Questions that were answered. */
  answered: RecordedQuestion[];
  /** Questions that weren't answered, of groups that are still open. */
  open: RecordedQuestion[];
}

export interface ReplayedAnswers {
  /** Messages whose answer the live site has and the preview doesn't. */
  lost: string[];
  /** Unanswered messages whose answer the preview has and the live site doesn't. */
  gained: string[];
  /** Number of questions that were replayed, and of those that weren't because of the time. */
  replayed: number;
  left: number;
}

/**
 * Share of a question's terms, by their idf, that an answer has to lose. Without a model, related sections
 * can look like an answer after the one about the subject is gone.
 */
const lostShare = 1 / 3;
/** Time after which no further question is replayed. */
const replay_ms = 20_000;

/** Returns undefined if there are no questions, or a version has no index that the reader may search. */
export async function replayQuestions(
  live: ComparedSite,
  preview: ComparedSite,
  { answered, open }: RecordedQuestions,
): Promise<ReplayedAnswers | undefined> {
  const count = answered.length + open.length;
  if (count === 0) return undefined;
  const reader = headsOf(live, undefined).length > 0 ? undefined : { groups: [] };
  const [before, after] = [await openIndexes(live, reader), await openIndexes(preview, reader)];
  if (before.length === 0) return undefined;

  const deadline_ms = performance.now() + replay_ms;
  const result: ReplayedAnswers = { lost: [], gained: [], replayed: 0, left: 0 };
  // Both kinds have a share of the time.
  const questions = Array.from({ length: Math.max(answered.length, open.length) }, (_, index) => [
    { question: answered[index], from: before, to: after, list: result.lost },
    { question: open[index], from: after, to: before, list: result.gained },
  ]).flat();
  for (const { question, from, to, list } of questions) {
    if (!question) continue;
    if (performance.now() > deadline_ms) break;
    result.replayed++;
    if (await isBetter(question.text, from, to)) list.push(question.id);
  }

  return { ...result, left: count - result.replayed };
}

/** Whether indexes answer a question that others don't answer, or of which they answer much less. */
async function isBetter(
  text: string,
  indexes: readonly SearchIndex[],
  others: readonly SearchIndex[],
): Promise<boolean> {
  const answer = await answerTo(text, indexes);
  if (!answer) return false;
  const other = await answerTo(text, others);
  return !other || shareOf(answer, answer.terms) - shareOf(other, answer.terms) >= lostShare;
}

interface ReplayedAnswer {
  terms: readonly QueryTerm[];
  /** The terms of each section that the answer quotes or links to. */
  sections: ReadonlySet<string>[];
}

/** Answers a question as the assistant does without a model. Undefined if the documentation has no answer. */
async function answerTo(text: string, indexes: readonly SearchIndex[]): Promise<ReplayedAnswer | undefined> {
  const language = detectLanguage(text);
  const own = indexes.filter((index) => index.language === language);
  const retrieved = await retrieve(own.length > 0 ? own : indexes, text, {
    limit_sections: limits.retrieval_sections,
    limit_chars: limits.retrieval_chars,
  });
  const { kind, isCovered, sections } = replyWithoutModel(text, retrieved, () => "");
  if (!isCovered || kind === "none") return undefined;
  return {
    terms: retrieved.terms,
    sections: sections.map((number) => {
      const section = retrieved.sections[number - 1]!;
      return new Set(termsOf(`${section.title}\n${section.text}`, retrieved.language));
    }),
  };
}

/** Returns the largest share of a question's terms, by their idf, that a section of the answer has. */
function shareOf({ sections }: ReplayedAnswer, terms: readonly QueryTerm[]): number {
  const weightOf = (some: readonly QueryTerm[]) => some.reduce((sum, { idf }) => sum + idf, 0);
  const shares = sections.map((section) => weightOf(terms.filter(({ term }) => section.has(term))));
  return Math.max(0, ...shares) / Math.max(weightOf(terms), Number.EPSILON);
}

function headsOf({ files }: ComparedSite, reader: Reader | undefined) {
  return files.flatMap((file) => {
    const head = readSearchHeadPath(file.path);
    return head && mayRead(file.access, reader) ? [head] : [];
  });
}

async function openIndexes(site: ComparedSite, reader: Reader | undefined): Promise<SearchIndex[]> {
  const byPath = new Map(site.files.map((file): [string, ComparedFile] => [file.path, file]));
  return Promise.all(
    headsOf(site, reader).map((head) =>
      SearchIndex.open(async (part) => {
        const name = searchFilePath(part, head);
        const file = path.join(site.folder, byPath.get(name)?.name ?? name);
        return payloadOf(await readFile(file, "utf8"));
      }),
    ),
  );
}
