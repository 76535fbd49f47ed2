/**
 * Chooses the part of the documentation that best answers a question on its own, such as one or two
 * sentences, a table row with its header, a list item, or code with the preceding sentence.
 */

import { limits } from "../../base/limits.ts";
import { cited } from "./clean-answer.ts";
import { type ExpectedAnswer, expectedAnswer, expectedScore } from "./expected-answer.ts";
import { QuestionTerms } from "./question-terms.ts";
import { listsFields, type Quotable, quotables } from "./quotable.ts";
import type { Retrieved, RetrievedSection } from "./retrieved.ts";

export interface Quote {
  /** Markdown of the quoted part. */
  text: string;
  /** Number of its section among the retrieved sections, starting with 1. */
  section: number;
  /** Confidence that the quote answers the question, from 0 to 1. */
  confidence: number;
}

/** Features of a part. Shares are of the question's idf, from 0 to 1. */
export interface QuoteSignals {
  /** Share of the question in the text, excluding code blocks and table headers. */
  own: number;
  /** Share of the question in the text, the section's title, the breadcrumbs and the table header. */
  context: number;
  /** Share of the question in the section's title and breadcrumbs. */
  named: number;
  /**
   * For the first part of a section, the match between the section's heading and the question, from 0 to 1.
   * Half of this for the second part. 0 for other parts.
   */
  lead: number;
  /** Score of the section, divided by the score of the best section. */
  rank: number;
  /** 1 if the part starts in the best passage of its section, and 0 otherwise. */
  isFound: number;
  /**
   * Twice the share of the text's words that are in the question, at most 1. Texts of fewer than six words
   * count as six words.
   */
  density: number;
  /** Result of `expectedScore`, from -1 to 1. */
  expected: number;
  /** Natural logarithm of the text's length relative to a typical sentence of 160 characters. */
  length: number;
  /** 1 for a part with a code block if the question asks for instructions, and 0 otherwise. */
  isWantedCode: number;
  isItem: number;
}

export interface QuoteCandidate {
  kind: Quotable["kind"];
  text: string;
  section: number;
  route: string;
  signals: QuoteSignals;
}

/**
 * Weights of the features of a part in its score. `npm run eval -- quotes` fits these weights and the weights
 * of the confidence.
 */
const partWeights: Record<keyof QuoteSignals, number> = {
  own: 1.3,
  context: 1.9,
  named: 1.1,
  lead: 1.4,
  rank: 3.8,
  isFound: 0.9,
  density: 1.3,
  expected: 1.6,
  length: 1,
  isWantedCode: 1.5,
  isItem: -1.4,
};

/** Minimum share of the question that a quote and its context contain. */
const leastContext_share = 0.5;
/** Features of the confidence that the best part answers the question. */
export interface QuoteConfidenceSignals {
  /** Score of the best part minus the highest score on another page, at most `mostLead`. */
  lead: number;
  /** Confidence of the retrieval. */
  retrieval: number;
  /** Share of the question in the best part and its context, as in `QuoteSignals`. */
  context: number;
}

const confidenceWeights: Record<keyof QuoteConfidenceSignals | "constant", number> = {
  constant: -7,
  lead: 0.7,
  retrieval: 4.7,
  context: 1.4,
};
/** Upper bound of `lead`, which would be infinite if all parts are from one page. */
const mostLead = 4;

/** Minimum confidence of a quote that is shown as an answer. */
export const quoteConfidence = 0.5;

/** Maximum number of sections whose parts are compared. */
const sections_count = 8;

export interface QuotePart extends QuoteCandidate {
  /** Weighted sum of the signals. A higher score means a better fit. */
  score: number;
}

/** Returns the parts of the best retrieved sections that can be quoted on their own, with their scores. */
export function quoteParts(question: string, retrieved: Retrieved): QuotePart[] {
  return quoteCandidates(question, retrieved).map((candidate) => ({
    ...candidate,
    score: scoreOf(candidate.signals),
  }));
}

/** Returns the part that most likely answers the question. Undefined if there is no part. */
export function bestQuote(parts: readonly QuotePart[], { confidence }: Retrieved): Quote | undefined {
  if (parts.length === 0) return undefined;
  const { text, section } = bestPart(parts);
  const { lead, retrieval, context } = confidenceSignals(parts, confidence);
  const weights = confidenceWeights;
  const sum =
    weights.constant + weights.lead * lead + weights.retrieval * retrieval + weights.context * context;
  return { text, section, confidence: context < leastContext_share ? 0 : 1 / (1 + Math.exp(-sum)) };
}

