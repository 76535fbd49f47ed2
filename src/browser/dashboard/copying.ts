import { announce, copyText, onClick } from "../dom.ts";

/** Starts the buttons that copy the text of their `data-copy` attribute and briefly show the result. */
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
