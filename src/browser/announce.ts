import { create } from "./dom.ts";

/** Announces a message to screen readers. If undefined, clears the last one. */
export function announce(message: string | undefined): void {
  let region = document.getElementById("oLive");
  if (!region) {
    region = create("div", { id: "oLive", className: "o-sr", role: "status" });
    document.body.append(region);
  }
  region.textContent = message ?? "";
}
