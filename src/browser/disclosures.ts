import { percentDecoded } from "../base/url.ts";
import { all } from "./dom.ts";
import { tabSet } from "./tabs.ts";
import { showView } from "./views.ts";

const closed = "details:not([open]), .o-tab-panel[data-off], .o-view[data-off]";

/** Opens the disclosures, tabs and views that contain an element. */
function reveal(target: Element | null): void {
  let outer = target?.closest<HTMLElement>(closed);
  if (!outer) return;
  for (; outer; outer = outer.parentElement!.closest<HTMLElement>(closed)) {
    if (outer instanceof HTMLDetailsElement) outer.open = true;
    else if (outer.dataset.view) showView(outer.dataset.view);
    else {
      const { panels, show } = tabSet(outer.parentElement!);
      show(panels.indexOf(outer));
    }
  }
  target!.scrollIntoView();
}

/** Reveals the target of the URL's fragment. */
function revealTarget(): void {
  reveal(document.getElementById(percentDecoded(location.hash.slice(1))));
}

/**
 * Reveals the target of the URL's fragment and what the browser's search finds, and puts the id of an opened
 * accordion into the URL.
 */
export function startDisclosures(): void {
  for (const accordion of all<HTMLDetailsElement>("details.o-accordion[id]")) {
    accordion.ontoggle = () => {
      const hash = `#${accordion.id}`;
      const isShown = percentDecoded(location.hash) === hash;
      if (accordion.open || isShown)
        history.replaceState(history.state, "", accordion.open ? hash : location.pathname + location.search);
    };
  }
  addEventListener("beforematch", ({ target }) => reveal(target as Element));
  addEventListener("hashchange", revealTarget);
  revealTarget();
}
