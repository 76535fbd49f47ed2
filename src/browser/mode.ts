import { all, onClick } from "./dom.ts";
import { keep, kept } from "./storage.ts";

/** The switch between system, light and dark. The first paint was set by theme-init. */
export function startMode(): void {
  const root = document.documentElement;
  if ("strict" in root.dataset) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let mode = kept("localStorage", "octavo-mode") ?? root.dataset.mode ?? "system";

  const apply = () => {
    root.classList.toggle("dark", mode === "dark" || (mode !== "light" && system.matches));
    for (const button of all("button[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  };
  onClick("button[data-mode]", (button) => {
    mode = button.dataset.mode ?? "system";
    keep("localStorage", "octavo-mode", mode);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
