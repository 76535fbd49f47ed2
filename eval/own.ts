/**
 * Measures search and answers on Octavo's own documentation: questions, short queries, and questions that the
 * documentation doesn't answer. The question sets are in `eval/own/` and `eval/readers/`, one JSON object per
 * line. Questions in `eval/readers/` were written without regard to the words of the documentation. Constants
 * may be fitted to their half `fit`, and figures are reported for `report`.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { replyWithoutModel } from "../src/engine/answer/reply.ts";
import { retrieve } from "../src/engine/answer/retrieve.ts";
import type { SearchIndex } from "../src/engine/search/search-index.ts";
import { bootstrap, mean } from "./measures.ts";
import type { CaseResult, Report } from "./report.ts";
import { root } from "./sets.ts";
import { buildDocs, openSiteIndex } from "./sites.ts";
import { compareMeaning, hitsFor } from "./vectors.ts";

export interface HowQuestion {
  question: string;
  /** Pages that answer the question. */
  pages: string[];
  /** A correct quote contains one of these texts. */
  fact: string[];
}

interface Navigational {
  query: string;
  pages: string[];
}

export interface HowCase extends HowQuestion {
  /** Pages of the search results, best first. */
  found: string[];
  /** Cited or linked pages of the reply, in order. */
  shown: string[];
  quote: string | undefined;
  isRight: boolean;
}

export interface NavigationalCase extends Navigational {
  found: string[];
}

export interface UndocumentedCase {
  question: string;
  quote: string | undefined;
}

export interface OwnCases {
  how: HowCase[];
  navigational: NavigationalCase[];
  undocumented: UndocumentedCase[];
}

/** A set of questions. `split`: the half of the set, if the set has halves. */
export interface QuestionSet {
  folder: "own" | "readers";
  split?: "fit" | "report";
}

export async function ownCases(index: SearchIndex, set: QuestionSet): Promise<OwnCases> {
  const reply = async (question: string) => {
    const retrieved = await retrieve([index], question, {
      limit_sections: 12,
      limit_chars: 24_000,
      compareMeaning: compareMeaning(),
    });
    const { kind, text, sections } = replyWithoutModel(question, retrieved, ({ route }) => `/${route}`);
    const shown = unique(sections.map((number) => pageOf(retrieved.sections[number - 1]!.route)));
    return { shown, quote: kind === "quote" ? text : undefined };
  };
  const pagesFor = async (text: string) => {
    const hits = await hitsFor(index, text, 30);
    return unique(hits.map(({ route }) => pageOf(route)));
  };
  const how: HowCase[] = [];
  for (const row of ownRows<HowQuestion>(set, "questions")) {
    const { shown, quote } = await reply(row.question);
    const text = squeezed(quote ?? "");
    const isRight =
      row.pages.includes(shown[0] ?? "") && row.fact.some((fact) => text.includes(squeezed(fact)));
    how.push({ ...row, found: await pagesFor(row.question), shown, quote, isRight });
  }
  const navigational: NavigationalCase[] = [];
  for (const row of ownRows<Navigational>(set, "searches"))
    navigational.push({ ...row, found: await pagesFor(row.query) });
  const undocumented: UndocumentedCase[] = [];
  for (const { question } of ownRows<{ question: string }>(set, "undocumented"))
    undocumented.push({ question, quote: (await reply(question)).quote });
  return { how, navigational, undocumented };
}

export const within = (pages: readonly string[], found: readonly string[], count: number) =>
  found.slice(0, count).some((page) => pages.includes(page));

