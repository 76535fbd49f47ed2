import { all, onClick, tellShown } from "./dom.ts";

/** The switch of a page with several views; a link into a hidden view opens it. */
export function startViews(): void {
  const buttons = all("[data-show-view]");
  if (buttons.length === 0) return;
  const show = (title: string | undefined) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.showView === title));
    for (const view of all(".o-view")) view.toggleAttribute("data-off", view.dataset.view !== title);
    tellShown();
  };
  const followHash = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const view = target?.closest<HTMLElement>(".o-view[data-off]");
    if (!view) return;
    show(view.dataset.view);
    target?.scrollIntoView();
  };
  onClick("[data-show-view]", (button) => show(button.dataset.showView));
  addEventListener("hashchange", followHash);
  show(buttons[0]?.dataset.showView);
  // Until now the styles showed the first one alone.
  document.documentElement.classList.add("o-views-ready");
  followHash();
}
