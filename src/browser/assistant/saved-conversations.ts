/** Stores conversations in this browser. The property names of these types are part of the storage format. */

import type { AnswerEvent } from "../../service/assistant/contract.ts";
import { readOfReader, writeOfReader } from "../reader-storage.ts";
import type { Attachment } from "./opening.ts";

export interface Source {
  url: string;
  title: string;
}

/**
 * Reason for a missing or incomplete answer. `until`: when the reader can try again, in milliseconds since
 * the Unix epoch.
 */
export type AnswerFailure = { kind: "offline" | "refused" | "broken" } | { kind: "limited"; until: number };

type AnswerKind = Extract<AnswerEvent, { type: "finish" }>["messageMetadata"]["answerKind"];

/** One question with its answer. */
export interface ThreadMessage {
  /** ID of the question. Sending it again replaces the earlier answer. */
  messageId: string;
  question: string;
  attachments: Attachment[];
  text: string;
  sources: Source[];
  /** ID of the answer, from the server. */
  turnId?: string;
  state: "writing" | "done" | "stopped" | "failed";
  failure?: AnswerFailure;
  isUnanswered?: boolean;
  /** Set when the answer is complete. Absent in conversations that earlier versions stored. */
  answerKind?: AnswerKind;
  /** Products or versions that the question may be about, if the answer asks for one. */
  choices?: string[];
  /** Related pages, shown when a model found no answer. */
  near?: Source[];
  helpful?: boolean;
}

export interface Conversation {
  /** ID that is created in this browser. */
  id: string;
  /** ID that the server assigns when it responds to the first question. */
  threadId?: string;
  /** The messages, oldest first. A saved conversation has at least one. */
  turns: ThreadMessage[];
}

const key = "octavo-conversations";
const currentKey = "octavo-conversation";
/** Maximum number of stored conversations. */
const saved_count = 20;
/**
 * Maximum total length of the stored conversations, in characters. The latest conversation is stored even if
 * it is larger. Browsers limit the storage of an origin to about 5 MB.
 */
const stored_chars = 300_000;

export function newConversation(): Conversation {
  return { id: newId(), turns: [] };
}

/** Returns a random id of 96 bits, in hexadecimal. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Returns the saved conversations, the latest one first. */
export function savedConversations(): Conversation[] {
  try {
    const list = JSON.parse(readOfReader("localStorage", key) ?? "[]") as Conversation[];
    return list.filter(({ id, turns }) => typeof id === "string" && Array.isArray(turns));
  } catch {
    return [];
  }
}

/**
 * Saves a conversation as the latest one, if it has messages. Older conversations are deleted if a limit is
 * exceeded.
 */
export function saveConversation(conversation: Conversation): void {
  if (conversation.turns.length === 0) return;
  write([conversation, ...savedConversations().filter(({ id }) => id !== conversation.id)]);
}

export function deleteConversation(id: string): void {
  write(savedConversations().filter((other) => other.id !== id));
}

/** Returns the conversation of this tab. Undefined if there is none, or if it is no longer stored. */
export function currentConversation(): Conversation | undefined {
  const id = readOfReader("sessionStorage", currentKey);
  return id === undefined ? undefined : savedConversations().find((conversation) => conversation.id === id);
}

/** Sets the conversation of this tab. */
export function setCurrent(id: string): void {
  writeOfReader("sessionStorage", currentKey, id);
}

function write(list: Conversation[]): void {
  const saved = list.slice(0, saved_count);
  while (saved.length > 1 && JSON.stringify(saved).length > stored_chars) saved.pop();
  writeOfReader("localStorage", key, saved.length ? JSON.stringify(saved) : undefined);
}
