/** Pages that a host shows without any file of a site: a centered card. */

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { brandMark } from "../base/brand-mark.ts";
import { escapeHtml } from "../base/html-text.ts";
import { wantsHtml } from "./request-headers.ts";
import { sendText } from "./send-text.ts";

// The same look as the cards of the dashboard, without its fonts: a page of a host loads no files.
const style = `:root{color-scheme:light dark;font:16px/1.55 Inter,ui-sans-serif,system-ui,sans-serif;--text:#3f3f46;--strong:#18181b;--line:#e4e4e7;--card:#fff;--accent:#7b3f72;background:#fafafb}
body{min-height:100dvh;margin:0;color:var(--text)}
header{display:flex;gap:.5rem;align-items:center;box-sizing:border-box;min-height:3.5rem;padding:.5rem clamp(1rem,2.5vw,2rem);font-size:1.0625rem;font-weight:650;letter-spacing:-.015em;color:var(--strong);background:var(--card);border-bottom:1px solid var(--line);overflow-wrap:anywhere}
svg{flex:none}
main{box-sizing:border-box;width:min(100% - 2rem,26rem);margin:4rem auto;padding:2rem 1.5rem;font-size:.875rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;box-shadow:0 1px 2px rgb(15 15 30/5%)}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em;color:var(--strong);text-wrap:balance}
p{margin:0 0 1.25rem;overflow-wrap:anywhere}p:last-child,form{margin-bottom:0}
form{display:grid;gap:1.25rem}label{display:grid;gap:.375rem;font-weight:500;color:var(--strong)}
input{font:inherit;padding:.5rem .75rem;color:inherit;background:transparent;border:1px solid #8e8e99;border-radius:.5rem}
[hidden]{display:none}
button,.next{display:block;box-sizing:border-box;width:100%;padding:.6875rem 1rem;font:inherit;font-weight:550;text-align:center;text-decoration:none;color:#fff;background:var(--accent);border:0;border-radius:.5rem;cursor:pointer}
.other{text-align:center;color:inherit}
progress{width:100%;height:.25rem;accent-color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert]{padding:.5rem .75rem;border:1px solid #d97706;border-radius:.5rem}
@media(prefers-color-scheme:dark){:root{--text:#b4b4bd;--strong:#fafafa;--line:#2e2e33;--card:#18181b;--accent:#a05b94;background:#0c0c0e}}`;

/** An empty icon. Without it, browsers request one, and Firefox reports that the policy forbids it. */
export const noIcon = '<link rel="icon" href="data:,">';

export interface Card {
  /** Title as text. */
  title: string;
  /** Name of the site as text. Absent on pages of the service, which show the product's logo. */
  site?: string | undefined;
  /** Content below the title, as HTML. */
  bodyHtml: string;
  /** Source of an inline script. */
  script?: string;
  /** Elements for the head, as HTML. */
  headHtml?: string;
  /** Source expression of the URL outside this host that the response to a form redirects to. */
  formTarget?: string;
}

/** Returns the HTML document of a card. Search engines must not index it. */
export function cardPage({ title, site, bodyHtml, script, headHtml = "" }: Card): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${noIcon}<title>${escapeHtml(title)}</title><style>${style}</style>${headHtml}`;
  const brand = site === undefined ? `${brandMark}Octavo` : escapeHtml(site);
  const body = `<header>${brand}</header><main><h1>${escapeHtml(title)}</h1>${bodyHtml}</main>${script === undefined ? "" : `<script>${script}</script>`}`;
  return `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>\n`;
}

/** Returns the content security policy of a card: it loads no files, and runs only its own script. */
export function cardPolicy({ script, formTarget }: Pick<Card, "script" | "formTarget"> = {}): string {
  const scripts = script === undefined ? "" : ` script-src ${hashOf(script)}; connect-src 'self';`;
  return `default-src 'none'; img-src data:; form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}; style-src ${hashOf(style)};${scripts} frame-ancestors 'none'; base-uri 'none'`;
}

/** Sends a card. The response isn't cached. */
export function sendCard(response: ServerResponse, status: number, card: Card): void {
  const html = cardPage(card);
  response.setHeader("cache-control", "no-store");
  response.setHeader("content-security-policy", cardPolicy(card));
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(html),
  });
  response.end(html);
}

/** What a card says about an error. All properties are text. */
export interface ErrorText {
  title: string;
  /** See `Card`. */
  site?: string | undefined;
  /** The next step. */
  text: string;
  link?: { label: string; href: string };
}

/** Returns the link to the home page of a site. `basePath` has no trailing slash. */
export function homeLinkOf(basePath: string) {
  return { label: "Go to the home page", href: `${basePath}/` };
}

/** Sends an error as a card to browsers, and its title as plain text to other clients. */
export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: ErrorText,
): void {
  response.setHeader("vary", "Accept");
  if (!wantsHtml(request.headers.accept)) return sendText(response, status, error.title);
  sendCard(response, status, { title: error.title, site: error.site, bodyHtml: errorHtml(error) });
}

/** Returns the content of an error's card as HTML: the text, and the link as a button. */
export function errorHtml({ text, link }: Pick<ErrorText, "text" | "link">): string {
  const next = link && `<p><a class="next" href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>`;
  return `<p>${escapeHtml(text)}</p>${next ?? ""}`;
}

function hashOf(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}
