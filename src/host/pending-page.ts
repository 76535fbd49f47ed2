/** The page at the host of a site that can't be shown yet. It reloads itself when this changes. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { errorHtml, sendCard, sendError } from "./card-page.ts";
import type { PendingState } from "./hosted-site.ts";
import { wantsHtml } from "./request-headers.ts";

/** Time between two checks of the page, in seconds. */
const check_s = 2;
/** Response header with the state, so that the page notices that it changed. */
const stateHeader = "x-octavo-pending";

const pages: Record<PendingState, { status: 404 | 503; title: string; text: string }> = {
  building: {
    status: 503,
    title: "Your site is being built",
    text: "This page opens the site as soon as it's ready.",
  },
  failed: {
    status: 404,
    title: "The build failed",
    text: "This site has no deployment that can be shown. Its project in the dashboard shows what went wrong.",
  },
  empty: {
    status: 404,
    title: "No deployment yet",
    text: "Push to the project's branch, run octavo deploy, or upload a folder in the dashboard. Your site will then appear here.",
  },
  "no-bundle": {
    status: 404,
    title: "No bundle yet",
    text: "The server is loading the site, or can't load it. Its log shows the reason. This page opens the site as soon as it's there.",
  },
};

/** Sends the page, or its title as plain text to clients that don't accept HTML. */
export function sendPending(request: IncomingMessage, response: ServerResponse, state: PendingState): void {
  const { status, title, text } = pages[state];
  response.setHeader(stateHeader, state);
  if (status === 503) response.setHeader("retry-after", String(check_s));
  if (!wantsHtml(request.headers.accept)) return sendError(request, response, status, { title, text });
  response.setHeader("vary", "Accept");
  const progress = state === "building" ? '<p><progress aria-label="Building"></progress></p>' : "";
  sendCard(response, status, {
    title,
    bodyHtml: `${errorHtml({ text })}${progress}`,
    script: reloadOnChange(state),
    headHtml: `<noscript><meta http-equiv="refresh" content="${5 * check_s}"></noscript>`,
  });
}

/**
 * Returns a script that reloads the page when the site's state isn't `state` anymore. Lost connections and
 * server errors are retried.
 */
function reloadOnChange(state: PendingState): string {
  return `(function check(){setTimeout(async()=>{try{const r=await fetch(location.href,{method:"HEAD",cache:"no-store"});const s=r.headers.get("${stateHeader}");if(s!=="${state}"&&(s||r.status<500))return location.reload()}catch{}check()},${check_s * 1_000})})()`;
}
