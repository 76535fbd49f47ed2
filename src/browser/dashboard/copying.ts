import { announce } from "../announce.ts";
import { copyText } from "../clipboard.ts";
import { onClick } from "../dom.ts";

/**
 * Starts the copy buttons. A button copies the text in its `data-copy` attribute, and briefly shows whether
 * that worked.
 */
export function startCopying(): void {
  onClick("[data-copy]", async (button) => {
    const { copied = "", copyFailed = "" } = document.body.dataset;
    const before = button.textContent;
    if (before === copied || before === copyFailed) return;
    button.textContent = (await copyText(button.dataset.copy ?? "")) ? copied : copyFailed;
    announce(button.textContent ?? "");
    setTimeout(() => (button.textContent = before), 1_500);
  });
}
