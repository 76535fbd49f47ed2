/**
 * Builds the text of an answer: cleaned, limited in length, with numbered sources. The stored text is the
 * same as the streamed text.
 */

import { CitationSupport } from "../../engine/answer/citation-support.ts";
import { AnswerCleaner } from "../../engine/answer/clean-answer.ts";
import {
  type AssistantReply,
  declinedReply,
  relatedSections,
  replyWithoutModel,
} from "../../engine/answer/reply.ts";
import type { Retrieved } from "../../engine/answer/retrieved.ts";
import { encodePath } from "../../engine/paths.ts";
import type { AnswerEvent } from "./contract.ts";

/** Maximum size of an answer in bytes. */
const answer_bytes = 32 * 1024;

export type AnswerMetadata = Extract<AnswerEvent, { type: "finish" }>["messageMetadata"];
export type AnswerKind = AnswerMetadata["answerKind"];

/** Receives the events of an answer in this order: start, text, sources, an optional error, finish. */
export type SendEvent = (event: AnswerEvent) => void;

export interface AnswerTextOptions {
  /** URL of the site, without a trailing slash. */
  origin: string;
  isOwnPath(path: string): boolean;
  question: string;
  /** Language of the page on which the reader asks; undefined if unknown. */
  language: string | undefined;
  retrieved: Retrieved;
  send: SendEvent;
}

/** ID of the text part in the events. An answer has only one. */
const id = "0";

export class AnswerText {
  private readonly options: AnswerTextOptions;
  private retrieved: Retrieved;
  private cleaner: AnswerCleaner;
  /** Numbers of the cited sections, in the order of their first citation. */
  private readonly order: number[] = [];
  private written = "";
  private bytes = 0;

  constructor(options: AnswerTextOptions) {
    this.options = options;
    this.retrieved = options.retrieved;
    this.cleaner = this.checkedCleaner();
  }

  /** Replaces the sections that citations refer to. Must be called before the first text. */
  useSections(retrieved: Retrieved): void {
    this.retrieved = retrieved;
    this.cleaner = this.checkedCleaner();
  }

  get text(): string {
    return this.written;
  }

  get isEmpty(): boolean {
    return this.written.trim() === "";
  }

  /** Adds text to the answer. Returns false if the text was truncated at the maximum size. */
  push(delta: string): boolean {
    return this.append(this.cleaner.push(delta));
  }

  /** Sends the text that is still buffered. More text may follow. */
  end(): void {
    this.append(this.cleaner.end());
    this.cleaner = this.newCleaner();
  }

  /**
   * Adds a reply that no model wrote. `isDeclined`: whether a model found that the sections don't answer the
   * question.
   */
  reply(isDeclined = false): AssistantReply {
    const { retrieved } = this;
    const { origin, question, language } = this.options;
    this.cleaner = this.newCleaner();
    const reply = (isDeclined ? declinedReply : replyWithoutModel)(
      question,
      retrieved,
      (section) => sectionUrl(origin, section),
      language,
    );
    this.push(reply.text);
    this.end();
    for (const number of reply.sections) if (!this.order.includes(number)) this.order.push(number);
    return reply;
  }

  /** Sends the event that ends the text, if there is any text. Must be called after the last `end`. */
  close(): void {
    if (this.written !== "") this.options.send({ type: "text-end", id });
  }

  /**
   * Returns the sources of the cited or linked sections or, if there are none, of the sections with the
   * numbers `used`. If the answer asks for a product or version, the titles start with its name.
   */
  sources(used: readonly number[]): { title: string; url: string }[] {
    const { retrieved } = this;
    const { origin } = this.options;
    const numbers = this.order.length ? this.order : [...new Set(used)];
    return numbers.flatMap((number) => {
      const section = retrieved.sections[number - 1];
      if (!section) return [];
      const choice = retrieved.choices?.options.find((option) => option.section === number);
      return [
        {
          title: choice ? `${choice.name}: ${section.title}` : section.title,
          url: sectionUrl(origin, section),
        },
      ];
    });
  }

  /** Returns the best section of each page, if the sections are likely about the subject of the question. */
  related(): { title: string; url: string }[] {
    const { retrieved } = this;
    if (!retrieved.isRelated) return [];
    return relatedSections(retrieved).map((number) => {
      const section = retrieved.sections[number - 1]!;
      return { title: section.title, url: sectionUrl(this.options.origin, section) };
    });
  }

  /** Creates a cleaner for text from a model, which compares citations with the sections. */
  private checkedCleaner(): AnswerCleaner {
    return this.newCleaner(new CitationSupport(this.retrieved, this.options.question));
  }

  private newCleaner(support?: CitationSupport): AnswerCleaner {
    const { origin, isOwnPath } = this.options;
    const sections_count = this.retrieved.sections.length;
    return new AnswerCleaner({
      origin,
      isOwnPath,
      sections_count,
      order: this.order,
      ...(support ? { support } : {}),
    });
  }

  private append(cleaned: string): boolean {
    const text = cleaned.toWellFormed();
    const { send } = this.options;
    const remaining_bytes = answer_bytes - this.bytes;
    const delta = Buffer.byteLength(text) <= remaining_bytes ? text : truncate(text, remaining_bytes);
    if (delta !== "") {
      if (this.written === "") send({ type: "text-start", id });
      send({ type: "text-delta", id, delta });
      this.written += delta;
      this.bytes += Buffer.byteLength(delta);
    }
    return delta === text;
  }
}

export function sectionUrl(origin: string, { route, anchor }: { route: string; anchor: string }): string {
  return `${origin}/${encodePath(route)}${anchor ? `#${encodeURIComponent(anchor)}` : ""}`;
}

/** Truncates a text to at most `most_bytes`, at a character boundary. */
function truncate(text: string, most_bytes: number): string {
  const bytes = Buffer.from(text).subarray(0, most_bytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
