import { onClick } from "./dom.ts";
import { isEditable, isShortcut } from "./keyboard.ts";

/** Starts the entries of the page menu, except those that copy. */
export function startPageMenu(): void {
  document.addEventListener("keydown", copyByKeys);
  onClick("[data-print]", () => print());
}

/** Copies the page on Ctrl+C or Command+C if nothing is selected. */
function copyByKeys(event: KeyboardEvent): void {
  if (isShortcut(event, "c") && !isEditable(event.target) && getSelection()?.isCollapsed !== false)
    document.querySelector<HTMLElement>('.o-page-menu [data-copy=""]')?.click();
}
