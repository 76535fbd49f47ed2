import { percentDecoded } from "../base/url.ts";
import { all, onClick } from "./dom.ts";
import { emitShown } from "./shown-event.ts";

/** Starts the view switch of a page. A link to content in a hidden view shows that view. */
export function startViews(): void {
  const buttons = all("[data-show-view]");
  if (buttons.length === 0) return;

  const show = (title: string | undefined) => {
    for (const button of buttons) button.ariaPressed = String(button.dataset.showView === title);
    for (const view of all(".o-view")) view.toggleAttribute("data-off", view.dataset.view !== title);
    emitShown();
  };

  const followHash = () => {
    const target = document.getElementById(percentDecoded(location.hash.slice(1)));
    const view = target?.closest<HTMLElement>(".o-view[data-off]");
    if (!view) return;
    show(view.dataset.view);
    target?.scrollIntoView();
  };

  onClick("[data-show-view]", (button) => show(button.dataset.showView));
  addEventListener("hashchange", followHash);
  show(buttons[0]?.dataset.showView);

  // Until this class is set, the style sheet shows only the first view.
  document.documentElement.classList.add("o-views-ready");
  followHash();
}
