import { onClick } from "./dom.ts";
import { writeStored } from "./storage.ts";

/** Hides the banner when the reader dismisses it. It stays hidden until its id, a hash of its content, changes. */
export function startBanner(): void {
  onClick("[data-dismiss]", (button) => {
    writeStored("localStorage", "octavo-banner", button.dataset.dismiss);
    document.documentElement.classList.add("o-no-banner");
  });
}
