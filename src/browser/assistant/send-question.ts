/** Sends a question and adds the streamed answer to its message. */

import { context_count, currentPath_chars, question_chars } from "../../base/question-limits.ts";
import type { AssistantLinks, SearchLinks } from "../../engine/frame/page-view.ts";
import type { AnswerEvent } from "../../service/assistant/contract.ts";
import { eventsOf } from "../event-stream.ts";
import { currentPath, pageLanguage } from "../site-urls.ts";
import { postJson } from "./post-json.ts";
import type { AnswerFailure, Conversation, ThreadMessage } from "./saved-conversations.ts";

/** Time without data before the connection counts as lost. The server's own timeout for models is shorter. */
const idle_ms = 75_000;

interface SendOptions {
  links: AssistantLinks;
  scope: SearchLinks["scope"];
  conversation: Conversation;
  message: ThreadMessage;
  signal: AbortSignal;
  /** Called after each change of the message. */
  onChange(): void;
}

/**
 * Sends the question of a message and adds the answer to the message. Resolves when the message is done,
 * stopped or failed. Never rejects.
 */
export async function sendQuestion(options: SendOptions): Promise<void> {
  const { message, conversation, signal, onChange } = options;
  Object.assign(message, {
    text: "",
    sources: [],
    state: "writing",
    failure: undefined,
    isUnanswered: undefined,
    answerKind: undefined,
    choices: undefined,
    near: undefined,
    helpful: undefined,
  });

  onChange();
  const end = new AbortController();
  const stop = () => end.abort();
  signal.addEventListener("abort", stop);
  let timer = setTimeout(stop, idle_ms);
  try {
    const response = await send(options, end.signal);
    if (!response.ok || !response.body) return fail(message, await failureOf(response));
    let isWhole = false;
    for await (const { data } of eventsOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(stop, idle_ms);
      if (data === "[DONE]") break;
      const event = readEvent(data);
      if (event?.type === "start") {
        message.turnId = event.messageId;
        // The id of a thread is the id of its first answer, so an interrupted conversation can be continued.
        conversation.threadId ??= event.messageId;
      } else if (event?.type === "text-delta") message.text += event.delta;
      else if (event?.type === "source-url") message.sources.push({ url: event.url, title: event.title });
      else if (event?.type === "error") message.failure = { kind: "broken" };
      else if (event?.type === "finish") {
        isWhole = true;
        conversation.threadId = event.messageMetadata.threadId;
        message.isUnanswered = event.messageMetadata.resolutionStatus === "unanswered";
        message.answerKind = event.messageMetadata.answerKind;
        message.choices = event.messageMetadata.choices;
        message.near = event.messageMetadata.related;
      }
      onChange();
    }
    if (!isWhole || message.failure) return fail(message, { kind: "broken" });
    message.state = "done";
  } catch {
    if (signal.aborted) message.state = "stopped";
    else fail(message, { kind: message.turnId === undefined || message.text === "" ? "offline" : "broken" });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    onChange();
  }
}

function send({ links, scope, conversation, message }: SendOptions, signal: AbortSignal): Promise<Response> {
  const { version, product } = scope;
  return postJson(
    links.message,
    {
      messages: [
        {
          id: message.messageId,
          role: "user",
          parts: [{ type: "text", text: message.question.slice(0, question_chars) }],
        },
      ],
      threadId: conversation.threadId ?? null,
      currentPath: currentPath().slice(0, currentPath_chars),
      ...(product ? { currentProduct: product.name } : {}),
      filter: { language: pageLanguage(), ...(version ? { version: version.name } : {}) },
      ...(message.attachments.length
        ? {
            context: message.attachments.slice(0, context_count).map(({ type, value, path }) => ({
              type,
              value: value.slice(0, question_chars),
              path: path.slice(0, currentPath_chars),
            })),
          }
        : {}),
    },
    { signal },
  );
}

async function failureOf(response: Response): Promise<AnswerFailure> {
  void response.body?.cancel();
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    return { kind: "limited", until: Date.now() + (seconds > 0 ? seconds : 10) * 1_000 };
  }
  return { kind: response.status >= 500 ? "offline" : "refused" };
}

function fail(message: ThreadMessage, failure: AnswerFailure): void {
  message.state = "failed";
  message.failure = failure;
}

function readEvent(data: string): AnswerEvent | undefined {
  try {
    return JSON.parse(data) as AnswerEvent;
  } catch {
    return undefined;
  }
}