export const ownMeasures = {
  navigational: {
    "first page": (cases: readonly NavigationalCase[]) =>
      mean(cases.map(({ pages, found }) => Number(within(pages, found, 1)))),
    "first three pages": (cases: readonly NavigationalCase[]) =>
      mean(cases.map(({ pages, found }) => Number(within(pages, found, 3)))),
  },
  how: {
    "expected page cited or linked first": (cases: readonly HowCase[]) =>
      mean(cases.map(({ pages, shown }) => Number(within(pages, shown, 1)))),
    "cited or linked among the first three": (cases: readonly HowCase[]) =>
      mean(cases.map(({ pages, shown }) => Number(within(pages, shown, 3)))),
    "search, first page": (cases: readonly HowCase[]) =>
      mean(cases.map(({ pages, found }) => Number(within(pages, found, 1)))),
    "search, first three pages": (cases: readonly HowCase[]) =>
      mean(cases.map(({ pages, found }) => Number(within(pages, found, 3)))),
    "search, first ten pages": (cases: readonly HowCase[]) =>
      mean(cases.map(({ pages, found }) => Number(within(pages, found, 10)))),
    "answered by a quote": (cases: readonly HowCase[]) =>
      mean(cases.map(({ quote }) => Number(quote !== undefined))),
    "quotes that are right": (cases: readonly HowCase[]) => {
      const quoted = cases.filter(({ quote }) => quote !== undefined);
      return quoted.length ? mean(quoted.map(({ isRight }) => Number(isRight))) : 1;
    },
  },
  undocumented: {
    "answered by a quote": (cases: readonly UndocumentedCase[]) =>
      mean(cases.map(({ quote }) => Number(quote !== undefined))),
  },
};

export async function evalOwn(): Promise<Report[]> {
  return reportsOf(await openOwnDocs(), { folder: "own" });
}

export async function evalReaders(): Promise<Report[]> {
  const index = await openOwnDocs();
  return [
    ...(await reportsOf(index, { folder: "readers", split: "fit" })),
    ...(await reportsOf(index, { folder: "readers", split: "report" })),
  ];
}

async function reportsOf(index: SearchIndex, set: QuestionSet): Promise<Report[]> {
  const { how, navigational, undocumented } = await ownCases(index, set);
  const name = [set.folder, set.split].filter(Boolean).join(" ");
  const line = (text: string | undefined) =>
    text === undefined ? "no answer" : `"${text.replace(/\s+/g, " ").slice(0, 160)}"`;
  return [
    {
      title: `Short searches of our own documentation (${name}), ${navigational.length} queries`,
      figures: figuresOf(navigational, ownMeasures.navigational),
      cases: navigational.map(({ query, pages, found }): CaseResult => {
        const place = found.findIndex((page) => pages.includes(page));
        return {
          id: query,
          question: query,
          result: place === 0 ? "first" : `at ${place + 1 || ">30"}, after ${found.slice(0, 3).join(" ")}`,
          value: place < 0 ? 0 : 1 / (place + 1),
        };
      }),
    },
    {
      title: `Questions to our own documentation (${name}), ${how.length} questions`,
      figures: figuresOf(how, ownMeasures.how),
      cases: how.map(({ question, pages, shown, quote, isRight }): CaseResult => {
        const place = shown.findIndex((page) => pages.includes(page));
        const result = `page ${place + 1 || "not"} shown (${shown.slice(0, 3).join(" ")}), ${quote === undefined ? "" : isRight ? "right " : "WRONG "}${line(quote)}`;
        return {
          id: question,
          question,
          result,
          value: Number(place >= 0 && place < 3) + Number(quote !== undefined && isRight),
        };
      }),
    },
    {
      title: `Questions that our own documentation does not answer (${name}), ${undocumented.length} questions`,
      figures: figuresOf(undocumented, ownMeasures.undocumented),
      cases: undocumented.map(({ question, quote }): CaseResult => {
        return { id: question, question, result: line(quote), value: Number(quote === undefined) };
      }),
    },
  ];
}

function figuresOf<T>(cases: readonly T[], measures: Record<string, (cases: readonly T[]) => number>) {
  return Object.entries(measures).map(([name, measure]) => ({ name, value: bootstrap(cases, measure) }));
}

export function openOwnDocs(): Promise<SearchIndex> {
  return openSiteIndex(buildDocs("site", path.join(root, "docs")), "en");
}

/** Rows of a file of a question set. */
export function ownRows<T>({ folder, split }: QuestionSet, name: string): T[] {
  const text = readFileSync(path.join(root, "eval", folder, `${name}.jsonl`), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((row) => JSON.parse(row) as T & Pick<QuestionSet, "split">)
    .filter((row) => split === undefined || row.split === split);
}

export function pageOf(route: string): string {
  return route.replace(/(?:^|\/)index$/, "");
}

function unique(pages: readonly string[]): string[] {
  return [...new Set(pages)];
}

export function squeezed(text: string): string {
  return text.replace(/\s+/g, " ").toLowerCase();
}