/** Returns the features of the confidence in the best part. Throws a `TypeError` if there is no part. */
export function confidenceSignals(parts: readonly QuotePart[], retrieval: number): QuoteConfidenceSignals {
  const { route, score, signals } = bestPart(parts);
  const others = parts.filter((part) => part.route !== route).map((part) => part.score);
  return {
    lead: Math.min(mostLead, score - Math.max(-Infinity, ...others)),
    retrieval,
    context: signals.context,
  };
}

/** Returns the part with the highest score. Throws a `TypeError` if there is no part. */
export function bestPart(parts: readonly QuotePart[]): QuotePart {
  return parts.reduce((best, one) => (one.score > best.score ? one : best));
}

function scoreOf(signals: QuoteSignals): number {
  return Object.entries(partWeights).reduce(
    (sum, [name, weight]) => sum + weight * signals[name as keyof QuoteSignals],
    0,
  );
}

export function quoteCandidates(question: string, retrieved: Retrieved): QuoteCandidate[] {
  const expected = expectedAnswer(question);
  const best = retrieved.sections[0]?.score ?? 1;
  const terms = new QuestionTerms(retrieved.terms, retrieved.language);
  return retrieved.sections
    .slice(0, sections_count)
    .flatMap((section, place) => candidatesOf(section, place + 1, terms, expected, section.score / best));
}

function candidatesOf(
  section: RetrievedSection,
  number: number,
  question: QuestionTerms,
  expected: ExpectedAnswer,
  rank: number,
): QuoteCandidate[] {
  const parts = quotables(section.text, question.language);
  const named = question.matchesIn([section.title, ...section.breadcrumbs].join("\n"));
  const heading = question.matchesIn(section.title.slice(section.title.indexOf(": ") + 1));
  const isQuestion = /[?？]$/.test(section.title);
  const isReference = listsFields(section.text);
  const headingFit =
    heading.words === 0 ? 0 : question.share(heading.terms) * Math.sqrt(heading.matched / heading.words);
  const answer = isQuestion ? firstParagraph(parts, section.text) : undefined;
  return parts.flatMap((part, place) => {
    // A description says what a page is about, which answers no question.
    if (section.isDescribed && part.block === 0) return [];
    // Code between the fields of an operation is an example of a body. A field answers no "How do I".
    const isInstruction = expected === "instruction";
    if (isReference && (part.kind === "code" || (part.kind === "item" && isInstruction))) return [];

    // If the heading is a question, the whole first paragraph is shown for each of its sentences.
    const fitting = quoteOf(part, parts[place - 1], parts[place + 1]);
    const shown =
      (part.block === parts[0]!.block ? answer : undefined) ??
      (fitting && withSurroundings(parts, place, fitting, section.text));
    if (shown === undefined) return [];

    const text = fitting ?? shown;

    // The header of a table is context, because all rows share it. Words in code blocks don't count.
    const row = part.text.lastIndexOf("\n");
    const own = question.matchesIn(
      part.kind === "table" ? part.text.slice(row) : text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm, ""),
    );
    const header = part.kind === "table" ? question.matchesIn(part.text.slice(0, row)).terms : [];
    const signals: QuoteSignals = {
      own: question.share(own.terms),
      context: question.share(new Set([...own.terms, ...header, ...named.terms])),
      named: question.share(named.terms),
      lead: place < 2 ? headingFit / (place + 1) : 0,
      rank,
      isFound: Number(part.start >= section.best.start && part.start < section.best.end),
      density: Math.min(1, (2 * own.matched) / Math.max(6, own.words)),
      expected: expectedScore(expected, text),
      length: Math.log(text.length / 160),
      isWantedCode: Number(text.includes("```") && expected === "instruction"),
      isItem: Number(part.kind === "item"),
    };

    return [{ kind: part.kind, text: shown, section: number, route: section.route, signals }];
  });
}

/**
 * Extends a sentence or list item by those before and after it in the same paragraph or list, up to
 * `limits.quoteSurroundings_chars` characters, and a sentence by the code that follows its paragraph. For
 * code, extends the sentence before it.
 */
