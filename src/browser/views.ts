import { all, onClick } from "./dom.ts";
import { emitShown } from "./shown-event.ts";

/** Shows one view of the page and hides the others. */
export function showView(title: string | undefined): void {
  for (const button of all("[data-show-view]"))
    button.ariaPressed = String(button.dataset.showView === title);
  for (const view of all(".o-view")) view.toggleAttribute("data-off", view.dataset.view !== title);
  emitShown();
}

/** Starts the view switch of a page. A link to content in a hidden view shows that view (disclosures.ts). */
export function startViews(): void {
  const [first] = all("[data-show-view]");
  if (!first) return;
  onClick("[data-show-view]", (button) => showView(button.dataset.showView));
  showView(first.dataset.showView);

  // Until this class is set, the style sheet shows only the first view.
  document.documentElement.classList.add("o-views-ready");
}
