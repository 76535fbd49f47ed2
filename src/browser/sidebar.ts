import { writeStored } from "./storage.ts";

/**
 * Scrolls the current tab into view, and scrolls the sidebar to the current entry if that isn't visible. Stores the sidebar's scroll
 * position, which an inline script of the next page restores.
 */
export function startSidebar(): void {
  // The row of tabs may be wider than the page.
  document.querySelector(".o-sections > ul > :has([aria-current])")?.scrollIntoView({ block: "nearest" });
  const sidebar = document.getElementById("sidebar");
  if (!sidebar) return;
  showCurrent(sidebar);
  addEventListener("pagehide", () => writeStored("sessionStorage", "octavo-nav", String(sidebar.scrollTop)));
}

/** Scrolls to the current entry of the sidebar if it isn't visible. `scroller`: the element that scrolls. */
export function showCurrent(sidebar: HTMLElement, scroller = sidebar): void {
  const current = sidebar.querySelector(".o-tree a[aria-current]")?.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  if (!current || (current.top >= frame.top && current.bottom <= frame.bottom)) return;
  scroller.scrollTop += current.top - frame.top - frame.height / 3;
}
