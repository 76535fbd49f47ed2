/**
 * Answers questions and records them. A language model writes the answer. If no model is available, or the
 * model writes no text, the answer quotes the documentation, links to related sections, or says that there is
 * no answer.
 */

import { setTimeout as wait } from "node:timers/promises";
import { limits } from "../../base/limits.ts";
import { parseUrl } from "../../base/url.ts";
import type { RetrieveOptions } from "../../engine/answer/retrieve.ts";
import { type Retrieved, withMoreSections } from "../../engine/answer/retrieved.ts";
import { isInOtherLanguage } from "../../engine/search/detect-language.ts";
import type { Service } from "../core/service.ts";
import type { AssistantSettings, Plan } from "../core/tables.ts";
import { AnswerSlots } from "./answer-slots.ts";
import { type AnswerKind, AnswerText, type SendEvent } from "./answer-text.ts";
import { beginMessage, finishMessage, type OpenMessage } from "./message-rows.ts";
import { type AssistantModelOptions, type AvailableModel, Models } from "./models.ts";
import {
  answerPrompt,
  type PromptInput,
  type QuestionContext,
  readSearch,
  readVerdict,
  rewritePrompt,
  type Verdict,
} from "./prompt.ts";

/**
 * Time limit for a model to rewrite a follow-up question. If it takes longer or fails, the earlier questions
 * are added to the search.
 */
const rewrite_ms = 4_000;
/** A question about a site's documentation. */
export interface Question {
  organization: { id: string; plan: Plan };
  projectId: string;
  settings: AssistantSettings | null;
  caller: "web" | "api";
  /**
   * Keyed hash of the browser's ID and the reader's groups. For API calls, a hash of the groups only, or
   * undefined if there are none.
   */
  asker: Buffer | undefined;
  /** IP address; set only for readers of the site. */
  address?: string;
  text: string;
  /** ID that the client chose for the question. */
  messageId: string;
  threadId?: string;
  currentPath?: string;
  /** Language of the page on which the question was asked; absent if unknown. */
  language?: string;
  context: readonly QuestionContext[];
  /** URL of the site, without a trailing slash. */
  origin: string;
  /** Whether a path belongs to the site and the asker may read it. */
  isOwnPath(path: string): boolean;
  /** Languages of the pages that the asker may read. */
  languages: readonly string[];
  /** Retrieves sections that the asker may read. See `RetrieveOptions` for the options. */
  retrieve(question: string, options: Pick<RetrieveOptions, "earlier" | "isRewritten">): Promise<Retrieved>;
}

/** Result of answering a question. */
interface AnswerOutcome {
  kind: AnswerKind;
  verdict: Verdict | undefined;
  /** Products or versions that the question may be about, if the answer asks for one. */
  choices?: string[];
  /** Error message for the asker; absent if there was no error. */
  errorText?: string;
}

/** Input of one request to the model. */
interface RoundInput extends Pick<PromptInput, "retrieved" | "maySearch"> {
  /** Time at which the answer is aborted, as a value of `performance.now()`. */
  deadline_ms: number;
}

/** Result of one request to the model. */
interface ModelRound {
  verdict?: Verdict | undefined;
  /** Search query, if the model requests more sections. */
  search?: string | undefined;
  failure?: unknown;
}

export class Assistant {
  private readonly service: Service;
  private readonly options: AssistantModelOptions;
  private readonly models: Models;
  private readonly slots = new AnswerSlots();

  constructor(service: Service, options: AssistantModelOptions) {
    this.service = service;
    this.options = options;
    this.models = new Models(service, options);
  }

  /**
   * Inserts a row for the question, or reuses the row of a repeated question. Returns a function that writes
   * the answer and sends its events. Callers must call this function, because it also frees the question's
   * slot. If the client disconnects (`signal`), the function stores the text so far. Throws an AppError if
   * too many answers are in progress.
   */
  async ask(question: Question): Promise<(send: SendEvent, signal: AbortSignal) => Promise<void>> {
    const freeSlot = this.slots.take(question);
    try {
      const { projectId, threadId, messageId, caller, asker, text } = question;
      const pageUrl = pageUrlOf(question);
      const message = await beginMessage(this.service, {
        projectId,
        threadId,
        messageId,
        caller,
        asker,
        query: text,
        pageUrl,
      });
      return (send, signal) => this.answer(question, message, send, signal).finally(freeSlot);
    } catch (error) {
      freeSlot();
      throw error;
    }
  }

