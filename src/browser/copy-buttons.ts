import { announce } from "./announce.ts";
import { copied_ms, copyText } from "./clipboard.ts";
import { onClick } from "./dom.ts";

/**
 * Starts the buttons that copy a code block, a prompt or the text of their `data-copy` attribute, and briefly
 * confirm the copy.
 */
export function startCopyButtons(): void {
  onClick("[data-copy]", async (button) => {
    if (button.hasAttribute("data-copied") || !(await copyText(button.dataset.copy || codeOf(button))))
      return;
    announce(button.dataset.done);
    button.setAttribute("data-copied", "");
    const label = button.childElementCount === 0 ? button.textContent : "";
    if (label) button.textContent = button.dataset.done ?? "";
    setTimeout(() => {
      button.removeAttribute("data-copied");
      if (label) button.textContent = label;
    }, copied_ms);
  });
}

function codeOf(button: HTMLElement): string {
  return button.closest(".o-code, .o-prompt")?.querySelector("pre")?.textContent ?? "";
}
