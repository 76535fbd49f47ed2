/** Text of one answer: cleaned, limited in length, with numbered sources. The stored text is the same as the streamed text. */

import { AnswerCleaner } from "../../engine/answer/clean-answer.ts";
import type { Retrieved } from "../../engine/answer/retrieved.ts";
import { encodePath } from "../../engine/paths.ts";
import type { AnswerEvent } from "./contract.ts";

/** Maximum size of an answer in bytes. */
const answer_bytes = 32 * 1024;

export type AnswerMetadata = Extract<AnswerEvent, { type: "finish" }>["messageMetadata"];

/** Receives the events of an answer in this order: start, text, sources, an optional error, finish. */
export type SendEvent = (event: AnswerEvent) => void;

export interface AnswerTextOptions {
  /** URL of the site, without a trailing slash. */
  origin: string;
  isOwnPath(path: string): boolean;
  retrieved: Retrieved;
  send: SendEvent;
}

/** Id of the text in the events. An answer has only one text. */
const id = "0";

export class AnswerText {
  private readonly options: AnswerTextOptions;
  private cleaner: AnswerCleaner;
  /** Numbers of the cited sections, in the order of their first citation. */
  private readonly order: number[] = [];
  private written = "";
  private bytes = 0;

  constructor(options: AnswerTextOptions) {
    this.options = options;
    this.cleaner = this.newCleaner();
  }

  get text(): string {
    return this.written;
  }

  get isEmpty(): boolean {
    return this.written.trim() === "";
  }

  /** Adds text. Returns false if text was cut off at the maximum size. */
  push(delta: string): boolean {
    return this.append(this.cleaner.push(delta));
  }

  /** Sends the text that is still buffered. More text may follow. */
  end(): void {
    this.append(this.cleaner.end());
    this.cleaner = this.newCleaner();
  }

  close(): void {
    if (this.written !== "") this.options.send({ type: "text-end", id });
  }

  /** Sources of the cited sections or, if the text cites none, of the sections with the numbers `used`. */
  sources(used: readonly number[]): { title: string; url: string }[] {
    const { retrieved, origin } = this.options;
    const numbers = this.order.length ? this.order : [...new Set(used)];
    return numbers.flatMap((number) => {
      const section = retrieved.sections[number - 1];
      if (!section) return [];
      const { title, route, anchor } = section;
      return [{ title, url: `${origin}/${encodePath(route)}${anchor ? `#${encodeURIComponent(anchor)}` : ""}` }];
    });
  }

  private newCleaner(): AnswerCleaner {
    const { origin, isOwnPath, retrieved } = this.options;
    return new AnswerCleaner({ origin, isOwnPath, sections_count: retrieved.sections.length, order: this.order });
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

/** Truncates a text to a number of bytes, at a character boundary. */
function truncate(text: string, most_bytes: number): string {
  const bytes = Buffer.from(text).subarray(0, most_bytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
