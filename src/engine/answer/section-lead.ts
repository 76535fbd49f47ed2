/** Chooses the beginning of a section, for a question that no single part of it answers for certain. */

import { limits } from "../../base/limits.ts";
import { cited } from "./clean-answer.ts";
import { QuestionTerms } from "./question-terms.ts";
import { isProse, listsFields, type Quotable, quotables } from "./quotable.ts";
import type { Retrieved, RetrievedSection } from "./retrieved.ts";

/** Minimum share of the question in the section's title and breadcrumbs. */
const leastNamed_share = 0.5;
/** Number of sections that are considered. */
const sections_count = 3;

export interface SectionLead {
  /** Number of the section among the retrieved sections, starting with 1. */
  section: number;
  /** Markdown. */
  text: string;
}

/**
 * Returns the first sentences of the best section that is text for readers, with the list or code that
 * follows them. Undefined if the section's title and breadcrumbs don't name most of the question.
 */
export function sectionLead({ sections, terms, language }: Retrieved): SectionLead | undefined {
  const place = sections.slice(0, sections_count).findIndex(({ text }) => !listsFields(text));
  const best = sections[place];
  if (!best) return undefined;
  const question = new QuestionTerms(terms, language);
  const named = question.matchesIn([best.title, ...best.breadcrumbs].join("\n"));
  const text = question.share(named.terms) < leastNamed_share ? undefined : leadOf(best, language);
  return text === undefined ? undefined : { section: place + 1, text };
}

function leadOf({ text: markdown, isDescribed }: RetrievedSection, language: string): string | undefined {
  const blocks: [Quotable, ...Quotable[]][] = [];
  for (const part of quotables(markdown, language)) {
    const open = blocks.at(-1);
    if (part.block === open?.[0].block) open.push(part);
    else blocks.push([part]);
  }

  // A description says what a page is about, and is shown only if nothing follows it.
  const [first, second] = isDescribed && blocks.length > 1 ? blocks.slice(1) : blocks;
  if (!first) return undefined;
  const lead = leadText(first, markdown);
  if (lead === undefined) return undefined;

  const next = second && leadText(second, markdown);
  const areSentences = first[0].kind === "sentence" && second?.[0].kind === "sentence";
  if (next !== undefined && !areSentences) return `${lead}\n\n${next}`;
  return /[:：]\**$/.test(lead) ? undefined : lead;
}

/**
 * Returns the first sentences of a paragraph, or a whole list or code block. Undefined for others, such as
 * lists of the fields of a request, and for text that is too long.
 */
function leadText(block: readonly [Quotable, ...Quotable[]], markdown: string): string | undefined {
  const { kind, start } = block[0];
  if (kind === "table" || kind === "title") return undefined;

  const endOf = (part: Quotable) => part.start + part.text.length;
  const fits = (part: Quotable) => endOf(part) - start <= limits.quoteSurroundings_chars;
  const last = kind === "sentence" ? (block.findLast(fits) ?? block[0]) : block.at(-1)!;
  const text = markdown.slice(start, endOf(last));
  const most_chars = kind === "code" ? limits.quotedCode_chars : 2 * limits.quotedSentence_chars;
  if (text.length > most_chars || cited(text).length > 0 || text.includes("![")) return undefined;
  const isShown = kind === "sentence" ? isProse(text) : kind === "code" || !listsFields(text);
  return isShown ? text : undefined;
}