  private async answer(
    question: Question,
    message: OpenMessage,
    send: SendEvent,
    reader: AbortSignal,
  ): Promise<void> {
    send({ type: "start", messageId: message.id });
    const deadline_ms = performance.now() + limits.answer_ms;
    let retrieved: Retrieved | undefined;
    let text: AnswerText | undefined;
    let outcome: AnswerOutcome;
    try {
      const model = await this.models.of(question);
      const query = await this.searchQuery(question, message, model, reader);
      const earlier = message.earlier.map(({ query }) => query);
      retrieved = await question.retrieve(query, { earlier, isRewritten: query !== question.text });
      // If the rewritten question finds nothing, search for the original.
      if (retrieved.sections.length === 0 && query !== question.text)
        retrieved = await question.retrieve(question.text, { earlier });
      const { origin, isOwnPath, language } = question;
      text = new AnswerText({ origin, isOwnPath, question: question.text, language, retrieved, send });
      outcome = await this.write(question, message, { retrieved, deadline_ms }, text, model, reader);
    } catch (error) {
      this.options.report(error);
      outcome = {
        kind: "none",
        verdict: undefined,
        errorText: "The assistant isn't available. Try again in a moment.",
      };
    }

    await this.end(question, message, retrieved, text, outcome, send);
  }

  /**
   * Returns the search query for a question. The model rewrites a follow-up question so that it can be
   * understood on its own, and translates a question in a language in which there are no pages. Returns the
   * question unchanged if neither applies, if there is no model, or if the model fails or returns no text.
   */
  private async searchQuery(
    { text: question, languages }: Question,
    { earlier }: OpenMessage,
    ready: AvailableModel | undefined,
    reader: AbortSignal,
  ): Promise<string> {
    const isForeign = isInOtherLanguage(question, languages);
    if (!ready || (earlier.length === 0 && !isForeign)) return question;

    try {
      const prompt = rewritePrompt({
        question,
        earlier,
        language: isForeign ? languages[0] : undefined,
        mark: this.mark(),
      });
      const request = { ...prompt, signal: reader, most_ms: rewrite_ms };
      const { text, tokens } = await ready.model.complete(request);
      await ready.used(tokens);
      const rewritten = text.trim().slice(0, limits.question_chars);
      if (rewritten !== "") return rewritten;
    } catch (error) {
      if (!reader.aborted) this.options.report(error);
    }

    return question;
  }

  /**
   * Writes the answer with the model. The model can search once for more sections before its first text.
   * Replies without a model if there is no model, no section was found, the question doesn't decide between
   * products or versions, or the model returns no text.
   */
  private async write(
    question: Question,
    message: OpenMessage,
    { retrieved, deadline_ms }: Pick<RoundInput, "retrieved" | "deadline_ms">,
    text: AnswerText,
    ready: AvailableModel | undefined,
    reader: AbortSignal,
  ): Promise<AnswerOutcome> {
    if (!ready || retrieved.sections.length === 0 || retrieved.choices) return this.reply(retrieved, text);

    let round = await this.writeRound(
      question,
      message,
      { retrieved, maySearch: true, deadline_ms },
      text,
      ready,
      reader,
    );

    if (round.search !== undefined && text.isEmpty && !reader.aborted) {
      const all = withMoreSections(retrieved, await question.retrieve(round.search, { isRewritten: true }));
      text.useSections(all);
      round = await this.writeRound(
        question,
        message,
        { retrieved: all, maySearch: false, deadline_ms },
        text,
        ready,
        reader,
      );
    }

    const { verdict, failure } = round;
    text.end();
    const kind = "generated";
    if (reader.aborted) return { kind, verdict };

    if (failure !== undefined) {
      ready.failed();
      this.options.report(failure);
      if (!text.isEmpty) return { kind, verdict: undefined, errorText: "The answer was interrupted" };
    }

    if (!text.isEmpty) return { kind, verdict };
    const isDeclined = verdict?.isCovered === false && failure === undefined;
    return this.reply(retrieved, text, isDeclined);
  }

