/** Types of the result of retrieving sections for a question. */

import type { QueryTerm, SearchFilter } from "../search/search-hit.ts";

export interface RetrievedSection extends SearchFilter {
  /** Path of the page, without a leading slash. Empty for the home page. */
  route: string;
  /** ID of the section's heading or block. Empty for the beginning of the page. */
  anchor: string;
  /** `Page title: Section heading`, or only the title of the page. */
  title: string;
  /**
   * Names of the navigation divisions that contain the page, outermost first. Excludes versions and
   * languages.
   */
  breadcrumbs: readonly string[];
  /** Markdown of the best passage, and of the neighboring passages that fit the character limit. */
  text: string;
  /** Whether the section starts with the description of the page. */
  isDescribed: boolean;
  score: number;
  /** Start and end offsets of the best passage in `text`. */
  best: { start: number; end: number };
}

export interface Retrieved {
  /** The sections, the best one first. */
  sections: RetrievedSection[];
  terms: readonly QueryTerm[];
  /** Language of the best section, or of the first index if nothing was found. */
  language: string;
  /**
   * Relevance of the sections to the question, from 0 to 1. Can be high even if a fact is missing, as long as
   * its topic is documented.
   */
  confidence: number;
  /** Whether sections were found and the confidence is at least `coveredConfidence`. */
  isCovered: boolean;
  /**
   * Whether the sections are likely about the subject of the question: the confidence is at least
   * `relatedConfidence`, or they were found by meaning.
   */
  isRelated: boolean;
  /** The topic of the question: a navigation group. Null if no group is likely enough (category.ts). */
  category: string | null;
  /**
   * Products or versions between which the question doesn't decide. Absent if it does, or if the site has
   * only one.
   */
  choices?: Choices;
}

/** Products or versions with a section on the same subject, which the question fits about equally. */
export interface Choices {
  kind: "product" | "version";
  options: NamedSection[];
}

export interface NamedSection {
  /** Name of the product or version in the navigation. */
  name: string;
  /** Number of its best section, starting at 1. */
  section: number;
}

/**
 * Merges two results: appends the sections that only the second one contains, and keeps the higher
 * confidence.
 */
export function withMoreSections(first: Retrieved, second: Retrieved): Retrieved {
  const known = new Set(first.sections.map(sectionKey));
  return {
    ...first,
    sections: [...first.sections, ...second.sections.filter((section) => !known.has(sectionKey(section)))],
    confidence: Math.max(first.confidence, second.confidence),
    isCovered: first.isCovered || second.isCovered,
    isRelated: first.isRelated || second.isRelated,
    category: first.category ?? second.category,
  };
}

function sectionKey({ route, anchor }: RetrievedSection): string {
  return `${route}#${anchor}`;
}
