/** The text of one answer: cleaned, with numbered sources. The streamed text is the stored text. */
import { limits } from "../../base/limits.ts";
import { AnswerCleaner } from "../../engine/answer/clean-answer.ts";
import type { Retrieved } from "../../engine/answer/retrieved.ts";
import { encodePath } from "../../engine/paths.ts";
import type { AnswerEvent } from "./contract.ts";

export type AnswerMetadata = Extract<AnswerEvent, { type: "finish" }>["messageMetadata"];

/** Events come in the order: start, text, sources, perhaps an error, finish. */
export type SendEvent = (event: AnswerEvent) => void;

export interface AnswerTextOptions {
  /** URL of the site, without a slash at the end. */
  origin: string;
  isOwnPath(path: string): boolean;
  retrieved: Retrieved;
  send: SendEvent;
}

/** An answer has one text. */
const id = "0";

export class AnswerText {
  private readonly options: AnswerTextOptions;
  private cleaner: AnswerCleaner;
  /** Numbers of sections in the order in which the text names them first. */
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

  /** False when no more fits into a row. */
  push(delta: string): boolean {
    return this.say(this.cleaner.push(delta));
  }

  /** Sends the buffered rest. More may follow, as another text. */
  end(): void {
    this.say(this.cleaner.end());
    this.cleaner = this.newCleaner();
  }

  close(): void {
    if (this.written !== "") this.options.send({ type: "text-end", id });
  }

  /** Of the sections that the text names, or of those that were used when it names none. */
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

  private say(cleaned: string): boolean {
    const text = cleaned.toWellFormed();
    const { send } = this.options;
    const left_bytes = limits.answer_bytes - this.bytes;
    const delta = Buffer.byteLength(text) <= left_bytes ? text : cut(text, left_bytes);
    if (delta !== "") {
      if (this.written === "") send({ type: "text-start", id });
      send({ type: "text-delta", id, delta });
      this.written += delta;
      this.bytes += Buffer.byteLength(delta);
    }
    return delta === text;
  }
}

/** The beginning of a text, at the border of a character. */
function cut(text: string, most_bytes: number): string {
  const bytes = Buffer.from(text).subarray(0, most_bytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
