import { dialogMessages } from "../dialog-messages.ts";
import { useCopied } from "../use-copied.ts";

/** A button that copies an answer or a whole conversation. */
export function CopyButton({ label, text }: { label: string; text(): string }) {
  const [isCopied, copy] = useCopied();
  const name = isCopied ? dialogMessages().copied : label;
  return (
    <button type="button" aria-label={name} title={name} onClick={() => void copy(text())}>
      <i class={`o-c ${isCopied ? "o-c-check" : "o-c-copy"}`} />
    </button>
  );
}
