/** Conversations as this browser keeps them: questions with what went along and what came back. */
import { keep, kept } from "../storage.ts";
import type { Attachment } from "./opening.ts";

export interface Source {
  url: string;
  title: string;
}

/** Why there is no whole answer. */
export type Failure = { kind: "offline" | "refused" | "broken" } | { kind: "limited"; until: number };

export interface Turn {
  /** Our name for the question; asked again by the same name, it takes the place of the first. */
  messageId: string;
  question: string;
  attachments: Attachment[];
  text: string;
  sources: Source[];
  /** The server's name for the turn. */
  turnId?: string;
  state: "writing" | "done" | "stopped" | "failed";
  failure?: Failure;
  isUnanswered?: boolean;
  /** Pages to try, where there is no answer. */
  near?: Source[];
  helpful?: boolean;
}

export interface Conversation {
  id: string;
  threadId?: string;
  turns: Turn[];
}

const key = "octavo-conversations";
const currentKey = "octavo-conversation";
const kept_count = 20;
/** Storage has some 5 MB for all that a site keeps. */
const kept_chars = 300_000;

export function newConversation(): Conversation {
  return { id: newId(), turns: [] };
}

export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The last one first. */
export function keptConversations(): Conversation[] {
  try {
    const list = JSON.parse(kept("localStorage", key) ?? "[]") as Conversation[];
    return list.filter(({ id, turns }) => typeof id === "string" && Array.isArray(turns));
  } catch {
    return [];
  }
}

export function keepConversation(conversation: Conversation): void {
  if (conversation.turns.length === 0) return;
  write([conversation, ...keptConversations().filter(({ id }) => id !== conversation.id)]);
}

export function forgetConversation(id: string): void {
  write(keptConversations().filter((other) => other.id !== id));
}

/** The one that this tab goes on with, on the next page too. */
export function currentConversation(): Conversation | undefined {
  const id = kept("sessionStorage", currentKey);
  return id === undefined ? undefined : keptConversations().find((conversation) => conversation.id === id);
}

export function setCurrent(id: string): void {
  keep("sessionStorage", currentKey, id);
}

function write(list: Conversation[]): void {
  const kept_list = list.slice(0, kept_count);
  while (kept_list.length > 1 && JSON.stringify(kept_list).length > kept_chars) kept_list.pop();
  keep("localStorage", key, kept_list.length ? JSON.stringify(kept_list) : undefined);
}
