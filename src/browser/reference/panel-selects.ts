import { all } from "../dom.ts";
import { emitShown, onShown } from "../shown-event.ts";

const selector = "select[data-switch]";

/** Starts the selects that show one of several panels, including selects in schemas that are loaded later. */
export function startPanelSelects(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.matches(selector)) return;
    panelsOf(target).forEach((panel, index) => {
      panel.toggleAttribute("data-off", String(index) !== target.value);
    });
    emitShown();
  });

  // Selects the panel that a link has opened.
  onShown(() => {
    for (const select of all<HTMLSelectElement>(selector)) {
      const index = panelsOf(select).findIndex((panel) => !panel.hasAttribute("data-off"));
      if (index >= 0 && select.value !== String(index)) select.value = String(index);
    }
  });
}

function panelsOf(select: HTMLSelectElement): HTMLElement[] {
  const root = select.closest("[data-tabs]");
  return root ? all(":scope > .o-tab-panel", root) : [];
}
