import { highlightedHtml } from "../../engine/reference/highlighted-html.ts";
import { all } from "../dom.ts";
import { onShown } from "../shown-event.ts";

/**
 * Highlights code when it becomes visible. Code that is visible initially is already highlighted in the HTML.
 */
export function startHighlighting(): void {
  const highlight = () => {
    for (const code of all("code[data-plain]")) {
      if (code.closest("[data-off]")) continue;
      code.removeAttribute("data-plain");
      code.innerHTML = highlightedHtml(code.dataset.lang ?? "", code.textContent ?? "");
    }
  };
  onShown(highlight);
  highlight();
}
