import { all, onClick } from "./dom.ts";

/** The tags of a changelog: several chosen must all be there. The address keeps the choice: `?tags=A,B`. */
export function startUpdateFilter(): void {
  const buttons = all("[data-filter]");
  if (buttons.length === 0) return;
  const pressed = (button: HTMLElement) => button.getAttribute("aria-pressed") === "true";
  const apply = () => {
    const chosen = buttons.filter(pressed).map((button) => button.dataset.filter ?? "");
    for (const update of all(".o-update")) {
      const tags = (update.dataset.tags ?? "").split(",");
      update.hidden = !chosen.every((tag) => tags.includes(tag));
    }
    return chosen;
  };
  onClick("[data-filter]", (button) => {
    button.setAttribute("aria-pressed", String(!pressed(button)));
    const chosen = apply();
    const address = new URL(location.href);
    if (chosen.length > 0) address.searchParams.set("tags", chosen.join(","));
    else address.searchParams.delete("tags");
    history.replaceState(null, "", address);
  });
  const wanted = new URLSearchParams(location.search).get("tags")?.split(",") ?? [];
  for (const button of buttons) button.setAttribute("aria-pressed", String(wanted.includes(button.dataset.filter ?? "")));
  apply();
}
