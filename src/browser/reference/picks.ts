import { all, onShown, tellShown } from "../dom.ts";

const selector = "select[data-switch]";

/** Select boxes that show one panel of several, also those that unfold later. */
export function startPicks(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.matches(selector)) return;
    panelsOf(target).forEach((panel, index) => {
      panel.toggleAttribute("data-off", String(index) !== target.value);
    });
    tellShown();
  });
  // A link into a panel opened it: the box follows.
  onShown(() => {
    for (const pick of all<HTMLSelectElement>(selector)) {
      const index = panelsOf(pick).findIndex((panel) => !panel.hasAttribute("data-off"));
      if (index >= 0 && pick.value !== String(index)) pick.value = String(index);
    }
  });
}

function panelsOf(pick: HTMLSelectElement): HTMLElement[] {
  const root = pick.closest("[data-tabs]");
  return root ? all(":scope > .o-tab-panel", root) : [];
}
