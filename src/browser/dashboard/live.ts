import { announce } from "../announce.ts";
import { all } from "../dom.ts";
import { showLocalTimes } from "./local-times.ts";

/** While the page has parts that aren't final, fetches the page repeatedly and replaces these parts. */
export function startLive(): void {
  /** Returns the time until the next fetch. Undefined if all parts are final. */
  const pause_ms = () => {
    const pauses = all("[data-live]").map((part) => Number(part.dataset.live) * 1_000);
    return pauses.length ? Math.min(...pauses) : undefined;
  };

  const wait = () => {
    const pause = pause_ms();
    if (pause !== undefined) setTimeout(refresh, pause);
  };

  const refresh = async () => {
    // Background tabs don't fetch.
    if (!document.hidden) {
      const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(
        () => undefined,
      );
      // The user was signed out, or the resource was deleted. Reloading shows the sign-in or error page.
      if (response?.redirected || response?.status === 404) return location.reload();
      if (response?.ok) replace(new DOMParser().parseFromString(await response.text(), "text/html"));
    }
    wait();
  };

  wait();
}

function replace(page: Document): void {
  showLocalTimes(page);
  for (const part of all("[data-live]")) {
    const fresh = page.getElementById(part.id);
    // Unchanged parts keep the focus.
    if (!fresh || fresh.outerHTML === part.outerHTML) continue;
    if (fresh.dataset.state !== part.dataset.state) announce(fresh.dataset.state ?? "");
    part.replaceWith(document.adoptNode(fresh));
  }
}
