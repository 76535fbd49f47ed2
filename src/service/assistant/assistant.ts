/**
 * Answers questions and records them. A model writes the answer where there is one; where there is none, or it fails before
 * it has said anything, the answer is made of the documentation's own passages.
 */
import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { visitorOf } from "../../base/rate-rules.ts";
import { parseUrl } from "../../base/url.ts";
import { extractAnswer } from "../../engine/answer/quoted-answer.ts";
import type { Retrieved } from "../../engine/answer/retrieved.ts";
import { messagesOf } from "../../engine/i18n/locales.ts";
import type { Service } from "../core/service.ts";
import type { AssistantSettings, Plan } from "../core/tables.ts";
import { AnswerText, type SendEvent } from "./answer-text.ts";
import { beginMessage, finishMessage, type OpenMessage } from "./message-rows.ts";
import { type AssistantModelOptions, type AvailableModel, Models } from "./models.ts";
import { answerPrompt, type QuestionContext, readVerdict, rewritePrompt, type Verdict } from "./prompt.ts";

/** A question to a site's documentation. */
export interface Question {
  organization: { id: string; plan: Plan };
  projectId: string;
  settings: AssistantSettings | null;
  caller: "web" | "api";
  /** Keyed hash of who asks and what they may read; undefined for a program whose reader is in no group. */
  asker: Buffer | undefined;
  /** Of a reader's browser. */
  address?: string;
  text: string;
  /** What the asker calls the question. */
  messageId: string;
  threadId?: string;
  currentPath?: string;
  context: readonly QuestionContext[];
  /** URL of the site, without a slash at the end. */
  origin: string;
  /** Whether the asker may read this path. */
  isOwnPath(path: string): boolean;
  /** What the asker may read and the answer may come from. */
  retrieve(question: string, earlier: readonly string[]): Promise<Retrieved>;
}

/** What is known of an answer once it has ended, however it has. */
interface AnswerOutcome {
  verdict: Verdict | undefined;
  /** Error message for the asker. */
  errorText?: string;
}

export class Assistant {
  private readonly service: Service;
  private readonly options: AssistantModelOptions;
  private readonly models: Models;
  /** Answers under way: of the process, of each site, and of each visitor of a site. */
  private readonly inProgress = new Map<string, number>();

  constructor(service: Service, options: AssistantModelOptions) {
    this.service = service;
    this.options = options;
    this.models = new Models(service, options);
  }

