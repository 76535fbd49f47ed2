/**
 * Tells the site's host that the page is shown, and what is searched for: no cookie, nothing kept, nothing of who it is.
 * Loaded by `counting.ts` where the site counts. One small classic script; a test holds its size.
 */
import type { AnalyticsLinks } from "../engine/render/page-view.ts";
import type { CountedEvent } from "./counting.ts";

const { events, path, consent }: AnalyticsLinks = JSON.parse(document.getElementById("o-counting")!.textContent!);

function consents(): boolean {
  if (!consent) return true;
  const { key, value } = consent;
  try {
    if (localStorage.getItem(key) === value) return true;
  } catch {
    // Closed to us: then a cookie may say so.
  }
  return document.cookie.split("; ").includes(`${key}=${value}`);
}

function count(event: CountedEvent): void {
  if (!consents()) return;
  const body = JSON.stringify({ events: [event] });
  // The page may be left in the same moment.
  fetch(events, { method: "POST", headers: { "content-type": "application/json" }, body, keepalive: true }).catch(() => undefined);
}

let isCounted = false;

/** A page that waits in the background, or is fetched ahead, is not shown yet. */
function countView(): void {
  if (isCounted || path === undefined || document.hidden || (document as { prerendering?: boolean }).prerendering) return;
  isCounted = true;
  const from = document.referrer && new URL(document.referrer).hostname;
  count({ type: "view", path, ...(from && from !== location.hostname ? { referrer: from } : {}) });
}

document.addEventListener("visibilitychange", countView);
// Back to a page that the browser had kept: it is shown anew.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  isCounted = false;
  countView();
});
countView();

Object.assign(globalThis, { octavoCount: count });
