/** What the assistant has to answer from. */
import type { QueryTerm } from "../search/search-hit.ts";

export interface RetrievedSection {
  /** Of the page, without a leading slash; empty for the home page. */
  route: string;
  /** Id of the heading; empty at the beginning of the page. */
  anchor: string;
  /** "Page: Section", or the page's title alone. */
  title: string;
  /** Divisions and groups of the navigation that hold the page, outermost first. */
  breadcrumbs: readonly string[];
  /** Markdown of the section's passages, the best one among them; as much as the budget allows. */
  text: string;
  score: number;
  /** Which passage of `text` was the best one: where it begins and ends. */
  best: { start: number; end: number };
}

export interface Retrieved {
  /** Best first. */
  sections: RetrievedSection[];
  /** What was looked for. */
  terms: readonly QueryTerm[];
  /** Of what was found first. */
  language: string;
  /** How well what was found fits the question, 0 to 1. Judges relevance: a fact that is missing in a covered topic it cannot see. */
  confidence: number;
  /** Whether the confidence is enough for an answer that no model judges. */
  isCovered: boolean;
  /** The theme of the question by the navigation; null below its threshold. */
  category: string | null;
}
