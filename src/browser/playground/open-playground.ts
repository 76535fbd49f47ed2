/** The button of a reference page: fetches the playground when it is first wanted, and opens it. */
import { onClick } from "../dom.ts";
import { loadScript, loadStyle } from "../load-script.ts";
import { type Places, readPlaces } from "./places.ts";

declare const octavoPlayground: { open(places: Places): Promise<void> };

export function startPlayground(): void {
  const places = readPlaces();
  if (!places) return;
  onClick(".o-try-it", async (button) => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    document.getElementById("o-pg-failed")?.remove();
    const absolute = (href: string) => new URL(href, document.baseURI).href;
    try {
      if (places.signIn !== undefined && (await mustSignIn(absolute(places.operation))))
        return location.assign(`${absolute(places.signIn)}?to=${encodeURIComponent(location.pathname + location.search)}`);
      await Promise.all([loadStyle(absolute(places.style)), loadScript(absolute(places.script))]);
      await octavoPlayground.open(places);
    } catch {
      tellFailure(button);
    } finally {
      button.ariaBusy = null;
    }
  });
}

/** Whether the operation is kept from this reader because nobody signed in. A reader who did and may not sees that it fails. */
async function mustSignIn(operation: string): Promise<boolean> {
  return (await fetch(operation, { method: "HEAD", cache: "no-store" })).status === 401;
}

/** Pressing the button again tries again. */
function tellFailure(button: HTMLElement): void {
  const words = document.createElement("p");
  words.id = "o-pg-failed";
  words.role = "alert";
  words.textContent = button.dataset.failed || "The playground did not load. Press the button to try again.";
  button.after(words);
}
