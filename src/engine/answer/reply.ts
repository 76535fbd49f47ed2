/**
 * Creates replies without a model: a question that asks which product or version is meant, a quote that
 * answers the question, or else links to related sections.
 */

import { limits } from "../../base/limits.ts";
import { localeOf, messagesOf } from "../i18n/locales.ts";
import { fill } from "../i18n/messages.ts";
import { readableText } from "../search/readable-text.ts";
import { isProse, listsFields } from "./quotable.ts";
import { bestPart, bestQuote, type Quote, type QuotePart, quoteConfidence, quoteParts } from "./quote.ts";
import type { Choices, Retrieved, RetrievedSection } from "./retrieved.ts";
import { sectionLead } from "./section-lead.ts";

export interface AssistantReply {
  /**
   * `question`: it asks which product or version is meant. `quote`: a quote answers the question. `related`:
   * links to sections, the first of them with its beginning if the question names it. `none`: the
   * documentation doesn't cover the question.
   */
  kind: "question" | "quote" | "related" | "none";
  /** Whether the documentation covers the question, so that it counts as answered. */
  isCovered: boolean;
  /** Markdown. A quote cites its section by its number in the retrieved sections, starting with 1. */
  text: string;
  /**
   * Numbers of the sections that the reply links to, the best one first. A quote comes from the first one.
   */
  sections: number[];
}

type UrlOf = (section: RetrievedSection) => string;

/**
 * `language`: language of the reader, in which the reply introduces quotes and links. Default: the language
 * of the best section.
 */
export function replyWithoutModel(
  question: string,
  retrieved: Retrieved,
  urlOf: UrlOf,
  language = retrieved.language,
): AssistantReply {
  if (retrieved.choices) return choiceReply(retrieved.choices, language);
  if (!retrieved.isCovered) return declinedReply(question, retrieved, urlOf, language);

  const parts = quoteParts(question, retrieved);
  const quote = bestQuote(parts, retrieved);
  if (quote && quote.confidence >= quoteConfidence) return quoteReply(quote, retrieved);

  const lead = sectionLead(retrieved);
  if (!lead) return relatedReply(retrieved, parts, urlOf, language);

  const section = retrieved.sections[lead.section - 1]!;
  const others = relatedReply(retrieved, parts, urlOf, language, section);
  const text = `**[${escaped(section.title)}](${urlOf(section)})**\n\n${lead.text}`;
  return {
    ...others,
    text: others.sections.length > 0 ? `${text}\n\n${others.text}` : text,
    sections: [lead.section, ...others.sections],
  };
}

/**
 * Returns the reply to a question that isn't covered, or that the sections don't answer according to a model.
 * Links to the sections if they are likely about the same subject.
 */
export function declinedReply(
  question: string,
  retrieved: Retrieved,
  urlOf: UrlOf,
  language = retrieved.language,
): AssistantReply {
  const text = messagesOf(language).answer.notCovered;
  if (!retrieved.isRelated) return { kind: "none", isCovered: false, text, sections: [] };
  const related = relatedReply(retrieved, quoteParts(question, retrieved), urlOf, language);
  return { ...related, isCovered: false, text: `${text}\n\n${related.text}` };
}

/** Returns a quote with the title of its section. */
function quoteReply({ text, section }: Quote, retrieved: Retrieved): AssistantReply {
  const end = /(?:`{3,}|~{3,}|\|)$/.test(text) ? "\n\n" : " ";
  const { route, title } = retrieved.sections[section - 1]!;
  const others = relatedSections(retrieved, route);
  return {
    kind: "quote",
    isCovered: true,
    text: `**${escaped(title)}**\n\n${text}${end}[${section}]`,
    sections: [section, ...others.slice(0, limits.sectionsBelowQuote_count)],
  };
}

/** Returns a question that names the choices, with the best section of each. */
function choiceReply({ kind, options }: Choices, language: string): AssistantReply {
  const { whichProduct, whichVersion } = messagesOf(language).answer;
  const names = new Intl.ListFormat(localeOf(language), { type: "disjunction" }).format(
    options.map(({ name }) => escaped(name)),
  );
  const text = fill(kind === "product" ? whichProduct : whichVersion, { names });
  return { kind: "question", isCovered: true, text, sections: options.map(({ section }) => section) };
}

/**
 * Returns a list of sections that may help. `parts`: the parts that can be quoted. `shown`: section whose
 * page is left out, since the reply already shows it.
 */
function relatedReply(
  retrieved: Retrieved,
  parts: readonly QuotePart[],
  urlOf: UrlOf,
  language: string,
  shown?: RetrievedSection,
): AssistantReply {
  const sections = relatedSections(retrieved, shown?.route);
  const items = sections.map((number) => {
    const section = retrieved.sections[number - 1]!;
    const { title, breadcrumbs } = section;
    const excerpt = excerptOf(
      section,
      parts.filter((part) => part.section === number),
    );
    const place = breadcrumbs.length > 0 ? ` (${escaped(breadcrumbs.join(" › "))})` : "";
    return `- [${escaped(title)}](${urlOf(section)})${place}${excerpt ? `  \n  ${escaped(excerpt)}` : ""}`;
  });

  const { related } = messagesOf(language).answer;
  return { kind: "related", isCovered: true, text: `${related}\n\n${items.join("\n")}`, sections };
}

/** Returns the numbers of the best sections, at most one from each page, and none from the page `without`. */
export function relatedSections({ sections }: Retrieved, without?: string): number[] {
  const ofPages = new Map<string, number>();
  for (const [place, { route }] of sections.entries())
    if (route !== without && !ofPages.has(route)) ofPages.set(route, place + 1);
  return [...ofPages.values()].slice(0, limits.relatedSections_count);
}

/**
 * Returns the description of the page for the start of a page. For other sections, returns the best part
 * without a code block or, if there is none, the section's best passage. Converts it to plain text, without
 * nested list items, and shortens it to `limits.excerpt_chars` characters. Empty for a section that lists
 * fields.
 */
function excerptOf({ text, best, isDescribed }: RetrievedSection, parts: readonly QuotePart[]): string {
  if (!isDescribed && listsFields(text)) return "";
  const sentences = parts.filter((part) => !part.text.includes("```") && isProse(part.text));
  const bestText = sentences.length > 0 ? bestPart(sentences).text : text.slice(best.start, best.end);
  const markdown = isDescribed ? text.split("\n\n")[0]! : bestText;
  // Nested list items are left out.
  const plain = readableText(markdown.split(/\n\s+[-*+]\s/)[0]!);
  if (plain.length <= limits.excerpt_chars) return plain;
  const end = plain.lastIndexOf(" ", limits.excerpt_chars);
  return `${plain.slice(0, end > 0 ? end : limits.excerpt_chars).toWellFormed()}…`;
}

/** Escapes plain text for use in Markdown. */
function escaped(text: string): string {
  return text.replace(/[\\`*_~[\]<>|&$#]/g, "\\$&");
}
