import { percentDecoded } from "../base/url.ts";
import { all } from "./dom.ts";
import { tabSet } from "./tabs.ts";

/** Opens the disclosures and tabs that contain the target of the URL's fragment. */
function reveal(): void {
  const id = percentDecoded(location.hash.slice(1));
  const target = id ? document.getElementById(id) : null;
  if (!target) return;

  let hidden = false;
  for (let element: Element | null = target; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement && !element.open) {
      element.open = true;
      hidden = true;
    } else if (element.matches(".o-tab-panel[data-off]")) {
      const panels = all(":scope > .o-tab-panel", element.parentElement!);
      tabSet(element.parentElement!).show(panels.indexOf(element as HTMLElement));
      hidden = true;
    }
  }

  if (hidden) target.scrollIntoView();
}

/** Reveals the target of the URL's fragment, and puts the id of an opened accordion into the URL. */
export function startDisclosures(): void {
  for (const accordion of all<HTMLDetailsElement>("details.o-accordion[id]")) {
    accordion.addEventListener("toggle", () => {
      const hash = `#${accordion.id}`;
      const isShown = percentDecoded(location.hash) === hash;
      if (accordion.open || isShown)
        history.replaceState(history.state, "", accordion.open ? hash : location.pathname + location.search);
    });
  }
  addEventListener("hashchange", reveal);
  reveal();
}
