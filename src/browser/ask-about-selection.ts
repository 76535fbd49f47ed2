import type { Attachment } from "./assistant/opening.ts";
import { create } from "./dom.ts";
import { currentPath } from "./site-urls.ts";

/** How long the selection must be unchanged before the button is shown. */
const still_ms = 300;

/**
 * Shows a button next to text that is selected in the page's content. The button attaches the text to a
 * question for the assistant.
 */
export function startSelection(label: string, attach: (attachment: Attachment) => void): void {
  const button = create("button", { type: "button", className: "o-ask-selection", textContent: label });
  let timer = 0;

  // Moving the focus would clear the selection.
  button.onpointerdown = (event) => event.preventDefault();

  button.onclick = () => {
    const value = selected()?.toString().trim();
    button.remove();
    getSelection()?.removeAllRanges();
    if (value) attach({ type: "textSelection", value, path: currentPath() });
  };

  document.addEventListener("selectionchange", () => {
    clearTimeout(timer);
    button.remove();
    timer = window.setTimeout(show, still_ms);
  });

  function show(): void {
    const rects = selected()?.getClientRects();
    const last = rects?.[rects.length - 1];
    if (!last) return;
    document.body.append(button);
    const left = Math.min(
      Math.max(last.right - button.offsetWidth, 8),
      document.documentElement.clientWidth - button.offsetWidth - 8,
    );
    button.style.cssText = `left:${left + scrollX}px;top:${last.bottom + scrollY + 8}px`;
  }
}

/** Returns the selection if it contains text and is within the page's content. Undefined otherwise. */
function selected(): Range | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  return document.querySelector(".o-main")?.contains(range.commonAncestorContainer) &&
    /\S/.test(range.toString())
    ? range
    : undefined;
}
