/**
 * Shows the "Try it" button unless the reader has no access to the playground, and loads the playground when
 * it is first opened.
 */

import type { PlaygroundLinks } from "../../engine/frame/page-view.ts";
import { onClick } from "../dom.ts";
import { loadScript, loadStyle } from "../load-script.ts";
import { readPlaygroundLinks } from "./read-playground-links.ts";

declare const octavoPlayground: { open(links: PlaygroundLinks): Promise<void> };

/** Starts the "Try it" buttons. Does nothing on pages without a playground. */
export function startPlayground(): void {
  const links = readPlaygroundLinks();
  if (!links) return;
  void showButtons(links);

  onClick(".o-try-it", async (button) => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    document.getElementById("o-pg-failed")?.remove();

    try {
      const access = await accessOf(links);
      show(button, access);
      if (access === "sign-in")
        return location.assign(
          `${absolute(links.signIn!)}?to=${encodeURIComponent(location.pathname + location.search)}`,
        );
      if (access === "denied") return;
      await Promise.all([loadStyle(absolute(links.style)), loadScript(absolute(links.script))]);
      await octavoPlayground.open(links);
    } catch {
      showFailure(button);
    } finally {
      button.ariaBusy = null;
    }
  });
}

type PlaygroundAccess = "allowed" | "sign-in" | "denied";

/**
 * Shows the buttons unless this reader is denied access. Pages are the same for all readers, so the page asks
 * the host.
 */
async function showButtons(links: PlaygroundLinks): Promise<void> {
  const buttons = document.querySelectorAll<HTMLElement>(".o-try-it[hidden]");
  if (buttons.length === 0) return;
  // If the request fails, it is repeated when the button is pressed.
  const access = await accessOf(links).catch(() => "allowed" as const);
  for (const button of buttons) show(button, access);
}

async function accessOf({ access, operation }: PlaygroundLinks): Promise<PlaygroundAccess> {
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

/** Shows an error message. Pressing the button tries again. */
function showFailure(button: HTMLElement): void {
  const message = document.createElement("p");
  message.id = "o-pg-failed";
  message.role = "alert";
  message.textContent =
    button.dataset.failed || "Couldn't load the playground. Select the button to try again.";
  button.after(message);
}
