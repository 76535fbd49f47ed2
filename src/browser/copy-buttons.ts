import { announce } from "./announce.ts";
import { copied_ms, copyText } from "./clipboard.ts";
import { onClick } from "./dom.ts";
import { pageText } from "./page-text.ts";

/**
 * Starts the buttons that copy the text of their `data-copy` attribute or, if it's empty, a code block, a
 * prompt, or the page. They briefly confirm the copy; an entry of the page menu does so in the menu's button.
 */
export function startCopyButtons(): void {
  onClick("[data-copy]", async (button) => {
    const menu = button.closest<HTMLElement>(".o-page-menu");
    const label = menu
      ? menu.querySelector("span:last-child")
      : button.childElementCount === 0
        ? button
        : undefined;
    if (button.hasAttribute("data-copied")) return;
    const { copied, copyFailed } = document.body.dataset;
    const text = button.dataset.copy || (menu ? await pageText(menu) : codeOf(button));
    const isDone = await copyText(text);
    const done = isDone ? copied : copyFailed;
    announce(done);
    button.toggleAttribute("data-copied", isDone);
    const shown = label?.textContent;
    // Another button can still be confirming with this label.
    const before = shown === copied || shown === copyFailed ? "" : shown;
    if (label && before) label.textContent = done ?? before;
    setTimeout(() => {
      button.removeAttribute("data-copied");
      if (label && before) label.textContent = before;
    }, copied_ms);
  });
}

function codeOf(button: HTMLElement): string {
  return button.closest(".o-code, .o-prompt")?.querySelector("pre")?.textContent ?? "";
}
