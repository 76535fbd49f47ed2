import { all } from "./dom.ts";

/** Makes scrollable tables focusable, so that they can be scrolled with the keyboard. */
export function startTables(): void {
  const tables = all(".o-table");
  if (tables.length === 0) return;
  const observer = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      if (target.scrollWidth > target.clientWidth) (target as HTMLElement).tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const table of tables) observer.observe(table);
}
