/** Stores the conversation on screen and changes it. Calls `redraw` after each change. */

import { context_count, question_chars } from "../../base/question-limits.ts";
import type { DialogLinks } from "../open-dialogs.ts";
import { onSessionOver } from "../reader-storage.ts";
import type { Attachment } from "./opening.ts";
import { postJson } from "./post-json.ts";
import {
  type Conversation,
  currentConversation,
  deleteConversation,
  newConversation,
  newId,
  saveConversation,
  savedConversations,
  setCurrent,
  type ThreadMessage,
} from "./saved-conversations.ts";
import { sendQuestion } from "./send-question.ts";

export class ConversationStore {
  conversation: Conversation;
  /** Attachments of the next question. */
  attachments: Attachment[] = [];
  private readonly links: DialogLinks;
  private readonly redraw: () => void;
  private activeRequest: AbortController | undefined;
  private frame = 0;

  constructor(links: DialogLinks, redraw: () => void) {
    this.links = links;
    this.redraw = redraw;
    this.conversation = currentConversation() ?? newConversation();
    // Saves an answer that is still being written, so that the next page shows its beginning.
    addEventListener("pagehide", () => {
      for (const message of this.conversation.turns)
        if (message.state === "writing") message.state = "stopped";
      saveConversation(this.conversation);
    });
    onSessionOver(() => {
      this.attachments = [];
      if (this.conversation.turns.length > 0) this.begin();
    });
  }

  get isWriting(): boolean {
    return this.activeRequest !== undefined;
  }

  get earlier(): Conversation[] {
    return savedConversations();
  }

  /** Whether answers have feedback buttons. */
  get asksForFeedback(): boolean {
    return this.links.assistant?.feedback !== undefined;
  }

  /**
   * Sends a question with attachments. Returns false if the question is empty or an answer is being written.
   */
  send(text: string, attachments = this.attachments): boolean {
    const question = text.trim().slice(0, question_chars);
    if (question === "" || this.isWriting) return false;

    const message: ThreadMessage = {
      messageId: newId(),
      question,
      attachments,
      text: "",
      sources: [],
      state: "writing",
    };

    this.attachments = [];
    this.conversation.turns.push(message);
    void this.answer(message);

    return true;
  }

  /**
   * Sends the last question again and replaces its answer. Does nothing if `message` isn't the last one or an
   * answer is being written.
   */
  retry(message: ThreadMessage): void {
    if (!this.isWriting && this.conversation.turns.at(-1) === message) void this.answer(message);
  }

  stop(): void {
    this.activeRequest?.abort();
  }

  /**
   * Adds an attachment to the next question, without duplicates. If there are too many, the oldest one is
   * removed.
   */
  attach(attachment: Attachment): void {
    const others = this.attachments.filter(({ value }) => value !== attachment.value);
    this.attachments = [...others, { ...attachment, value: attachment.value.slice(0, question_chars) }].slice(
      -context_count,
    );
    this.redraw();
  }

  detach(attachment: Attachment): void {
    this.attachments = this.attachments.filter((other) => other !== attachment);
    this.redraw();
  }

  /** Stops the current answer and shows a conversation, by default a new one. */
  begin(conversation = newConversation()): void {
    this.stop();
    this.conversation = conversation;
    setCurrent(conversation.id);
    this.redraw();
  }

  /** Deletes a conversation. If it is on screen, shows a new one. */
  forget(conversation: Conversation): void {
    deleteConversation(conversation.id);
    if (conversation.id === this.conversation.id) this.begin();
    else this.redraw();
  }

  /** Returns the link to support, with the ID of the conversation. Undefined if there is none. */
  get supportLink(): string | undefined {
    return this.links.assistant!.support?.replace("{threadId}", this.conversation.threadId!);
  }

  /** Stores and sends the feedback on an answer. */
  sendFeedback(message: ThreadMessage, helpful: boolean, comment?: string): void {
    message.helpful = helpful;
    saveConversation(this.conversation);
    this.redraw();
    this.report("feedback", { turnId: message.turnId, helpful, ...(comment ? { comment } : {}) });
  }

  /** Reports that the reader followed the link to support. */
  handOver({ turnId }: ThreadMessage): void {
    if (this.asksForFeedback) this.report("hand-over", { turnId });
  }

  /** Sends a body to an endpoint of the assistant. Errors are ignored. */
  private report(name: string, body: object): void {
    postJson(`${this.links.assistant!.message}/${name}`, body, { keepalive: true }).catch(() => undefined);
  }

  private async answer(message: ThreadMessage): Promise<void> {
    const { conversation, links } = this;
    const activeRequest = (this.activeRequest = new AbortController());
    setCurrent(conversation.id);
    saveConversation(conversation);

    await sendQuestion({
      links: links.assistant!,
      scope: links.search.scope,
      conversation,
      message,
      signal: activeRequest.signal,
      onChange: () => this.redrawSoon(),
    });

    if (this.activeRequest === activeRequest) this.activeRequest = undefined;
    saveConversation(conversation);
    this.redraw();
  }

  /** Redraws at most once per frame. */
  private redrawSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.redraw();
    });
  }
}
