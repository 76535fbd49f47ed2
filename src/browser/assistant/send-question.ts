/** Asks one question and writes down what comes back, as it comes. */

import { context_count, currentPath_chars, question_chars } from "../../base/question-limits.ts";
import type { AssistantLinks, SearchLinks } from "../../engine/render/page-view.ts";
import { searchPath } from "../../layout/site-layout.ts";
import type { AnswerEvent } from "../../service/assistant/contract.ts";
import { currentPath, siteBase } from "../site-address.ts";
import type { Conversation, Failure, Source, Turn } from "./conversation.ts";
import { eventsOf } from "./read-events.ts";

/** Longer silence means that nobody is there: a model that hangs is given up by the server before. */
const silence_ms = 75_000;
const near_count = 4;

interface Asking {
  links: AssistantLinks;
  scope: SearchLinks["scope"];
  conversation: Conversation;
  turn: Turn;
  signal: AbortSignal;
  /** The turn has changed. */
  changed(): void;
}

/** Ends with the turn done, stopped or failed; never rejects. */
export async function ask(asking: Asking): Promise<void> {
  const { turn, conversation, signal, changed } = asking;
  Object.assign(turn, {
    text: "",
    sources: [],
    state: "writing",
    failure: undefined,
    isUnanswered: undefined,
    near: undefined,
    helpful: undefined,
  });
  changed();
  const quiet = new AbortController();
  let timer = setTimeout(() => quiet.abort(), silence_ms);
  try {
    const response = await send(asking, AbortSignal.any([signal, quiet.signal]));
    if (!response.ok || !response.body) return fail(turn, await refusal(response));
    let isWhole = false;
    for await (const data of eventsOf(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), silence_ms);
      if (data === "[DONE]") break;
      const event = readEvent(data);
      if (event?.type === "start") {
        turn.turnId = event.messageId;
        // A conversation is called after its first turn, so that one that breaks off can be gone on with.
        conversation.threadId ??= event.messageId;
      } else if (event?.type === "text-delta") turn.text += event.delta;
      else if (event?.type === "source-url") turn.sources.push({ url: event.url, title: event.title });
      else if (event?.type === "error") turn.failure = { kind: "broken" };
      else if (event?.type === "finish") {
        isWhole = true;
        conversation.threadId = event.messageMetadata.threadId;
        turn.isUnanswered = event.messageMetadata.resolutionStatus === "unanswered";
      }
      changed();
    }
    if (!isWhole || turn.failure) return fail(turn, { kind: "broken" });
    if (turn.isUnanswered) turn.near = await nearPages(turn.question, signal);
    turn.state = "done";
  } catch {
    if (signal.aborted) turn.state = "stopped";
    else fail(turn, { kind: turn.turnId === undefined || turn.text === "" ? "offline" : "broken" });
  } finally {
    clearTimeout(timer);
    changed();
  }
}

function send({ links, scope, conversation, turn }: Asking, signal: AbortSignal): Promise<Response> {
  const { version } = scope;
  return fetch(links.message, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({
      messages: [{ id: turn.messageId, role: "user", parts: [{ type: "text", text: turn.question.slice(0, question_chars) }] }],
      threadId: conversation.threadId ?? null,
      currentPath: currentPath().slice(0, currentPath_chars),
      filter: { language: document.documentElement.lang, ...(version ? { version: version.name } : {}) },
      ...(turn.attachments.length
        ? {
            context: turn.attachments
              .slice(0, context_count)
              .map(({ type, value, path }) => ({ type, value: value.slice(0, question_chars), path: path.slice(0, currentPath_chars) })),
          }
        : {}),
    }),
    signal,
  });
}

async function refusal(response: Response): Promise<Failure> {
  void response.body?.cancel();
  if (response.status === 429) {
    const seconds = Number(response.headers.get("retry-after"));
    return { kind: "limited", until: Date.now() + (seconds > 0 ? seconds : 10) * 1_000 };
  }
  return { kind: response.status >= 500 ? "offline" : "refused" };
}

function fail(turn: Turn, failure: Failure): void {
  turn.state = "failed";
  turn.failure = failure;
}

function readEvent(data: string): AnswerEvent | undefined {
  try {
    return JSON.parse(data) as AnswerEvent;
  } catch {
    return undefined;
  }
}

/** The host's own search, where there is no answer. */
async function nearPages(question: string, signal: AbortSignal): Promise<Source[]> {
  try {
    const response = await fetch(new URL(searchPath, siteBase()), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        query: question.slice(0, currentPath_chars),
        pageSize: near_count * 3,
        language: document.documentElement.lang,
      }),
      signal,
    });
    if (!response.ok) return [];
    const { results } = (await response.json()) as { results: { path: string; title: string }[] };
    const byPath = new Map(results.map(({ path, title }) => [path, { url: `/${path.replace(/^\//, "")}`, title }]));
    return [...byPath.values()].slice(0, near_count);
  } catch {
    return [];
  }
}
