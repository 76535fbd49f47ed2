import { onClick } from "./dom.ts";
import { keep } from "./storage.ts";

/** A dismissed banner stays away until its content, and so its id, changes. */
export function startBanner(): void {
  onClick("[data-dismiss]", (button) => {
    keep("localStorage", "octavo-banner", button.dataset.dismiss);
    document.documentElement.classList.add("o-no-banner");
  });
}
