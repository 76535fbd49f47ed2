/**
 * Prepares HTML and CSS for bundles that can be opened without a network. In HTML, links replace content from
 * other hosts, and text replaces missing images. In CSS, URLs of other hosts are removed. If replaced content
 * is kept, it follows in a `<noscript>` element, which browsers with scripts don't load. The page's script
 * can restore it (browser/load-external-content.ts).
 */

import { escapeHtml, unescapeHtml } from "../../base/html-text.ts";
import { siteUrlMark } from "../html/safe-attributes.ts";
import { replaceTags, type Tag, type TagReplacement, tagsIn } from "../html/tags.ts";

const host = String.raw`(?:https?:)?\/\/`;
/** Schemes other than `data` and `blob` load content from elsewhere. */
const external = /^\s*(?:(?!(?:data|blob):)[a-z][a-z\d+.-]*:|\/\/)/i;
const externalCandidate = new RegExp(String.raw`(?:^|[\s,])(${host}[^\s,]*)`, "i");
const loadedLink = /\b(?:icon|stylesheet|preload|prefetch|modulepreload|preconnect|dns-prefetch|manifest)\b/i;
const media = ["img", "iframe", "video", "audio", "picture", "track"];
/** Attributes of other elements with a URL that browsers load. */
const loadedAttributes = new Set(["background", "ping"]);
/** Elements that load content. They are replaced as a whole. */
const embeddingElements = new Set([...media, "input"]);
const voidElements = new Set(["img", "input", "track"]);
/** Elements of SVG that load the content of `href`. */
const svgReferences = new Set(["image", "use", "feimage"]);
/**
 * A fast test to skip HTML that loads nothing from other hosts. Reading all tags takes about five times as
 * long.
 */
const mayLoad = new RegExp(
  `<(?:${[...media, ...svgReferences, "style"].join("|")})\\b|<input\\b[^>]*\\ssrc=|url\\(|image-set\\(|\\s(?:background|ping)=|="[^"<>]*\\\\[^"<>]*\\(|<link\\b(?! rel="(?:canonical|alternate)")[^>]*="\\s*${host}`,
  "i",
);

/**
 * Replaces embedded content from other hosts with links, and removes other references that load content from
 * other hosts, such as style sheets. `isKept`: whether to keep the content in `<noscript>` elements and
 * attributes, so that the page's script can restore it. References of SVG elements aren't kept. `isInLink`:
 * whether the HTML is in a link.
 */
