/** Renders a button that copies an answer or a whole conversation, and converts them to text with the URLs of the sources. */

import { useState } from "preact/hooks";
import { copyText } from "../clipboard.ts";
import { dialogMessages } from "../dialog-messages.ts";
import type { ThreadMessage } from "./saved-conversations.ts";
import { siteLink } from "./site-link.ts";

const copied_ms = 1_600;

export function CopyButton({ label, text }: { label: string; text(): string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), copied_ms);
  };
  const name = isCopied ? dialogMessages().copied : label;
  return (
    <button type="button" aria-label={name} title={name} onClick={() => void copy()}>
      <i class={`o-c ${isCopied ? "o-c-check" : "o-c-copy"}`} />
    </button>
  );
}

export function answerAsText({ text, sources }: ThreadMessage): string {
  const list = sources.map(({ title, url }, index) => `[${index + 1}] ${title}: ${siteLink(url) ?? url}`);
  return [text, list.join("\n")].filter(Boolean).join("\n\n");
}

export function conversationAsText(turns: readonly ThreadMessage[]): string {
  return turns.map((message) => `## ${message.question}\n\n${answerAsText(message)}`).join("\n\n");
}
