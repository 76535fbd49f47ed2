/** Finds the sections that answer a question, with their confidence and category. */

import { fieldIfSet } from "../../base/field-if-set.ts";
import type { CompareMeaning } from "../search/meaning.ts";
import type {
  QueryTerm,
  SearchFilter,
  SearchHit,
  SearchOutcome,
  SimilarPassages,
} from "../search/search-hit.ts";
import type { SearchIndex } from "../search/search-index.ts";
import { tokens } from "../search/terms.ts";
import { categoryOf } from "./category.ts";
import { choicesOf, chosenIn } from "./choices.ts";
import { confidenceOf, coveredConfidence, relatedConfidence, signalsOf } from "./confidence.ts";
import { withoutExpectedWord } from "./expected-answer.ts";
import { refersBack } from "./refers-back.ts";
import type { Retrieved, RetrievedSection } from "./retrieved.ts";
import { sectionText } from "./section-text.ts";

export interface RetrieveOptions {
  /** Questions of the thread before this one, oldest first. */
  earlier?: readonly string[];
  /**
   * Whether the question can be understood without the earlier ones, so that no words from them are added.
   * Default: false.
   */
  isRewritten?: boolean;
  /**
   * Product of the page on which the reader asks. Decides between products if the conversation mentions none.
   */
  currentProduct?: string | undefined;
  limit_sections: number;
  /** Maximum total length of the sections, in characters. The first section may be longer. */
  limit_chars: number;
  filter?: SearchFilter;
  /** Compares meanings. Undefined to compare only words. */
  compareMeaning?: CompareMeaning | undefined;
}

/** Minimum number of hits to request. Confidence and category are based on these hits. */
const judged_count = 10;
/**
 * Minimum number of terms of a follow-up question that the documentation contains. A question with fewer such
 * terms is extended with words from an earlier question.
 */
const ownWords_count = 4;
/** Maximum number of words that are borrowed from an earlier question. */
const borrowedWords_count = 4;
/**
 * Number of words from the documentation that an earlier question must have to be used. If it has fewer, the
 * question before it is tried. If no question has enough, the one with the most such words is used.
 */
const leastBorrowed_count = 3;

interface Found {
  index: SearchIndex;
  hit: SearchHit;
}

/**
 * Finds the sections for a question. `indexes` are all indexes of the site that the reader may access. If
 * several products or versions fit about equally, limits the sections to the one that the conversation
 * mentions, or else to the current product.
 */
export async function retrieve(
  indexes: readonly SearchIndex[],
  question: string,
  options: RetrieveOptions,
): Promise<Retrieved> {
  const retrieved = await retrieveSections(indexes, question, options);
  const { choices, language } = retrieved;
  if (!choices) return retrieved;

  const { earlier = [], currentProduct, filter } = options;
  const current = choices.options.find(
    ({ name }) => choices.kind === "product" && name === currentProduct,
  )?.name;
  const chosen = [question, ...[...earlier].reverse()]
    .map((text) => chosenIn(text, choices, language))
    .find((name) => name !== undefined);
  const name = chosen ?? current;
  if (name === undefined) return retrieved;

  const { choices: _, ...limited } = await retrieveSections(indexes, question, {
    ...options,
    filter: { ...filter, [choices.kind]: name },
  });

  return limited;
}

async function retrieveSections(
  indexes: readonly SearchIndex[],
  question: string,
  options: RetrieveOptions,
): Promise<Retrieved> {
  const { earlier = [], isRewritten = false, limit_sections, limit_chars, filter, compareMeaning } = options;
  const limit = Math.max(limit_sections, judged_count);
  let text = question;
  let { found, outcome } = await search(indexes, text, limit, filter);
  const own = outcome.terms.filter(({ isKnown }) => isKnown).length;
  if (
    !isRewritten &&
    earlier.length > 0 &&
    (outcome.terms.length === 0 ||
      (own < ownWords_count && (refersBack(question, languageOf(indexes)) ?? own === 0)))
  ) {
    const borrowed = await specificWords(indexes, earlier, filter);
    text = [question, ...borrowed].join(" ");
    ({ found, outcome } = await search(indexes, text, limit, filter));
  }

  const similar = await compareMeaning?.(indexes, text);
  if (similar) ({ found, outcome } = await search(indexes, text, limit, filter, similar));
  const confidence = confidenceOf(signalsOf(outcome));
  const sections = await sectionsOf(found.slice(0, limit_sections), limit_chars);
  const language = found[0]?.index.language ?? languageOf(indexes);
  const isCovered = found.length > 0 && confidence >= coveredConfidence;
  const choices = isCovered ? choicesOf(sections, language) : undefined;
  return {
    sections,
    terms: outcome.terms,
    language,
    confidence,
    isCovered,
    isRelated: found.length > 0 && (confidence >= relatedConfidence || similar !== undefined),
    category: categoryOf(outcome.hits, confidence),
    ...(choices ? { choices } : {}),
  };
}

