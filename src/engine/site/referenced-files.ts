/** Finds the site's own files that a page loads or links to, from the URLs in the page's HTML and scripts. */

import { unescapeHtml } from "../../base/html-text.ts";
import { siteUrlMark } from "../html/safe-attributes.ts";
import { tagsIn } from "../html/tags.ts";
import { normalizePath } from "../paths.ts";
import type { PageBody } from "./page.ts";

/** Matches the end of a URL of a file: an extension, and optionally a query or fragment. */
const fileUrl = /\.[a-z\d]{1,8}(?:[?#]|$)/i;
const cssUrl = /(?:url|image-set)\(\s*["']?([^"')\s]+)/gi;
/**
 * Whether HTML can have a file in an attribute of an author's, or in a style. Attributes of our own can have
 * complete URLs.
 */
const mayLoadFiles = (html: string) =>
  /url\(|image-set\(/i.test(html) || /data-[\w-]+="(?![\w+.-]+:)[^"]+\.[a-zA-Z\d]/.test(html);
const quoted = /["'`](\.{0,2}\/[^"'`\s<>\\]{1,500})["'`]/g;

/**
 * Returns the URL at the start of a text. In sets of images, a comma can follow it. Empty if the text doesn't
 * start with a URL.
 */
function markedUrl(text: string): string {
  const [url] = /^\/[^"\s]*/.exec(text) ?? [""];
  return unescapeHtml(url.replace(/,$/, ""));
}

/**
 * Returns root-relative URLs of files. `folder`: folder of the page, for relative URLs in style sheets and
 * scripts. `scripts`: code of the page's components.
 */
export function referencedFiles(body: PageBody, folder: string, scripts: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (url: string) => {
    const path =
      /^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(url) || !fileUrl.test(url) ? undefined : normalizePath(folder, url);
    if (path !== undefined) found.add(`/${path}`);
  };

  const addQuoted = (text: string) => {
    for (const [, url] of text.matchAll(quoted)) add(url!);
  };
  const addRules = (css: string) => {
    for (const [, url] of css.matchAll(cssUrl)) add(url!);
  };

  for (const html of [body.description, body.lead, body.html, body.aside]) {
    for (const piece of html.split(siteUrlMark).slice(1)) add(markedUrl(piece));
    if (!mayLoadFiles(html)) continue;
    for (const tag of tagsIn(html)) {
      if (tag.isEnd) continue;
      if (tag.name === "style") addRules(html.slice(tag.end, tag.elementEnd()));
      for (const { name, value } of tag.attributes) {
        if (name === "data-props") addQuoted(unescapeHtml(value));
        else if (name.startsWith("data-")) add(unescapeHtml(value));
        else if (/url\(|image-set\(/i.test(value)) addRules(unescapeHtml(value));
      }
    }
  }

  for (const script of scripts) addQuoted(script);
  return [...found];
}
