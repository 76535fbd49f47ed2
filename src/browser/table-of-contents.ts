import { percentDecoded } from "../base/url.ts";
import { all } from "./dom.ts";
import { onShown } from "./shown-event.ts";
import { scrollToEntry } from "./sidebar.ts";

/**
 * Updates "On this page": marks the current section and hides entries in hidden tabs and views. The list is
 * open on wide screens, and closes on narrow ones when the reader chooses an entry.
 */
export function startTableOfContents(): void {
  const fold = document.querySelector<HTMLDetailsElement>(".o-aside > nav > details");
  if (!fold) return;

  const wide = matchMedia("(min-width: 64rem)");
  const unfold = () => {
    fold.open = wide.matches;
  };
  wide.addEventListener("change", unfold);
  unfold();
  fold.onclick = (event) => {
    if (!wide.matches && (event.target as Element).closest("a")) fold.open = false;
  };

  const entries = all<HTMLAnchorElement>("a", fold).flatMap((link) => {
    const heading = document.getElementById(percentDecoded(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });

  let current: HTMLAnchorElement | undefined;
  let waiting = false;
  const mark = () => {
    waiting = false;
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 24;
    const shown = entries.filter(({ heading }) => !heading.closest("[data-off]"));
    const passed = shown.filter(({ heading }) => heading.getBoundingClientRect().top <= line);
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const next = (atEnd ? shown.at(-1) : (passed.at(-1) ?? shown[0]))?.link;
    if (next === current) return;
    current?.removeAttribute("aria-current");
    next?.setAttribute("aria-current", "true");
    current = next;
    // On narrow screens, the list is part of the page and doesn't scroll.
    if (wide.matches) scrollToEntry(next, fold.closest("div")!);
  };

  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(mark);
  };

  const hideUnshown = () => {
    for (const { link, heading } of entries) {
      const item = link.parentElement;
      if (item?.dataset.in) item.hidden = !!heading.closest("[data-off]");
    }
    soon();
  };

  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);
  onShown(hideUnshown);
  hideUnshown();
}
