/**
 * Reports page views and searches to the site's host. Sets no cookies, stores nothing and sends no ID of the
 * reader. Loaded by `analytics-events.ts` on sites with analytics. A classic script.
 */

import type { AnalyticsLinks } from "../engine/frame/page-view.ts";
import type { AnalyticsEvent } from "./analytics-events.ts";

const { events, path, consent }: AnalyticsLinks = JSON.parse(
  document.getElementById("oCounting")!.textContent!,
);

function consents(): boolean {
  if (!consent) return true;
  const { key, value } = consent;
  try {
    if (localStorage.getItem(key) === value) return true;
  } catch {
    // Storage is not accessible. The consent may be in a cookie.
  }
  return document.cookie.split("; ").includes(`${key}=${value}`);
}

function send(event: AnalyticsEvent): void {
  if (!consents()) return;
  const body = JSON.stringify({ events: [event] });
  // `keepalive`: the reader may be leaving the page.
  fetch(events, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    keepalive: true,
  }).catch(() => undefined);
}

let isCounted = false;

/**
 * Counts a page view. A page in a background tab and a prerendered page are counted when they become visible.
 */
function countView(): void {
  if (
    isCounted ||
    path === undefined ||
    document.hidden ||
    (document as { prerendering?: boolean }).prerendering
  )
    return;
  isCounted = true;
  const from = document.referrer && new URL(document.referrer).hostname;
  send({ type: "view", path, ...(from && from !== location.hostname ? { referrer: from } : {}) });
}

document.addEventListener("visibilitychange", countView);
// A page restored from the back/forward cache counts as another view.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  isCounted = false;
  countView();
});
countView();

Object.assign(globalThis, { octavoCount: send });
