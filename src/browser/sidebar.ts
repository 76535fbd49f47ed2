import { writeStored } from "./storage.ts";

/**
 * Scrolls the current tab into view, and the sidebar to its current entry if it isn't visible. Stores the sidebar's scroll position,
 * which an inline script of the next page restores.
 */
export function startSidebar(): void {
  // The row of tabs may be wider than the page.
  document.querySelector(".o-sections [aria-current]")?.scrollIntoView({ block: "nearest" });
  const sidebar = document.getElementById("sidebar");
  if (!sidebar) return;
  showCurrent(sidebar);
  addEventListener("pagehide", () => writeStored("sessionStorage", "octavo-nav", String(sidebar.scrollTop)));
}

function currentOf(sidebar: HTMLElement): Element | null {
  return sidebar.querySelector(".o-tree a[aria-current]");
}

function currentVisible(sidebar: HTMLElement): boolean {
  const current = currentOf(sidebar)?.getBoundingClientRect();
  const frame = sidebar.getBoundingClientRect();
  return !current || (current.top >= frame.top && current.bottom <= frame.bottom);
}

function showCurrent(sidebar: HTMLElement): void {
  const current = currentOf(sidebar);
  if (!current || currentVisible(sidebar)) return;
  const frame = sidebar.getBoundingClientRect();
  sidebar.scrollTop += current.getBoundingClientRect().top - frame.top - frame.height / 3;
}
