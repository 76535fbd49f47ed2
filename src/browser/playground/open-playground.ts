/** The button of a reference page: shown to readers who may use the playground, which is loaded when it is first opened. */
import { onClick } from "../dom.ts";
import { loadScript, loadStyle } from "../load-script.ts";
import { type Places, readPlaces } from "./file-urls.ts";

declare const octavoPlayground: { open(places: Places): Promise<void> };

export function startPlayground(): void {
  const places = readPlaces();
  if (!places) return;
  void offer(places);
  onClick(".o-try-it", async (button) => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    document.getElementById("o-pg-failed")?.remove();
    try {
      const access = await accessOf(places);
      show(button, access);
      if (access === "sign-in")
        return location.assign(`${absolute(places.signIn!)}?to=${encodeURIComponent(location.pathname + location.search)}`);
      if (access === "denied") return;
      await Promise.all([loadStyle(absolute(places.style)), loadScript(absolute(places.script))]);
      await octavoPlayground.open(places);
    } catch {
      tellFailure(button);
    } finally {
      button.ariaBusy = null;
    }
  });
}

type PlaygroundAccess = "allowed" | "sign-in" | "denied";

/** Pages are the same for all their readers, so the page asks who reads it. */
async function offer(places: Places): Promise<void> {
  const buttons = document.querySelectorAll<HTMLElement>(".o-try-it[hidden]");
  if (buttons.length === 0) return;
  // A request that fails is tried again when the button is pressed.
  const access = await accessOf(places).catch(() => "allowed" as const);
  for (const button of buttons) show(button, access);
}

async function accessOf({ access, operation }: Places): Promise<PlaygroundAccess> {
  if (access === undefined) return "allowed";
  const headers = { "octavo-operation": new URL(absolute(operation)).pathname };
  const response = await fetch(absolute(access), { headers, cache: "no-store" });
  return response.headers.get("octavo-access") as PlaygroundAccess;
}

function show(button: HTMLElement, access: PlaygroundAccess): void {
  button.hidden = access === "denied";
  if (access === "sign-in") button.textContent = button.dataset.signIn ?? button.textContent;
}

function absolute(href: string): string {
  return new URL(href, document.baseURI).href;
}

/** Pressing the button again tries again. */
function tellFailure(button: HTMLElement): void {
  const message = document.createElement("p");
  message.id = "o-pg-failed";
  message.role = "alert";
  message.textContent = button.dataset.failed || "The playground did not load. Press the button to try again.";
  button.after(message);
}
