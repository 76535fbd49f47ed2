import { announce } from "../announce.ts";
import { useCopied } from "../use-copied.ts";
import { useFormContext } from "./form-context.ts";

export function CopyButton({ text }: { text(): string }) {
  const { messages } = useFormContext();
  const [isCopied, copy] = useCopied();
  const click = async () => {
    if (await copy(text())) announce(messages.copied);
  };
  return (
    <button type="button" class="o-pg-icon" aria-label={messages.copy} onClick={() => void click()}>
      <i class={`o-c ${isCopied ? "o-c-check" : "o-c-copy"}`} />
    </button>
  );
}
