import { useState } from "preact/hooks";
import { announce } from "../announce.ts";
import { copyText } from "../clipboard.ts";
import { useFormContext } from "./form-context.ts";

/** How long the button shows the copied state. */
const copied_ms = 1_600;

export function CopyButton({ text }: { text(): string }) {
  const { messages } = useFormContext();
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text()))) return;
    announce(messages.copied);
    setDone(true);
    setTimeout(() => setDone(false), copied_ms);
  };
  return (
    <button type="button" class="o-pg-icon" aria-label={messages.copy} onClick={() => void copy()}>
      <i class={`o-c ${done ? "o-c-check" : "o-c-copy"}`} />
    </button>
  );
}