function withSurroundings(
  parts: readonly Quotable[],
  place: number,
  fitting: string,
  markdown: string,
): string {
  const start = parts[place]!.kind === "code" ? place - 1 : place;
  const part = parts[start];
  if (part?.kind !== "sentence" && part?.kind !== "item") return fitting;

  let [from, to] = [start, start];
  let left = limits.quoteSurroundings_chars;
  const takes = (index: number) => {
    const other = parts[index];
    if (other?.block !== part.block || other.text.length > left) return false;
    left -= other.text.length;
    return true;
  };

  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    if (takes(to + 1)) {
      to++;
      hasGrown = true;
    }
    if (takes(from - 1)) {
      from--;
      hasGrown = true;
    }
  }

  const last = parts[to]!;
  const whole = { ...part, text: markdown.slice(parts[from]!.start, last.start + last.text.length) };
  const next = parts[to + 1];
  const code =
    part.kind === "sentence" && next?.kind === "code" && next.block === part.block + 1 ? next.text : "";
  if (start !== place && code === "") return fitting;

  // A section that starts with a command explains it in the next paragraph.
  const command =
    parts[from - 1]?.start === 0 && parts[from - 1]!.kind === "code" ? parts[from - 1]!.text : "";
  const fits = (block: string) => block !== "" && block.length <= limits.quotedCode_chars;
  const text = [command, whole.text, code]
    .filter((block) => block === whole.text || fits(block))
    .join("\n\n");
  if (!isPresentable(whole, text)) return fitting;
  return text === whole.text && (start !== place || (part.kind === "sentence" && isOpen(text)))
    ? fitting
    : text;
}

/**
 * Returns the first paragraph. Undefined if the text starts with something else, or if the paragraph can't be
 * quoted on its own.
 */
function firstParagraph(parts: readonly Quotable[], text: string): string | undefined {
  const [first] = parts;
  if (first?.kind !== "sentence") return undefined;
  const place = parts.findLastIndex(({ block }) => block === first.block);
  const last = parts[place]!;
  const paragraph = { ...first, text: text.slice(first.start, last.start + last.text.length) };
  return quoteOf(paragraph, undefined, parts[place + 1]);
}

/**
 * Returns a part with the neighboring parts that readers need to understand it. Undefined if the part can't
 * be quoted on its own.
 */
function quoteOf(
  part: Quotable,
  before: Quotable | undefined,
  next: Quotable | undefined,
): string | undefined {
  const text = withNeighbors(part, before, next);
  return text !== undefined && isPresentable(part, text) ? text : undefined;
}

function withNeighbors(
  part: Quotable,
  before: Quotable | undefined,
  next: Quotable | undefined,
): string | undefined {
  const { kind, text } = part;
  if (kind === "title") return undefined;
  if (kind === "table" || kind === "item") return text;

  if (kind === "code")
    return before?.kind === "sentence" && before.text.length <= limits.quotedSentence_chars
      ? `${before.text}\n\n${text}`
      : text;

  const refersBack =
    /^(?:This|That|These|Those|It|They|However|Then|Also|Therefore|Instead|Otherwise)\b/.test(text);
  const whole =
    refersBack && before?.kind === "sentence" && before.block === part.block
      ? `${before.text} ${text}`
      : text;

  if (!isOpen(text)) return whole;
  return next?.kind === "code" && next.text.length <= limits.quotedCode_chars
    ? `${whole}\n\n${next.text}`
    : undefined;
}

/** Whether a sentence introduces the part below it, or is incomplete. */
function isOpen(text: string): boolean {
  return !/[.!?。！？)\]"”»*_`]$/.test(text) || /[:：]\**$/.test(text);
}

/**
 * Whether a part can be shown as a quote. False for text with unclosed code, images or citations, and for
 * long text. Unless the part is code, also false for questions and for text with few characters outside
 * links.
 */
function isPresentable({ kind }: Quotable, text: string): boolean {
  if ((text.match(/^\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:`{3,}|~{3,})/gm) ?? []).length % 2 === 1) return false;
  // Text that looks like a citation would become one.
  if (cited(text).length > 0 || /!\[/.test(text)) return false;
  if (kind === "code") return text.length <= limits.quotedCode_chars + limits.quotedSentence_chars;
  const words = text.replace(/!?\[[^\]]*\]\([^)]*\)/g, "").replace(/[\s\p{P}\p{S}]/gu, "");
  return text.length <= 2 * limits.quotedSentence_chars && words.length >= 12 && !text.endsWith("?");
}
