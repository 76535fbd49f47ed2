import { writeStored } from "./storage.ts";

/**
 * Scrolls the current tab into view, and scrolls the sidebar to the current entry if that isn't visible.
 * Stores the sidebar's scroll position, which an inline script of the next page restores.
 */
export function startSidebar(): void {
  const sidebar = document.querySelector(".o-tree")?.parentElement;

  // The next frame computes the layout anyway. Reading it now would compute it once more, often before the
  // fonts are loaded.
  requestAnimationFrame(() => {
    // The row of tabs may be wider than the page.
    document.querySelector(".o-sections > ul > :has([aria-current])")?.scrollIntoView({ block: "nearest" });
    if (!sidebar) return;
    showCurrent(sidebar);
    // Read while scrolling, because reading it when the reader leaves the page could compute the layout once
    // more.
    let position = sidebar.scrollTop;
    sidebar.addEventListener("scroll", () => (position = sidebar.scrollTop), { passive: true });
    addEventListener("pagehide", () => writeStored("sessionStorage", "octavo-nav", String(position)));
  });
}

/** Minimum distance between an entry and the top of a list that is scrolled. */
const edge_px = 24;

/**
 * Scrolls to the current entry of the sidebar if it isn't visible, or flush with the top. `scroller`: the
 * element that scrolls.
 */
export function showCurrent(sidebar: HTMLElement, scroller = sidebar): void {
  scrollToEntry(sidebar.querySelector(".o-tree a[aria-current]"), scroller);
}

/** Scrolls a list to an entry, if there is one that isn't visible, or flush with the top. */
export function scrollToEntry(entry: Element | null | undefined, scroller: Element): void {
  const current = entry?.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  const top = frame.top + (scroller.scrollTop > 0 ? edge_px : 0);
  if (!current || (current.top >= top && current.bottom <= frame.bottom)) return;
  scroller.scrollTop += current.top - frame.top - frame.height / 3;
}
