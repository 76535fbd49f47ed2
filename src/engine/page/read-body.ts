/** Divides the HTML of a body into text and holes. */

import { unescapeHtml } from "../../base/html-text.ts";
import { originsIn } from "../../base/url.ts";
import { siteUrlMark } from "../html/safe-attributes.ts";
import { Tag, tagsIn } from "../html/tags.ts";
import { normalizePath } from "../paths.ts";
import type { EmbeddedHosts, EmbeddedKind, Hole, PageBody, RecordedPart, RenderedBody } from "./body.ts";

const imageKinds: readonly EmbeddedKind[] = ["image"];
const kindsOfTags: Record<string, readonly EmbeddedKind[]> = {
  img: imageKinds,
  image: imageKinds,
  source: ["image", "media"],
  video: ["media", "image"],
  audio: ["media"],
  track: ["media"],
  iframe: ["frame"],
};

/** Other elements that can load content. */
const otherElements = new Set(["use", "feimage", "picture", "embed", "object", "link", "style"]);
/** Elements that an export replaces with their content. */
const wholeElements = new Set(["iframe", "video", "audio", "picture", "style"]);
/** Attributes that only `safeUrl` writes. */
const urlAttributes = new Set(
  "href src srcset imagesrcset poster xlink:href action formaction cite background longdesc ping data manifest".split(
    " ",
  ),
);
const loadingAttributes = new Set(["src", "srcset", "poster", "href", "xlink:href"]);
/**
 * A fast test to skip HTML that refers to no files except by marked URLs. Reading all tags takes about five
 * times as long. Attributes of our own for scripts can have complete URLs. Most `input` elements are check
 * boxes, and only images have a source.
 */
