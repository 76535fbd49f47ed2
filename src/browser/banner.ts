import { onClick } from "./dom.ts";
import { writeStored } from "./storage.ts";

/**
 * Hides the banner when the reader dismisses it. The banner stays hidden until its content changes, since the
 * stored ID is a hash of the content.
 */
export function startBanner(): void {
  onClick("[data-dismiss]", (button) => {
    writeStored("localStorage", "octavo-banner", button.dataset.dismiss);
    document.documentElement.classList.add("o-no-banner");
  });
}
