import { all, onClick } from "./dom.ts";
import { readStored, writeStored } from "./storage.ts";

/**
 * Starts the switch between system, light and dark mode. An inline script has already set the mode for the
 * first paint. Does nothing on sites with a fixed mode.
 */
export function startMode(): void {
  const root = document.documentElement;
  if ("strict" in root.dataset) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let mode = readStored("localStorage", "octavo-mode") ?? root.dataset.mode ?? "system";

  const apply = () => {
    root.classList.toggle("dark", mode === "dark" || (mode !== "light" && system.matches));
    for (const button of all("button[data-mode]")) button.ariaPressed = String(button.dataset.mode === mode);
  };

  onClick("button[data-mode]", (button) => {
    mode = button.dataset.mode ?? "system";
    writeStored("localStorage", "octavo-mode", mode);
    apply();
  });

  system.addEventListener("change", apply);
  apply();
}