export function externalAsLinks(html: string, isKept: boolean, isInLink = false): string {
  if (!mayLoad.test(html)) return html;
  const mayHaveStyles = /url\(|image-set\(|@import|\\/i.test(html);

  const kept = (text: string) => (isKept ? `<noscript data-outside>${text}</noscript>` : "");
  /** End of the last element that loads nothing from other hosts, and neither does what it contains. */
  let plainEnd = 0;
  const replaced = (tag: Tag, end: number): TagReplacement | undefined => {
    if (end <= plainEnd) return undefined;
    const element = html.slice(tag.start, end);
    const tags = end === tag.end ? [tag] : [...tagsIn(element)];
    const source = externalSource(tags);
    if (source !== undefined) return { end, text: replacementLink(source, tags, isInLink) + kept(element) };
    plainEnd = end;
    return undefined;
  };

  const replacementOf = (tag: Tag): TagReplacement | undefined => {
    // Links can't be nested.
    if (tag.name === "a") isInLink = !tag.isEnd;
    if (tag.isEnd) return undefined;

    if (embeddingElements.has(tag.name)) {
      const found = replaced(tag, voidElements.has(tag.name) ? tag.end : tag.elementEnd());
      if (found) return found;
    }

    if (tag.name === "link") return isExternalLink(tag) ? { text: kept(tag.text) } : undefined;

    if (tag.name === "style") {
      const end = tag.elementEnd();
      const element = html.slice(tag.start, end);
      const inside = mayHaveStyles ? withoutExternalCss(element) : element;
      return inside === element ? undefined : { end, text: inside + kept(element) };
    }

    const changed = {
      ...(svgReferences.has(tag.name) ? withoutReference(tag) : undefined),
      ...withoutLoadedAttributes(tag),
      ...(mayHaveStyles ? withoutExternalStyle(tag, isKept) : undefined),
    };

    return Object.keys(changed).length ? { text: tag.withAttributes(changed) } : undefined;
  };

  return replaceTags(html, replacementOf);
}

function isExternalLink(tag: Tag): boolean {
  return loadedLink.test(tag.value("rel") ?? "") && external.test(tag.value("href") ?? "");
}

/** Returns the first URL of another host that an element loads. */
function externalSource(tags: readonly Tag[]): string | undefined {
  const attributes = tags.flatMap((tag) => tag.attributes);
  const source = attributes.find(
    ({ name, value }) => (name === "src" || name === "poster") && external.test(value),
  );
  if (source) return source.value.trimStart();
  for (const { name, value } of attributes) {
    const candidate = name === "srcset" ? externalCandidate.exec(value)?.[1] : undefined;
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

/**
 * Replaces each `<img>` whose `src` is missing with its alternative text or file name, and removes missing
 * files from each `srcset`, and each `<source>` without others, to avoid failing requests. URLs of the site
 * in `html` start with `siteUrlMark`.
 */
export function withoutMissingImages(html: string, exists: (url: string) => boolean): string {
  const isMissing = (url: string) =>
    url.startsWith(siteUrlMark) && !exists(unescapeHtml(url.slice(siteUrlMark.length)));
  const replacementOf = (tag: Tag): TagReplacement | undefined => {
    if (tag.isEnd || (tag.name !== "img" && tag.name !== "source")) return undefined;
    const source = tag.value("src") ?? "";
    const set = tag.value("srcset");
    const candidates = set === undefined ? [] : candidatesOf(set);
    const kept = candidates.filter((candidate) => !isMissing(candidate.split(" ", 1)[0]!)).join(", ");
    const isSame = kept === candidates.join(", ");
    if (tag.name === "source" && (isMissing(source) || (kept === "" && !isSame))) return { text: "" };
    if (tag.name === "source" || !isMissing(source))
      return isSame ? undefined : { text: tag.withAttributes({ srcset: kept && ` srcset="${kept}"` }) };
    const text = tag.value("alt") || source.slice(siteUrlMark.length).split("/").at(-1);
    return { text: `<span class="${["o-outside", ...shownWhere([tag])].join(" ")}">${text}</span>` };
  };

  return replaceTags(html, replacementOf);
}

/**
 * Returns the images in a `srcset` that `sourceSet` wrote, each with its URL and its descriptor. A URL can
 * contain commas.
 */
function candidatesOf(set: string): string[] {
  return set.split(/,\s+/).filter((candidate) => candidate !== "");
}

/**
 * Returns the link that replaces an element, or a span if the element is inside a link. Contains the
 * element's alternative text, title or label, or else the file name, and then the host.
 */
function replacementLink(source: string, tags: readonly Tag[], isInLink: boolean): string {
  const url = source.replace(/^\/\//, "https://");
  const [, at = "", path = ""] = /^https?:\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  const label = tags
    .flatMap((tag) => tag.attributes)
    .find(({ name, value }) => /^(?:alt|title|aria-label)$/.test(name) && value !== "");
  const inside = `${label?.value ?? path.split("/").at(-1)} <small>${at}</small>`;
  const classes = ["o-outside", ...shownWhere(tags)].join(" ");
  if (isInLink) return `<span class="${classes}">${inside}</span>`;
  return `<a class="${classes}" href="${url}" target="_blank" rel="noopener noreferrer">${inside}</a>`;
}

/** Returns an element's classes that show or hide it, for example depending on the color mode. */
function shownWhere(tags: readonly Tag[]): string[] {
  const classes = tags.map((tag) => tag.value("class")).find((value) => value !== undefined);
  return (classes ?? "")
    .split(/\s+/)
    .filter((name) =>
      /^(?:(?:dark:)?(?:hidden|block|inline|inline-block)|o-only-(?:light|dark))$/.test(name),
    );
}

function withoutReference(tag: Tag): Record<string, string> {
  const reference = tag.attributes.find(
    ({ name, value }) => (name === "href" || name === "xlink:href") && external.test(value),
  );
  return reference ? { [reference.name]: "" } : {};
}

/** Removes attributes that load from other hosts: URLs, and values of SVG such as `url(https://…)`. */
function withoutLoadedAttributes(tag: Tag): Record<string, string> {
  const loading = tag.attributes.filter(
    ({ name, value }) =>
      (loadedAttributes.has(name) && external.test(value)) ||
      (name !== "style" && /url\(|image-set\(|\\/i.test(value) && loadsInCss(unescapeHtml(value))),
  );
  return Object.fromEntries(loading.map(({ name }) => [name, ""]));
}

function loadsInCss(value: string): boolean {
  return withoutExternalCss(value) !== value;
}

function withoutExternalStyle(tag: Tag, isKept: boolean): Record<string, string> {
  const escaped = tag.value("style");
  if (escaped === undefined) return {};
  const style = unescapeHtml(escaped);
  const inside = withoutExternalCss(style);
  if (inside === style) return {};
  return { style: ` style="${escapeHtml(inside)}"${isKept ? ` data-outside-style="${escaped}"` : ""}` };
}

/** A host in CSS, in which any character can be escaped, and browsers read backslashes as slashes. */
const colon = String.raw`(?::|\\:|\\0{0,4}3a\s?)`;
const slash = String.raw`(?:[\\/]|\\0{0,4}(?:2f|5c)\s?)`;
const cssHost = `(?:(?:https?|file)${colon}${slash}*|${slash}{2})`;
const quotedHost = `"\\s*${cssHost}[^"]*"|'\\s*${cssHost}[^']*'`;
const outsideUrl = new RegExp(String.raw`url\(\s*(?:${quotedHost}|${cssHost}[^)]*)\s*\)`, "gi");
const outsideImport = new RegExp(
  String.raw`@import(?:\s|/\*[^*]*\*/)*(?:url\(\s*)?(?:${quotedHost}|"data${colon}[^"]*"|'data${colon}[^']*'|(?:data${colon}|${cssHost})[^)\s]*)[^;]*(?:;|$)`,
  "gi",
);
const imageSet = /(?:-webkit-)?image-set\((?:[^()]|\([^()]*\))*\)/gi;
const quotedOutside = new RegExp(quotedHost, "i");

/** A letter that is written as an escape, such as `\\74 ` or `\\t` (CSS Syntax, section 4.3.7). */
const escapedLetter =
  /\\(?:0{0,4}(4[1-9a-f]|5[\da]|6[1-9a-f]|7[\da])(?![\da-f])(?:\r\n|[ \t\n\r\f])?|([g-z]))/gi;

/** Characters that browsers ignore in URLs, also as escapes, and escaped line breaks in strings. */
const ignoredInUrls = /\t|\\(?:\r\n|[\n\r\f])|\\0{0,4}[9ad](?![\da-f])(?:\r\n|[ \t\n\r\f])?/gi;

/**
 * Removes imports of other hosts and of `data:` URLs, and fonts from other hosts. Replaces other URLs of
 * other hosts with `none`. Returns the text unchanged if there are none.
 */
export function withoutExternalCss(css: string): string {
  const read = css.replace(escapedLetter, (_, code: string | undefined, letter: string) =>
    code === undefined ? letter : String.fromCodePoint(Number.parseInt(code, 16)),
  );
  const inside = withoutHosts(read);

  const joined = inside.replace(ignoredInUrls, "");
  const insideJoined = joined === inside ? inside : withoutHosts(joined);
  if (insideJoined !== joined) return insideJoined;

  return inside === read ? css : inside;
}

function withoutHosts(css: string): string {
  const withoutUrls = (text: string) =>
    text
      .replace(outsideUrl, "none")
      .replace(imageSet, (images) => (quotedOutside.test(images) ? "none" : images));
  return withoutUrls(
    css
      .replace(outsideImport, "")
      .replace(/@font-face\s*\{[^}]*\}/gi, (face) => (withoutUrls(face) === face ? face : "")),
  );
}