  /**
   * Takes the question, or refuses it. What it gives back answers: it tells as it goes, ends by itself, and writes the row
   * whether or not somebody still listens; `signal` says when nobody does.
   */
  async ask(question: Question): Promise<(send: SendEvent, signal: AbortSignal) => Promise<void>> {
    const leave = this.enter(question);
    try {
      const { projectId, threadId, messageId, caller, asker, text } = question;
      const pageUrl = pageUrlOf(question);
      const message = await beginMessage(this.service, { projectId, threadId, messageId, caller, asker, query: text, pageUrl });
      return (send, signal) => this.answer(question, message, send, signal).finally(leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Each level has a share of what is left of the one around it: nobody's slow answers take all the places. */
  private enter({ projectId, address }: Question): () => void {
    const { ofProcess, ofSite } = limits.answersShare;
    const levels: [key: string, share: number][] = [
      ["process", 1],
      [projectId, ofProcess],
      ...(address === undefined ? [] : ([[`${projectId} ${visitorOf(address)}`, ofSite]] satisfies [string, number][])),
    ];
    let rest = limits.answersOfProcess_count;
    for (const [key, share] of levels) {
      const here = this.inProgress.get(key) ?? 0;
      const most = Math.ceil(rest / share);
      if (here >= (key === projectId ? Math.min(most, limits.answersOfSite_count) : most))
        throw new AppError("rate-limited", "Too many questions are being answered; try again in a moment", { retryAfter_s: 2 });
      rest = most - here;
    }
    for (const [key] of levels) this.inProgress.set(key, (this.inProgress.get(key) ?? 0) + 1);
    return () => {
      for (const [key] of levels) {
        const left = this.inProgress.get(key)! - 1;
        if (left) this.inProgress.set(key, left);
        else this.inProgress.delete(key);
      }
    };
  }

  private async answer(question: Question, message: OpenMessage, send: SendEvent, reader: AbortSignal): Promise<void> {
    send({ type: "start", messageId: message.id });
    let retrieved: Retrieved | undefined;
    let text: AnswerText | undefined;
    let ended: AnswerOutcome;
    try {
      const model = await this.models.of(question);
      const wanted = await this.searchFor(question, message, model, reader);
      retrieved = await question.retrieve(wanted.text, wanted.earlier);
      // A question that was made anew, and finds nothing, was made wrongly.
      if (retrieved.sections.length === 0 && wanted.text !== question.text)
        retrieved = await question.retrieve(
          question.text,
          message.earlier.map(({ query }) => query),
        );
      text = new AnswerText({ origin: question.origin, isOwnPath: question.isOwnPath, retrieved, send });
      ended = await this.write(question, message, retrieved, text, model, reader);
    } catch (error) {
      this.options.report(error);
      ended = { verdict: undefined, errorText: "The assistant cannot answer right now" };
    }
    await this.end(question, message, retrieved, text, ended, send);
  }

  /** A question that leans on those before is made one by itself, or gets words of theirs. */
  private async searchFor(question: Question, message: OpenMessage, ready: AvailableModel | undefined, reader: AbortSignal) {
    const earlier = message.earlier.map(({ query }) => query);
    if (!ready || message.earlier.length === 0) return { text: question.text, earlier };
    try {
      const asked = { ...rewritePrompt(question.text, message.earlier, this.mark()), signal: reader, most_ms: limits.rewrite_ms };
      const { text, tokens } = await ready.model.complete(asked);
      await ready.used(tokens);
      const query = text.trim().slice(0, limits.question_chars);
      if (query !== "") return { text: query, earlier: [] };
    } catch (error) {
      if (!reader.aborted) this.options.report(error);
    }
    return { text: question.text, earlier };
  }

  /** By the model, or without it. */
  private async write(
    question: Question,
    message: OpenMessage,
    retrieved: Retrieved,
    text: AnswerText,
    ready: AvailableModel | undefined,
    reader: AbortSignal,
  ): Promise<AnswerOutcome> {
    if (!ready || retrieved.sections.length === 0) return this.extract(question, retrieved, text);
    const { text: asked, currentPath, context } = question;
    const prompt = answerPrompt({ question: asked, page: currentPath, context, retrieved, earlier: message.earlier, mark: this.mark() });
    let written_chars = prompt.system.length + prompt.messages.reduce((sum, { content }) => sum + content.length, 0);
    let tokens: number | undefined;
    let verdict: Verdict | undefined;
    let failure: unknown;
    try {
      for await (const part of ready.model.answer({ ...prompt, signal: reader, most_ms: limits.answer_ms })) {
        if ("text" in part) {
          written_chars += part.text.length;
          if (!text.push(part.text)) break;
        } else if ("report" in part) verdict ??= readVerdict(part.report);
        else tokens = part.tokens;
      }
      ready.answered();
    } catch (error) {
      failure = error;
    }
    text.end();
    // What a provider does not tell is guessed, so that no budget is without end.
    ready.used(tokens ?? Math.ceil(written_chars / 4)).catch(this.options.report);
    if (reader.aborted) return { verdict };
    if (failure !== undefined) {
      ready.failed();
      this.options.report(failure);
      if (!text.isEmpty) return { verdict: undefined, errorText: "The answer broke off" };
    }
    if (!text.isEmpty) return { verdict };
    if (verdict && !verdict.isCovered && failure === undefined) return this.decline(retrieved, text);
    return this.extract(question, retrieved, text);
  }

  private extract(question: Question, retrieved: Retrieved, text: AnswerText): AnswerOutcome {
    const extracted = extractAnswer(question.text, retrieved);
    if (extracted) {
      text.push(extracted.text);
      text.end();
    }
    if (!extracted || text.isEmpty) return this.decline(retrieved, text);
    return { verdict: { isCovered: true, used: extracted.used, isClarifying: false } };
  }

  private decline({ language }: Retrieved, text: AnswerText): AnswerOutcome {
    text.push(messagesOf(language).answer.notCovered);
    text.end();
    return { verdict: { isCovered: false, used: [], isClarifying: false } };
  }

  /** Writes the row before the `finish` event, so that a client that received it finds the row. */
  private async end(
    question: Question,
    message: OpenMessage,
    retrieved: Retrieved | undefined,
    text: AnswerText | undefined,
    { verdict, errorText }: AnswerOutcome,
    send: SendEvent,
  ): Promise<void> {
    text?.close();
    const cited = text ? text.sources(verdict?.used ?? []) : [];
    const isClarifying = verdict?.isClarifying === true;
    // A model that reports nothing has answered what it names sources for.
    const isAnswered = text !== undefined && !text.isEmpty && (isClarifying || ((verdict?.isCovered ?? true) && cited.length > 0));
    const sources = isAnswered ? cited : [];
    const responseType = isClarifying ? "clarifying_question" : "answer";
    for (const [index, source] of sources.entries()) send({ type: "source-url", sourceId: String(index + 1), ...source });
    if (errorText !== undefined) send({ type: "error", errorText });
    // Without any text of an answer there is no message.
    if (text && !text.isEmpty) {
      const result = { response: text.text, responseType, sources, isAnswered, theme: retrieved?.category ?? null } as const;
      await this.record(question, message, result);
    }
    const resolutionStatus = isAnswered ? "answered" : "unanswered";
    send({ type: "finish", messageMetadata: { threadId: message.threadId, resolutionStatus, responseType } });
  }

  /** A database that is away for a moment costs no row. */
  private async record(question: Question, message: OpenMessage, result: Parameters<typeof finishMessage>[3]): Promise<void> {
    for (let pause_ms = 200; ; pause_ms *= 3) {
      try {
        await finishMessage(this.service, question.organization.id, message, result);
        return;
      } catch (error) {
        this.options.report(error);
        if (pause_ms > limits.databaseWait_ms) return;
        await wait(pause_ms);
      }
    }
  }

  private mark(): string {
    return `part-${this.service.random(12).toString("hex")}`;
  }
}

/** Where the conversation began, as a full address of the site; what is no path of it is not recorded. */
function pageUrlOf({ currentPath, origin }: Question): string | null {
  if (currentPath === undefined || currentPath === "") return null;
  const url = parseUrl(currentPath, `${origin}/`);
  return url && url.origin === new URL(origin).origin ? `${url.origin}${url.pathname}` : null;
}