const mayLoad = new RegExp(
  `<(?:${[...Object.keys(kindsOfTags), ...otherElements].join("|")})\\b|<input\\b[^>]*\\ssrc=|\\s(?:style|background|ping)=|="[^"<>]*\\\\[^"<>]*\\(|url\\(|image-set\\(|\\sdata-[\\w-]+="(?![\\w+.-]+:)[^"]+\\.[a-z\\d]`,
  "i",
);
/** Matches the end of a URL of a file: an extension, and optionally a query or fragment. */
const fileUrl = /\.[a-z\d]{1,8}(?:[?#]|$)/i;
const cssUrl = /(?:url|image-set)\(\s*["']?([^"')\s]+)/gi;
const quoted = /["'`](\.{0,2}\/[^"'`\s<>\\]{1,500})["'`]/g;

/** Reads the parts of one body. */
export class BodyReader {
  private readonly hosts = new Map<EmbeddedKind, Set<string>>();
  private readonly found = new Set<string>();
  private loads = false;
  private readonly folder: string;

  /** `folder`: folder of the page, for relative URLs in style sheets and scripts. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Origins that the parts embed. Null if they load no content, including content of the site itself. */
  get embeddedHosts(): EmbeddedHosts | null {
    return this.loads ? Object.fromEntries([...this.hosts].map(([kind, found]) => [kind, [...found]])) : null;
  }

  /** Root-relative URLs of the site's own files that the parts and the scripts load or link to. */
  get files(): string[] {
    return [...this.found];
  }

  /** Records the files that the code of a page's component names. */
  readScript(script: string): void {
    for (const [, url] of script.matchAll(quoted)) this.addFile(url!);
  }

  /** Divides a body into text and holes. */
  readBody(body: RenderedBody): PageBody {
    this.read(body.description);
    const [lead, html, aside] = [this.read(body.lead), this.read(body.html), this.read(body.aside)];
    const recorded = { lead: lead.recorded, html: html.recorded, aside: aside.recorded };
    return { ...body, lead: lead.text, html: html.text, aside: aside.text, holes: JSON.stringify(recorded) };
  }

  private read(given: string): { text: string; recorded: RecordedPart } {
    // Positions are in bytes. Two unpaired surrogates, one on each side of a hole, would have fewer together.
    const html = given.toWellFormed();
    const holes: Hole[] = [];
    const styles = new Set<string>();
    let text = "";
    let at = 0;
    let done = 0;
    const addUntil = (end: number) => {
      for (const [index, piece] of splitUrls(html.slice(done, end)).entries()) {
        if (index % 2) {
          holes.push({ kind: "url", at, value: piece });
          this.addFile(piece.replace(/,$/, ""));
          continue;
        }
        text += piece;
        at += Buffer.byteLength(piece);
      }
    };

    for (const { start, end, isInLink } of mayLoad.test(html) ? this.contentIn(html, styles) : []) {
      addUntil(start);
      const value = html.slice(start, end);
      holes.push({ kind: "content", at, value, ...(isInLink ? { isInLink } : {}) });
      splitUrls(value).forEach((piece, index) => index % 2 && this.addFile(piece.replace(/,$/, "")));
      done = end;
    }
    addUntil(html.length);

    return { text, recorded: { holes, styles: [...styles] } };
  }

  private contentIn(html: string, styles: Set<string>): { start: number; end: number; isInLink: boolean }[] {
    const content: { start: number; end: number; isInLink: boolean }[] = [];
    let isInLink = false;
    let done = 0;
    for (const tag of tagsIn(html)) {
      if (tag.name === "a" && tag.start >= done) isInLink = !tag.isEnd;
      if (tag.isEnd) continue;
      const style = tag.value("style");
      if (style !== undefined) styles.add(style);
      if (!this.isContent(tag, html) || tag.start < done) continue;
      done = wholeElements.has(tag.name) ? tag.elementEnd() : tag.end;
      content.push({ start: tag.start, end: done, isInLink });
    }
    return content;
  }

  /** Whether a tag can load content. Records the hosts and files that it refers to. */
  private isContent(tag: Tag, html: string): boolean {
    const kinds = tag.name === "input" && tag.value("src") !== undefined ? imageKinds : kindsOfTags[tag.name];
    let loads = kinds !== undefined || otherElements.has(tag.name);
    if (tag.name === "style") this.addRules(html.slice(tag.end, tag.elementEnd()));
    for (const { name, value: escaped } of tag.attributes) {
      const value = unescapeHtml(escaped);
      const isLoaded = kinds && loadingAttributes.has(name);
      if (isLoaded) this.addHosts(value.replace(/^\s*\/\//, "https://"), kinds);
      else if (/url\(|image-set\(/i.test(value) || (value.includes("\\") && value.includes("(")))
        loads = true;
      else if (name === "background" || name === "ping") loads = true;
      if (name === "data-props") this.readScript(value);
      else if (name.startsWith("data-")) this.addFile(value);
      else if (!isLoaded && /url\(|image-set\(/i.test(value)) this.addRules(value);
    }
    this.loads ||= loads;
    return loads;
  }

  private addHosts(text: string, kinds: readonly EmbeddedKind[]): void {
    for (const origin of originsIn(text))
      for (const kind of kinds) this.hosts.set(kind, (this.hosts.get(kind) ?? new Set()).add(origin));
  }

  private addRules(css: string): void {
    for (const [rule] of css.matchAll(/url\([^)]*\)/gi)) this.addHosts(rule, imageKinds);
    for (const [, url] of css.matchAll(cssUrl)) this.addFile(url!);
  }

  private addFile(url: string): void {
    if (/^[a-z][a-z\d+.-]*:|^\/\/|^#/i.test(url) || !fileUrl.test(url)) return;
    const path = normalizePath(this.folder, url);
    if (path !== undefined) this.found.add(`/${path}`);
  }
}

const address = /[/#][^"\s]*/y;

/**
 * Splits HTML at the URLs that `safeUrl` has marked. Every second piece is a URL, not escaped. Marks in an
 * author's text and in other attributes remain as they are.
 */
export function splitUrls(html: string): string[] {
  const pieces: string[] = [];
  let done = 0;
  let searched = 0;
  let tag: Tag | undefined;
  for (let at = html.indexOf(siteUrlMark); at >= 0; at = html.indexOf(siteUrlMark, at + 1)) {
    const start = html.slice(searched, at).lastIndexOf("<");
    if (start >= 0) tag = new Tag(html, searched + start, searched + start + 1);
    searched = at;
    address.lastIndex = at + 1;
    const escaped = address.exec(html)?.[0];
    if (escaped === undefined || !tag || at >= tag.end || !isUrl(tag, at)) continue;
    pieces.push(html.slice(done, at), unescapeHtml(escaped));
    done = at + 1 + escaped.length;
  }
  return [...pieces, html.slice(done)];
}

function isUrl(tag: Tag, at: number): boolean {
  return tag.attributes.some(({ name, start, end }) => start < at && at < end && urlAttributes.has(name));
}
