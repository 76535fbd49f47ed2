import { all, onClick } from "./dom.ts";

/**
 * Filters a changelog by tags. Only shows entries that have all selected tags. The selected tags are in the
 * URL: `?tags=A,B`.
 */
export function startUpdateFilter(): void {
  const buttons = all("[data-filter]");
  if (buttons.length === 0) return;
  const pressed = (button: HTMLElement) => button.ariaPressed === "true";
  const apply = () => {
    const chosen = buttons.filter(pressed).map((button) => button.dataset.filter ?? "");
    for (const update of all(".o-update")) {
      const tags = (update.dataset.tags ?? "").split(",");
      update.hidden = !chosen.every((tag) => tags.includes(tag));
    }
    return chosen;
  };

  onClick("[data-filter]", (button) => {
    button.ariaPressed = String(!pressed(button));
    const chosen = apply();
    const url = new URL(location.href);
    if (chosen.length > 0) url.searchParams.set("tags", chosen.join(","));
    else url.searchParams.delete("tags");
    history.replaceState(null, "", url);
  });

  const requested = new URLSearchParams(location.search).get("tags")?.split(",") ?? [];
  for (const button of buttons) button.ariaPressed = String(requested.includes(button.dataset.filter ?? ""));
  apply();
}
