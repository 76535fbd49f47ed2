/** Finds the site's own files that a page loads or links to, from the URLs in the page's HTML and scripts. */

import { unescapeHtml } from "../../base/html-text.ts";
import { siteUrlMark } from "../html/safe-attributes.ts";
import { normalizePath } from "../paths.ts";
import type { PageBody } from "./page.ts";

/** Matches the end of a URL of a file: an extension, and optionally a query or fragment. */
const fileUrl = /\.[a-z\d]{1,8}(?:[?#]|$)/i;
const marked = new RegExp(`${siteUrlMark}(/[^"\\s,<>]*)`, "g");
const cssUrl = /url\(\s*(?:["']|&quot;|&#39;)?([^"')\s&]+)/gi;
const quoted = /["'`](\.{0,2}\/[^"'`\s<>\\]{1,500})["'`]/g;

/**
 * Returns root-relative URLs of files. `folder`: folder of the page, for relative URLs in style sheets and scripts. `scripts`: code of the
 * page's components.
 */
export function referencedFiles(body: PageBody, folder: string, scripts: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (url: string) => {
    const path = /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(url) || !fileUrl.test(url) ? undefined : normalizePath(folder, url);
    if (path !== undefined) found.add(`/${path}`);
  };
  for (const html of [body.description, body.lead, body.html, body.aside]) {
    if (html.includes(siteUrlMark)) for (const [, url] of html.matchAll(marked)) add(unescapeHtml(url!));
    if (html.includes("url(")) for (const [, url] of html.matchAll(cssUrl)) add(url!);
    if (html.includes("data-props")) for (const [, url] of unescapeHtml(html).matchAll(quoted)) add(url!);
  }
  for (const script of scripts) for (const [, url] of script.matchAll(quoted)) add(url!);
  return [...found];
}
