/**
 * Prepares HTML and CSS for bundles that can be opened without a network. In HTML, links replace content from other hosts, and text
 * replaces missing images. In CSS, URLs of other hosts are removed. If replaced content is kept, it follows in a `<noscript>` element,
 * which browsers with scripts don't load. The page's script can restore it (browser/load-external-content.ts).
 */

import { escapeHtml, unescapeHtml } from "../../base/html-text.ts";
import { siteUrlMark } from "../html/safe-attributes.ts";

/** Source of a pattern for the rest of a start tag, after its name. */
export const tagRest = `(?:[^>"]|"[^"]*")*>`;

/** Matches elements that load content, with their children; end tags of links; and start tags of all other elements. */
const elements = new RegExp(`<(iframe|video|audio|picture|style)\\b${tagRest}[^]*?</\\1>|</(a)>|<([a-z][\\w-]*)\\b${tagRest}`, "gi");

const host = String.raw`(?:https?:)?\/\/`;
const outsideSource = new RegExp(String.raw`\s(?:src|poster)="\s*(${host}[^"]*)"`, "i");
const outsideSet = new RegExp(String.raw`\ssrcset="(?:[^"]*[\s,])?(${host}[^"\s,]*)`, "i");
const outsideHref = new RegExp(String.raw`\s(?:xlink:)?href="\s*${host}[^"]*"`, "i");
const loadedLink = /\srel="[^"]*\b(?:icon|stylesheet|preload|prefetch|modulepreload|preconnect|dns-prefetch|manifest)\b/i;
export const styleAttribute = /\sstyle="([^"]*)"/i;
const outsideLink = String.raw`<link\b(?=${tagRest.slice(0, -1)}${loadedLink.source})(?=${tagRest.slice(0, -1)}${outsideHref.source})`;
/** Matches HTML that may have external content. A fast test to skip other pages. */
const mayBeOutside = new RegExp(`(?:src|srcset|poster)="[^"]*//|url\\(|@import|<(?:image|use|feImage)\\b|${outsideLink}`, "i");

/**
 * Replaces embedded content from other hosts with links, and removes other references that load content from other hosts, such as style
 * sheets. `isKept`: whether to keep the content in `<noscript>` elements and attributes, so that the page's script can restore it.
 * References of SVG elements aren't kept.
 */
export function externalAsLinks(html: string, isKept: boolean): string {
  if (!mayBeOutside.test(html)) return html;
  // Links can't be nested.
  let isInLink = false;
  const kept = (text: string) => (isKept ? `<noscript data-outside>${text}</noscript>` : "");
  return html.replace(elements, (text: string, holder?: string, end?: string, start?: string) => {
    const name = (holder ?? end ?? start)!.toLowerCase();
    if (name === "a") isInLink = end === undefined;
    if (name === "style") return withoutExternalCss(text) === text ? text : withoutExternalCss(text) + kept(text);
    if (name === "link") return loadedLink.test(text) && outsideHref.test(text) ? kept(text) : text;
    if (holder || name === "img") {
      const source = outsideSource.exec(text)?.[1] ?? outsideSet.exec(text)?.[1];
      if (source !== undefined) return replacementLink(source, text, isInLink) + kept(text);
    }
    return withoutStyle(/^(?:image|use|feimage)$/.test(name) ? text.replace(outsideHref, "") : text, isKept);
  });
}

const missable = new RegExp(`<(?:img|source)\\b${tagRest}`, "gi");
const ownSource = new RegExp(`\\ssrc="${siteUrlMark}([^"]*)"`, "i");
const sourceSet = /\ssrcset="[^"]*"/i;
const ownCandidate = new RegExp(`${siteUrlMark}([^\\s"]*?),?(?=[\\s"])`, "g");

/**
 * Replaces each `<img>` whose `src` is missing with its alternative text or file name, and removes each `srcset` and `<source>` with a
 * missing file, to avoid failing requests. URLs of the site in `html` start with `siteUrlMark`.
 */
export function withoutMissingImages(html: string, exists: (url: string) => boolean): string {
  const isMissing = (url: string | undefined) => url !== undefined && !exists(unescapeHtml(url));
  return html.replace(missable, (tag) => {
    const url = ownSource.exec(tag)?.[1];
    const candidates = [...(sourceSet.exec(tag)?.[0] ?? "").matchAll(ownCandidate)];
    const hasMissingCandidate = candidates.some(([, candidate]) => isMissing(candidate));
    if (/^<source/i.test(tag)) return hasMissingCandidate || isMissing(url) ? "" : tag;
    if (url === undefined || !isMissing(url)) return hasMissingCandidate ? tag.replace(sourceSet, "") : tag;
    const alt = /\salt="([^"]+)"/i.exec(tag)?.[1];
    return `<span class="${["o-outside", ...shownWhere(tag)].join(" ")}">${alt ?? url.split("/").at(-1)}</span>`;
  });
}

/**
 * Returns the link that replaces an element, or a span if the element is inside a link. Contains the element's alternative text, title or
 * label, or else the file name, and then the host.
 */
function replacementLink(source: string, element: string, isInLink: boolean): string {
  const url = source.replace(/^\/\//, "https://");
  const [, at = "", path = ""] = /^https?:\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  const own = /\s(?:alt|title|aria-label)="([^"]+)"/i.exec(element)?.[1];
  const inside = `${own ?? path.split("/").at(-1)} <small>${at}</small>`;
  const classes = ["o-outside", ...shownWhere(element)].join(" ");
  if (isInLink) return `<span class="${classes}">${inside}</span>`;
  return `<a class="${classes}" href="${url}" target="_blank" rel="noopener noreferrer">${inside}</a>`;
}

/** Returns an element's classes that show or hide it, for example depending on the color mode. */
function shownWhere(element: string): string[] {
  const classes = /\sclass="([^"]*)"/i.exec(element)?.[1]?.split(/\s+/) ?? [];
  return classes.filter((name) => /^(?:(?:dark:)?(?:hidden|block|inline|inline-block)|o-only-(?:light|dark))$/.test(name));
}

function withoutStyle(tag: string, isKept: boolean): string {
  return tag.replace(styleAttribute, (text, escaped: string) => {
    const style = unescapeHtml(escaped);
    const inside = withoutExternalCss(style);
    return inside === style ? text : ` style="${escapeHtml(inside)}"${isKept ? ` data-outside-style="${escaped}"` : ""}`;
  });
}

const quotedHost = `"${host}[^"]*"|'${host}[^']*'`;
const outsideUrl = new RegExp(String.raw`url\(\s*(?:${quotedHost}|${host}[^)]*)\s*\)`, "gi");
const outsideImport = new RegExp(String.raw`@import\s+(?:url\(\s*)?(?:${quotedHost}|${host}[^)\s]*)[^;]*(?:;|$)`, "gi");

/**
 * Removes imports and fonts from other hosts, and replaces other URLs of other hosts with `none`. Returns the text unchanged if there are
 * none.
 */
export function withoutExternalCss(css: string): string {
  const withoutUrls = (text: string) => text.replace(outsideUrl, "none");
  return withoutUrls(
    css.replace(outsideImport, "").replace(/@font-face\s*\{[^}]*\}/gi, (face) => (withoutUrls(face) === face ? face : "")),
  );
}
