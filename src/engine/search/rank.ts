/**
 * Adjusts the scores of sections, based on the page's title, path, HTTP method and number of matching
 * sections, and on the section's heading.
 */

import type { QueryTerm } from "./search-hit.ts";
import { normalizedName, shortLanguage, tokens } from "./terms.ts";

export interface Rankable {
  /** Path of the page, without a leading slash. */
  route: string;
  title: string;
  /** Headings from the outermost one to the section's own heading. */
  headings: readonly string[];
  /** Index of the section on its page. */
  ordinal: number;
  /** HTTP method of an operation's page, or `WEBHOOK`. Empty for other pages. */
  method: string;
  score: number;
}

/**
 * Factor for the first section of a page if the query is the page's title. `exactPathFactor`: if the query is
 * the last segment of the page's path.
 */
const exactTitleFactor = 2;
const exactPathFactor = 1.5;
/** Factor for a section if the query is its heading. */
const exactHeadingFactor = 1.6;
/**
 * Maximum gain for the share of the query in the page's title. Sections below a heading get half of the gain.
 */
const titleGain = 1;
/** Replaces `titleGain` in short queries. */
const shortTitleGain = 1.5;
/** Maximum gain for the share of the query in the section's heading. */
const headingGain = 0.5;
/** Maximum number of terms of a short query. Such a query is usually the name of a page, not a question. */
const short_count = 3;
/** Gain for each other matching section of the page, up to `neighbors_count` of them. */
const neighborGain = 0.1;
const neighbors_count = 4;
/**
 * Factor for pages of operations, which repeat the terms of the guides about the operations. Doesn't apply to
 * queries about operations.
 */
const operationFactor = 0.6;
const asksForOperation =
  /[/{}]|\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|\b(?:api(?!\s+(?:keys?|tokens?|pages?|reference|documents?)\b)|endpoint|operation|request|curl)\b/i;

/**
 * English verbs with opposite meanings, as stems. A section about the opposite action rarely answers a query.
 */
const opposites: readonly [readonly string[], readonly string[]][] = [
  [
    ["add", "creat", "make", "new"],
    ["remov", "delet", "revok"],
  ],
  [["enabl"], ["disabl"]],
  [["show"], ["hide"]],
  [["start"], ["stop"]],
  [["upgrad"], ["downgrad"]],
  [["import"], ["export"]],
];
/**
 * Factor for sections and pages of operations whose name contains only the opposite of a verb in the query.
 */
const oppositeFactor = 0.6;

/** Minimum share of the query in a title or heading for its section to be a guide about the query. */
const guideShare = 0.3;
/** Factor for the score of the best guide, which is the maximum score of a question of an FAQ. */
const belowGuide = 0.99;

export interface RankOptions {
  /** The query. */
  text: string;
  terms: readonly QueryTerm[];
  language: string;
  /** Maximum number of sections to return. */
  limit: number;
}

/** Adjusts the scores of sections, and returns the best ones, the best one first. */
export function ranked<T extends Rankable>(
  found: readonly T[],
  { text, terms, language, limit }: RankOptions,
): T[] {
  const isAsked = nameTest(text, language);
  const share = shareOf(terms, language);
  const sectionsOf = new Map<string, number>();
  for (const { route } of found) sectionsOf.set(route, (sectionsOf.get(route) ?? 0) + 1);
  const gain = terms.length <= short_count ? shortTitleGain : titleGain;
  const isOpposite = oppositeOf(text, language);
  const operations = asksForOperation.test(text) ? 1 : operationFactor;
  const factorOf = ({ route, title, headings, ordinal, method }: T) => {
    const isFirst = ordinal === 0;
    const heading = headings.at(-1) ?? "";
    const exact = isFirst
      ? exactPageFactor(isAsked, title, route)
      : isAsked(heading)
        ? exactHeadingFactor
        : 1;
    const titled = 1 + gain * share(title) * (isFirst ? 1 : 0.5);
    const headed = isFirst ? 1 : 1 + headingGain * share(heading);
    const neighbors = 1 + neighborGain * Math.min(neighbors_count, sectionsOf.get(route)! - 1);
    const opposite = isOpposite(isFirst ? title : heading) ? oppositeFactor : 1;
    return opposite * exact * titled * headed * neighbors * (method === "" ? 1 : operations);
  };

  const scores = new Map(found.map((one) => [one, one.score * factorOf(one)]));
  lowerQuestions(scores, share, isAsked);
  const best = [...found].sort((a, b) => scores.get(b)! - scores.get(a)!).slice(0, limit);
  return best.map((one) => ({ ...one, score: scores.get(one)! }));
}

