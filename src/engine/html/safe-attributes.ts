/** Makes authors' URLs, attributes and colors safe to use in HTML. */

import type { Props, PropValue } from "../content.ts";

/**
 * Prefix of root-relative URLs in HTML, and of fragments in links. The export resolves these URLs for each
 * page. It's a control character that isn't allowed in HTML. It's in ASCII, because a string with any
 * character above U+00FF takes twice as much memory and time.
 */
export const siteUrlMark = "\x7f";

const allMarks = new RegExp(siteUrlMark, "g");
const dataImage = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;

/**
 * Returns a URL without surrounding whitespace, or undefined for the schemes `javascript`, `vbscript` and
 * `file`. Adds `siteUrlMark` to root-relative URLs and, in links, to fragments. `data:` is only allowed for
 * images, where it cannot run code.
 */
export function safeUrl(value: string, use: "link" | "image" = "link"): string | undefined {
  const url = asRead(value.replace(allMarks, "").trim());
  // Browsers ignore some control characters and spaces before and inside the scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i
    .exec(url.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/g, ""))?.[1]
    ?.toLowerCase();
  if (scheme === "javascript" || scheme === "vbscript" || scheme === "file") return undefined;
  if (scheme === "data") return use === "image" && dataImage.test(url) ? url : undefined;
  // The export treats whitespace as the end of a marked URL.
  return (use === "link" ? /^(?:#|\/(?!\/))/ : /^\/(?!\/)/).test(url)
    ? siteUrlMark + url.replace(/\s/g, "%20")
    : url;
}

/**
 * Writes the start of a URL of another host as browsers read it (URL Standard, section 4.4): without tabs,
 * line breaks, and control characters, and with two slashes. Later steps compare it with `https://` and `//`.
 */
function asRead(url: string): string {
  if (!/[\u0000-\u001f\\]|^https?:(?!\/\/[^\\/])|^\/{3}/i.test(url)) return url;
  return url
    .replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]/g, "")
    .replace(/^(https?):[\\/]*/i, "$1://")
    .replace(/^[\\/]{2,}/, "//");
}

/**
 * Returns the attributes of an `<a>` element. Empty for an unsafe URL and for values that aren't text.
 * External links open in a new tab.
 */
export function linkProps(href: unknown): { href?: string; target?: string; rel?: string } {
  const safe = typeof href === "string" ? safeUrl(href) : undefined;
  if (safe === undefined) return {};
  return isExternal(safe) ? { href: safe, target: "_blank", rel: "noopener noreferrer" } : { href: safe };
}

export function isExternal(href: string): boolean {
  return /^(?:https?:)?\/\//i.test(href);
}

/**
 * Returns a `srcset` with only the safe URLs, in which root-relative URLs are marked with `siteUrlMark`.
 * Undefined if no URL is safe.
 */
function sourceSet(value: string): string | undefined {
  const candidates = value.split(/,\s+|,(?=\/)/).flatMap((candidate) => {
    const [url = "", ...descriptor] = candidate.trim().split(/\s+/);
    const safe = safeUrl(url, "image");
    return safe ? [[safe, ...descriptor].join(" ")] : [];
  });
  return candidates.length > 0 ? candidates.join(", ") : undefined;
}

const linkAttributes = new Set([
  "href",
  "xlinkhref",
  "action",
  "formaction",
  "cite",
  "background",
  "longdesc",
  "ping",
  "data",
  "manifest",
]);
const imageAttributes = new Set(["src", "poster"]);
/**
 * Attributes that are removed: attributes for frameworks or components, `nonce`, and attributes that can
 * insert HTML.
 */
const dropped = new Set([
  "key",
  "ref",
  "children",
  "dangerouslysetinnerhtml",
  "srcdoc",
  "is",
  "nonce",
  "customid",
  "noanchor",
  "nozoom",
  // The page's script restores the styles and content in these attributes.
  "data-style",
  "data-outside",
  "data-outside-style",
]);
/** Matches the JSX names of SVG attributes whose names in SVG are hyphenated. */
const hyphenated =
  /^(?:stroke|fill|stop|flood|lighting|font|dominant|alignment|baseline|pointer|shape|vector|paint)[A-Z]|^(?:clip(?:Path|Rule)|text(?:Anchor|Rendering|Decoration)|marker(?:End|Mid|Start)|colorInterpolation\w*|(?:letter|word)Spacing|transformOrigin)$/;
const attributeName = /^[A-Za-z_][\w:.-]*$/;

/** Returns the safe attributes of an HTML element. Converts JSX names such as `className` to HTML names. */
export function safeAttributes(name: string, props: Props): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(props)) {
    const lower = key.toLowerCase();
    if (!attributeName.test(key) || lower.startsWith("on") || dropped.has(lower)) continue;
    const safe = safeValue(name, lower, value);
    if (safe === undefined) continue;
    if (lower === "class" || lower === "classname")
      result.class = result.class ? `${result.class} ${safe}` : safe;
    else if (lower === "htmlfor") result.for = safe;
    else if (lower === "xlinkhref" || lower === "xlink:href") result.href ??= safe;
    else if (lower === "srcset" || linkAttributes.has(lower) || imageAttributes.has(lower))
      result[lower] = safe;
    else
      result[hyphenated.test(key) ? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : key] =
        safe;
  }

  return result;
}

function safeValue(name: string, attribute: string, value: PropValue): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute === "style")
    return typeof value === "string" ? value.replace(allMarks, "") : styleObject(value);
  if (typeof value === "object") return undefined;
  if (typeof value !== "string") return value;
  if (attribute === "srcset" || attribute === "imagesrcset") return sourceSet(value);
  if (imageAttributes.has(attribute)) return safeUrl(value, name === "iframe" ? "link" : "image");
  if (linkAttributes.has(attribute) || attribute === "xlink:href")
    return safeUrl(value, name === "image" ? "image" : "link");
  return value.includes(siteUrlMark) ? value.replace(allMarks, "") : value;
}

function styleObject(value: PropValue): Record<string, string | number> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value as Record<string, PropValue>).filter(
    (entry): entry is [string, string | number] =>
      /^[A-Za-z-]+[\w-]*$/.test(entry[0]) &&
      (typeof entry[1] === "number" || (typeof entry[1] === "string" && !/[;{}<>]/.test(entry[1]))),
  );
  return Object.fromEntries(entries);
}

/**
 * Returns an author's value without surrounding whitespace if it has the form of a CSS color. Undefined for
 * other values.
 */
export function safeColor(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const color = value.trim();
  return /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|var)\([\w\s%.,/+-]{1,60}\))$/i.test(
    color,
  )
    ? color
    : undefined;
}
