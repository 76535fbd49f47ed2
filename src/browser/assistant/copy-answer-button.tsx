/** Copies an answer, or a whole conversation, with the addresses of its sources. */
import { useState } from "preact/hooks";
import { askingWords } from "../dialog-messages.ts";
import { copyText } from "../dom.ts";
import type { Turn } from "./conversation.ts";
import { ownLink } from "./own-link.ts";

const copied_ms = 1_600;

export function CopyButton({ label, text }: { label: string; text(): string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), copied_ms);
  };
  const name = isCopied ? askingWords().copied : label;
  return (
    <button type="button" aria-label={name} title={name} onClick={() => void copy()}>
      <i class={`o-c ${isCopied ? "o-c-check" : "o-c-copy"}`} />
    </button>
  );
}

export function answerAsText({ text, sources }: Turn): string {
  const list = sources.map(({ title, url }, place) => `[${place + 1}] ${title}: ${ownLink(url) ?? url}`);
  return [text, list.join("\n")].filter(Boolean).join("\n\n");
}

export function conversationAsText(turns: readonly Turn[]): string {
  return turns.map((turn) => `## ${turn.question}\n\n${answerAsText(turn)}`).join("\n\n");
}