/**
 * Lowers the scores of sections whose heading is a question, such as those of an FAQ, below the best section
 * whose name contains enough of the query: such headings repeat the words of the query without being about
 * more of it. Leaves out a heading that is the query.
 */
function lowerQuestions<T extends Rankable>(
  scores: Map<T, number>,
  share: (name: string) => number,
  isAsked: (name: string) => boolean,
): void {
  const questions: T[] = [];
  let guide = 0;
  for (const [one, score] of scores) {
    const name = one.ordinal === 0 ? one.title : (one.headings.at(-1) ?? "");
    if (isQuestion(name)) {
      if (!isAsked(name)) questions.push(one);
    } else if (one.method === "" && score > guide && share(name) >= guideShare) guide = score;
  }
  if (guide === 0) return;
  for (const one of questions) if (scores.get(one)! > guide) scores.set(one, guide * belowGuide);
}

/** Whether a heading is a question, as in an FAQ. */
export function isQuestion(heading: string): boolean {
  return /[?？؟]\s*$/.test(heading);
}

/**
 * Returns a function that determines whether a name is the query: "how do I add a page" asks for "Add a
 * page". Ignores stop words, the order of words, and the number of a step.
 */
function nameTest(text: string, language: string): (name: string) => boolean {
  const asked = normalizedName(text);
  const specific = specificTerms(text, language);
  return memoized(
    (name) =>
      normalizedName(name) === asked || (specific !== "" && specificTerms(name, language) === specific),
  );
}

function specificTerms(text: string, language: string): string {
  const words = [...tokens(text.replace(/^\d+\. /, ""), language)].filter(({ isStop }) => !isStop);
  return [...new Set(words.flatMap(({ terms }) => terms))].sort().join(" ");
}

/**
 * Returns a function that determines whether a name contains the opposite of a verb in the query, but not the
 * verb itself.
 */
function oppositeOf(text: string, language: string): (name: string) => boolean {
  if (shortLanguage(language) !== "en") return () => false;
  const asked = stemsOf(text, language);

  const pairs = opposites.flatMap(([one, other]) => [
    { verbs: one, others: other },
    { verbs: other, others: one },
  ]);

  const wanted = pairs.filter(
    ({ verbs, others }) => verbs.some((verb) => asked.has(verb)) && !others.some((verb) => asked.has(verb)),
  );
  if (wanted.length === 0) return () => false;

  return memoized((name) => {
    const stems = stemsOf(name, language);
    return wanted.some(
      ({ verbs, others }) => others.some((verb) => stems.has(verb)) && !verbs.some((verb) => stems.has(verb)),
    );
  });
}

function stemsOf(text: string, language: string): Set<string> {
  return new Set([...tokens(text, language)].flatMap(({ terms }) => terms));
}

function exactPageFactor(isAsked: (name: string) => boolean, title: string, route: string): number {
  if (isAsked(title)) return exactTitleFactor;
  return isAsked(route.slice(route.lastIndexOf("/") + 1)) ? exactPathFactor : 1;
}

/**
 * Returns a function that computes the share of the query that a name contains, from 0 to 1. Other words in
 * the name reduce this share.
 */
function shareOf(terms: readonly QueryTerm[], language: string): (name: string) => number {
  const total = terms.reduce((sum, { idf }) => sum + idf, 0);
  const wanted = new Map(
    terms.flatMap((term) => [term.term, ...term.also].map((name) => [name, term] as const)),
  );

  return memoized((name) => {
    const found = new Set<QueryTerm>();
    let words = 0;
    let matched = 0;
    for (const { terms: own, isStop } of tokens(name, language)) {
      const matches = own.flatMap((term) => wanted.get(term) ?? []);
      for (const term of matches) found.add(term);
      if (matches.length) matched++;
      if (matches.length || !isStop) words++;
    }
    if (matched === 0 || total === 0) return 0;
    return ([...found].reduce((sum, { idf }) => sum + idf, 0) / total) * Math.sqrt(matched / words);
  });
}

/**
 * Memoizes the results of a function. Sections of a page have the same title, and many pages have sections
 * with the same heading.
 */
function memoized<R>(compute: (name: string) => R): (name: string) => R {
  const known = new Map<string, R>();
  return (name) => {
    if (!known.has(name)) known.set(name, compute(name));
    return known.get(name)!;
  };
}
