import { all } from "./dom.ts";

/**
 * Starts the menus. Arrow keys move through the entries. A menu closes on Escape, on a click on an entry or
 * outside the menu, and when it loses the focus.
 */
export function startMenus(): void {
  const close = (keepOpen: EventTarget | null) => {
    for (const menu of all<HTMLDetailsElement>(".o-menu[open]")) {
      if (!(keepOpen instanceof Node && menu.contains(keepOpen))) menu.open = false;
    }
  };

  document.addEventListener("click", (event) => {
    // Choosing an entry closes the menu too.
    const target = event.target;
    close(target instanceof Element && target.closest(".o-menu > ul") ? null : target);
  });

  document.addEventListener("focusin", (event) => close(event.target));
  document.addEventListener("toggle", (event) => place(event.target as HTMLElement), true);

  document.addEventListener("keydown", (event) => {
    const menu = event.target instanceof Element && event.target.closest<HTMLDetailsElement>(".o-menu[open]");
    if (!menu) return;
    if (event.key === "Escape") {
      menu.open = false;
      menu.querySelector("summary")?.focus();
      // Keeps an enclosing dialog open.
      event.preventDefault();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const entries = all("a, button", menu);
      const at = entries.indexOf(document.activeElement as HTMLElement);
      entries.at((at + (event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1)) % entries.length)?.focus();
      event.preventDefault();
    }
  });
}

/**
 * Aligns the menu of a tab horizontally with the tab, but keeps it within the page. The menu has `position:
 * fixed`, because the scrolling row of tabs would clip it.
 */
function place(menu: HTMLElement): void {
  const list = menu.querySelector<HTMLElement>(":scope > ul");
  if (!list || !menu.matches(".o-sections .o-menu[open]")) return;
  const { left, right } = menu.getBoundingClientRect();
  const wanted = document.dir === "rtl" ? right - list.offsetWidth : left;
  list.style.left = `${Math.max(0, Math.min(wanted, document.body.clientWidth - list.offsetWidth))}px`;
}
