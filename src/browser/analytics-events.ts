/** Loads the analytics scripts of a page and passes events to Octavo's analytics. */

import type { AnalyticsLinks } from "../engine/frame/page-view.ts";
import { loadScript } from "./load-script.ts";

export type AnalyticsEvent =
  | { type: "view"; path: string; referrer?: string }
  | { type: "search"; query: string; results_count: number }
  | { type: "search-click"; query: string; path: string };

/**
 * Returns the analytics URLs and settings of the page. Undefined if the site has no analytics, analytics are
 * turned off, or the page was opened from disk.
 */
export function analyticsLinks(): AnalyticsLinks | undefined {
  const text = document.getElementById("oCounting")?.textContent;
  const isOff = !location.host || document.documentElement.classList.contains("o-no-analytics");
  return text && !isOff ? (JSON.parse(text) as AnalyticsLinks) : undefined;
}

/**
 * Loads the analytics services that docs.json lists, unless they are turned off. Also loads Octavo's
 * analytics, unless the browser sends Do Not Track or Global Privacy Control.
 */
export function startAnalytics(): void {
  const { dataset, classList } = document.documentElement;
  if (dataset.services && !classList.contains("o-no-services"))
    loadScript(dataset.services).catch(() => undefined);
  const links = analyticsLinks();
  const { doNotTrack, globalPrivacyControl } = navigator as {
    doNotTrack?: string | null;
    globalPrivacyControl?: boolean;
  };
  if (links && doNotTrack !== "1" && !globalPrivacyControl) loadScript(links.script).catch(() => undefined);
}

declare const octavoCount: ((event: AnalyticsEvent) => void) | undefined;

/**
 * Passes an event to Octavo's analytics. Does nothing if the site has no analytics or the script hasn't
 * loaded yet.
 */
export function reportEvent(event: AnalyticsEvent): void {
  if (typeof octavoCount === "function") octavoCount(event);
}
