import { onClick } from "./dom.ts";
import { writeStored } from "./storage.ts";

/** A dismissed banner stays hidden until its id, a hash of its content, changes. */
export function startBanner(): void {
  onClick("[data-dismiss]", (button) => {
    writeStored("localStorage", "octavo-banner", button.dataset.dismiss);
    document.documentElement.classList.add("o-no-banner");
  });
}