async function search(
  indexes: readonly SearchIndex[],
  text: string,
  limit: number,
  filter: SearchFilter | undefined,
  similar?: readonly (SimilarPassages | undefined)[],
): Promise<{ found: Found[]; outcome: SearchOutcome }> {
  const words = withoutExpectedWord(text);
  const outcomes = await Promise.all(
    indexes.map(async (index, place) => ({
      index,
      outcome: await index.search({
        text: words,
        limit,
        similar: similar?.[place],
        ...(filter ? { filter } : {}),
      }),
    })),
  );

  const hits = outcomes.flatMap(({ index, outcome }) => outcome.hits.map((hit) => ({ index, hit })));
  const found = distinctSections(hits).slice(0, limit);
  return {
    found,
    outcome: {
      hits: found.map(({ hit }) => hit),
      terms: united(outcomes.map(({ outcome }) => outcome.terms)),
    },
  };
}

/**
 * Sorts hits of several indexes, the best first. A section that depends on the reader can be in several of
 * them: only its best version is kept.
 */
export function distinctSections<T extends { hit: SearchHit }>(found: readonly T[]): T[] {
  const known = new Set<string>();
  return [...found]
    .sort((a, b) => b.hit.score - a.hit.score)
    .filter(({ hit: { route, anchor } }) => {
      const section = `${route}#${anchor}`;
      return !known.has(section) && known.add(section);
    });
}

/** Merges the terms of several indexes. A term is known if at least one index contains it. */
function united(lists: readonly (readonly QueryTerm[])[]): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  for (const term of lists.flat()) {
    const known = terms.get(term.term);
    if (!known || (term.isKnown && (!known.isKnown || term.idf < known.idf))) terms.set(term.term, term);
  }
  return [...terms.values()];
}

/**
 * Returns the most specific words of the last question that has at least `leastBorrowed_count` words from the
 * documentation. If there is no such question, uses the question with the most such words.
 */
async function specificWords(
  indexes: readonly SearchIndex[],
  earlier: readonly string[],
  filter: SearchFilter | undefined,
): Promise<string[]> {
  const language = languageOf(indexes);
  let best: string[] = [];
  for (const question of [...earlier].reverse()) {
    const { outcome } = await search(indexes, question, 1, filter);
    const worth = new Map(outcome.terms.map(({ term, idf, isKnown }) => [term, isKnown ? idf : 0]));
    const words = [...tokens(question, language)].flatMap(({ start, end, terms, isStop }) =>
      isStop
        ? []
        : [
            {
              word: question.slice(start, end),
              idf: Math.max(0, ...terms.map((term) => worth.get(term) ?? 0)),
            },
          ],
    );
    const known = words.filter(({ idf }) => idf > 0).sort((a, b) => b.idf - a.idf);
    const chosen = [...new Set(known.map(({ word }) => word))].slice(0, borrowedWords_count);
    if (chosen.length >= leastBorrowed_count) return chosen;
    if (chosen.length > best.length) best = chosen;
  }

  return best;
}

/**
 * Loads the texts of sections. Each section gets an equal share of the remaining characters. If a text
 * doesn't fit, this section and the following ones are omitted. The first section is never omitted.
 */
async function sectionsOf(found: readonly Found[], limit_chars: number): Promise<RetrievedSection[]> {
  const passages = await Promise.all(found.map(({ index, hit }) => index.passages([hit])));
  let left = limit_chars;
  const sections: RetrievedSection[] = [];
  for (const [place, { hit }] of found.entries()) {
    const { text, best } = sectionText(passages[place]![0]!, hit.passage, left / (found.length - place));
    if (text.length > left && place > 0) break;
    left -= text.length;
    const { route, anchor, breadcrumbs, isDescribed, score, version, product } = hit;
    const divisions = { ...fieldIfSet("version", version), ...fieldIfSet("product", product) };
    sections.push({
      route,
      anchor,
      title: titleOf(hit),
      breadcrumbs,
      text,
      isDescribed,
      score,
      best,
      ...divisions,
    });
  }

  return sections;
}

function languageOf(indexes: readonly SearchIndex[]): string {
  return indexes[0]?.language ?? "en";
}

function titleOf({ title, headings }: SearchHit): string {
  const heading = headings.at(-1);
  return heading === undefined || heading === "" || heading === title ? title : `${title}: ${heading}`;
}
