/** The one conversation that is shown, and what a reader can do with it. The panel is drawn anew when it changes. */

import { context_count, question_chars } from "../../base/question-limits.ts";
import type { AskingPlaces } from "../open-dialogs.ts";
import {
  type Conversation,
  currentConversation,
  forgetConversation,
  keepConversation,
  keptConversations,
  newConversation,
  newId,
  setCurrent,
  type Turn,
} from "./conversation.ts";
import type { Attachment } from "./opening.ts";
import { ask } from "./send-question.ts";

export class ConversationStore {
  conversation: Conversation;
  /** Go along with the next question. */
  attachments: Attachment[] = [];
  private readonly places: AskingPlaces;
  private readonly redraw: () => void;
  private underWay: AbortController | undefined;
  private frame = 0;

  constructor(places: AskingPlaces, redraw: () => void) {
    this.places = places;
    this.redraw = redraw;
    this.conversation = currentConversation() ?? newConversation();
    // What was being written when the page was left is there on the next one.
    addEventListener("pagehide", () => {
      for (const turn of this.conversation.turns) if (turn.state === "writing") turn.state = "stopped";
      keepConversation(this.conversation);
    });
  }

  get isWriting(): boolean {
    return this.underWay !== undefined;
  }

  get earlier(): Conversation[] {
    return keptConversations();
  }

  /** Whether this site asks its readers what they think. */
  get asksForFeedback(): boolean {
    return this.places.assistant?.feedback !== undefined;
  }

  send(text: string): boolean {
    const question = text.trim().slice(0, question_chars);
    if (question === "" || this.isWriting) return false;
    const turn: Turn = { messageId: newId(), question, attachments: this.attachments, text: "", sources: [], state: "writing" };
    this.attachments = [];
    this.conversation.turns.push(turn);
    void this.answer(turn);
    return true;
  }

  /** The same turn once more, in place of what it said. Only the last one: those after it rest on what it said. */
  retry(turn: Turn): void {
    if (!this.isWriting && this.conversation.turns.at(-1) === turn) void this.answer(turn);
  }

  stop(): void {
    this.underWay?.abort();
  }

  attach(attachment: Attachment): void {
    const others = this.attachments.filter(({ value }) => value !== attachment.value);
    this.attachments = [...others, { ...attachment, value: attachment.value.slice(0, question_chars) }].slice(-context_count);
    this.redraw();
  }

  detach(attachment: Attachment): void {
    this.attachments = this.attachments.filter((other) => other !== attachment);
    this.redraw();
  }

  begin(conversation = newConversation()): void {
    this.stop();
    this.conversation = conversation;
    setCurrent(conversation.id);
    this.redraw();
  }

  forget(conversation: Conversation): void {
    forgetConversation(conversation.id);
    if (conversation.id === this.conversation.id) this.begin();
    else this.redraw();
  }

  async judge(turn: Turn, helpful: boolean, comment?: string): Promise<void> {
    turn.helpful = helpful;
    keepConversation(this.conversation);
    this.redraw();
    const body = JSON.stringify({ turnId: turn.turnId, helpful, ...(comment ? { comment } : {}) });
    await fetch(this.places.assistant!.feedback!, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      keepalive: true,
    }).catch(() => undefined);
  }

  private async answer(turn: Turn): Promise<void> {
    const { conversation, places } = this;
    const underWay = (this.underWay = new AbortController());
    setCurrent(conversation.id);
    keepConversation(conversation);
    await ask({
      links: places.assistant!,
      scope: places.search.scope,
      conversation,
      turn,
      signal: underWay.signal,
      changed: () => this.redrawSoon(),
    });
    if (this.underWay === underWay) this.underWay = undefined;
    keepConversation(conversation);
    this.redraw();
  }

  /** Pieces come faster than they can be read. */
  private redrawSoon(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.redraw();
    });
  }
}
