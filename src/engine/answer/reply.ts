/**
 * Creates replies without a model: a question that asks which product or version is meant, a quote that
 * answers the question, or else links to related sections.
 */

import { limits } from "../../base/limits.ts";
import { localeOf, messagesOf } from "../i18n/locales.ts";
import { fill } from "../i18n/messages.ts";
import { readableText } from "../search/readable-text.ts";
import { bestPart, bestQuote, type QuotePart, quoteConfidence, quoteParts } from "./quote.ts";
import type { Choices, Retrieved, RetrievedSection } from "./retrieved.ts";

export type ReplyKind = "question" | "quote" | "related" | "none";

export interface AssistantReply {
  /**
   * Kind of the reply. `question`: it asks which product or version is meant. `none`: no section was found.
   */
  kind: ReplyKind;
  /** Markdown. A quote cites its section by its number in the retrieved sections, starting with 1. */
  text: string;
  /**
   * Numbers of the sections that the reply links to, the best one first. A quote comes from the first one.
   */
  sections: number[];
}

/**
 * `language`: language of the reader, in which the reply introduces quotes and links. Default: the language
 * of the best section.
 */
export function replyWithoutModel(
  question: string,
  retrieved: Retrieved,
  urlOf: (section: RetrievedSection) => string,
  language = retrieved.language,
): AssistantReply {
  if (retrieved.choices) return choiceReply(retrieved.choices, language);
  const parts = quoteParts(question, retrieved);
  const quote = bestQuote(parts, retrieved);
  if (!quote || quote.confidence < quoteConfidence)
    return relatedReply(question, retrieved, urlOf, language, parts);

  const { text, section } = quote;
  const end = /(?:`{3,}|~{3,}|\|)$/.test(text) ? "\n\n" : " ";
  const { route } = retrieved.sections[section - 1]!;
  const others = relatedSections(retrieved).filter(
    (number) => retrieved.sections[number - 1]!.route !== route,
  );

  return {
    kind: "quote",
    text: `**${escaped(retrieved.sections[section - 1]!.title)}**\n\n${text}${end}[${section}]`,
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
  return { kind: "question", text, sections: options.map(({ section }) => section) };
}

/**
 * Returns a list of sections that may help, without a quote. If no section was found, returns the message
 * that the documentation doesn't cover the question.
 */
export function relatedReply(
  question: string,
  retrieved: Retrieved,
  urlOf: (section: RetrievedSection) => string,
  language = retrieved.language,
  parts: readonly QuotePart[] = quoteParts(question, retrieved),
): AssistantReply {
  const { related, notCovered } = messagesOf(language).answer;
  if (retrieved.sections.length === 0) return { kind: "none", text: notCovered, sections: [] };
  const sections = relatedSections(retrieved);
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

  return { kind: "related", text: `${related}\n\n${items.join("\n")}`, sections };
}

/** Returns the numbers of the best sections, at most one from each page. */
function relatedSections({ sections }: Retrieved): number[] {
  const ofPages = new Map<string, number>();
  for (const [place, { route }] of sections.entries()) if (!ofPages.has(route)) ofPages.set(route, place + 1);
  return [...ofPages.values()].slice(0, limits.relatedSections_count);
}

/**
 * Returns the description of the page for the start of a page. For other sections, returns the best part
 * without a code block or, if there is none, the section's best passage. Converts it to plain text, without
 * nested list items, and shortens it to `limits.excerpt_chars` characters.
 */
function excerptOf({ text, best, isDescribed }: RetrievedSection, parts: readonly QuotePart[]): string {
  const sentences = parts.filter((part) => !part.text.includes("```"));
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