  /**
   * Makes one request to the model. Adds the model's text to `text`. Returns an error as `failure` instead of
   * throwing it.
   */
  private async writeRound(
    { text: question, currentPath: page, language, context }: Question,
    { earlier }: OpenMessage,
    { deadline_ms, ...input }: RoundInput,
    text: AnswerText,
    ready: AvailableModel,
    reader: AbortSignal,
  ): Promise<ModelRound> {
    const prompt = answerPrompt({ question, page, language, context, earlier, mark: this.mark(), ...input });
    let written_chars =
      prompt.system.length + prompt.messages.reduce((sum, { content }) => sum + content.length, 0);
    let tokens: number | undefined;
    const round: ModelRound = {};
    try {
      for await (const part of ready.model.answer({
        ...prompt,
        signal: reader,
        most_ms: Math.max(0, deadline_ms - performance.now()),
      })) {
        if ("text" in part) {
          written_chars += part.text.length;
          if (!text.push(part.text)) break;
        } else if ("tokens" in part) tokens = part.tokens;
        else if (part.tool === "search") round.search ??= readSearch(part.input);
        else round.verdict ??= readVerdict(part.input);
      }
      ready.answered();
    } catch (error) {
      round.failure = error;
    }

    // Estimated if the provider doesn't report the tokens, so that the limit always applies.
    ready.used(tokens ?? Math.ceil(written_chars / 4)).catch(this.options.report);
    return round;
  }

  private reply({ choices }: Retrieved, text: AnswerText, isDeclined = false): AnswerOutcome {
    const { kind, isCovered, sections } = text.reply(isDeclined);
    const isClarifying = kind === "question";
    const verdict = { isCovered, used: sections, isClarifying };
    return {
      kind,
      verdict,
      ...(choices && isClarifying ? { choices: choices.options.map(({ name }) => name) } : {}),
    };
  }

  /**
   * Sends the sources and the last events. An answer with text is stored before the `finish` event is sent.
   */
  private async end(
    question: Question,
    message: OpenMessage,
    retrieved: Retrieved | undefined,
    text: AnswerText | undefined,
    { kind, verdict, choices, errorText }: AnswerOutcome,
    send: SendEvent,
  ): Promise<void> {
    text?.close();
    const cited = text ? text.sources(verdict?.used ?? []) : [];
    const isClarifying = verdict?.isClarifying === true;

    // If the model sends no report, an answer with citations counts as answered.
    const isAnswered =
      text !== undefined &&
      !text.isEmpty &&
      (isClarifying || ((verdict?.isCovered ?? true) && cited.length > 0));

    const sources = isAnswered || kind === "related" ? cited : [];
    const responseType = isClarifying ? "clarifying_question" : "answer";
    for (const [index, source] of sources.entries())
      send({ type: "source-url", sourceId: String(index + 1), ...source });
    if (errorText !== undefined) send({ type: "error", errorText });

    // An answer without text isn't stored; a sweep deletes the unfinished row.
    if (text && !text.isEmpty) {
      const result = {
        response: text.text,
        responseType,
        sources,
        isAnswered,
        theme: retrieved?.category ?? null,
      } as const;
      await this.record(question, message, result);
    }

    const resolutionStatus = isAnswered ? "answered" : "unanswered";
    const answerKind = text?.isEmpty === false ? kind : "none";
    const related = kind === "generated" && !isAnswered ? (text?.related() ?? []) : [];
    send({
      type: "finish",
      messageMetadata: {
        threadId: message.threadId,
        resolutionStatus,
        responseType,
        answerKind,
        ...(choices ? { choices } : {}),
        ...(related.length > 0 ? { related } : {}),
      },
    });
  }

  /**
   * Stores the answer. After an error, retries for some time and then gives up without throwing. Reports all
   * errors.
   */
  private async record(
    question: Question,
    message: OpenMessage,
    result: Parameters<typeof finishMessage>[3],
  ): Promise<void> {
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

  /** Returns a random delimiter for the parts of a prompt. */
  private mark(): string {
    return `part-${this.service.random(12).toString("hex")}`;
  }
}

/**
 * Returns the URL of the page where the question was asked. Null if the page is unknown, invalid or on
 * another site.
 */
function pageUrlOf({ currentPath, origin }: Question): string | null {
  if (currentPath === undefined || currentPath === "") return null;
  const url = parseUrl(currentPath, `${origin}/`);
  return url && url.origin === new URL(origin).origin ? `${url.origin}${url.pathname}` : null;
}
