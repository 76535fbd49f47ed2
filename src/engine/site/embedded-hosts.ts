/**
 * Finds the origins of images, media and frames that a page embeds, and the origins in any text, for content
 * security policies.
 */

import { parseUrl } from "../../base/url.ts";
import { tagsIn } from "../html/tags.ts";
import type { EmbeddedHosts, EmbeddedKind, PageBody } from "./page.ts";

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
const otherElements = ["use", "feimage", "picture", "embed", "object", "link", "style"];
/**
 * A fast test to skip HTML that doesn't load content. Most `input` elements are check boxes, and only images
 * have a source.
 */
const mayLoad = new RegExp(
  `<(?:${[...Object.keys(kindsOfTags), ...otherElements].join("|")})\\b|<input\\b[^>]*\\ssrc=|url\\(`,
  "i",
);
const urlAttributes = new Set(["src", "srcset", "poster", "href", "xlink:href"]);

/**
 * Returns the origins that a body embeds. Null if it doesn't load any content, including content of the site
 * itself.
 */
export function embeddedHosts({ description, lead, html, aside }: PageBody): EmbeddedHosts | null {
  const hosts = new Map<EmbeddedKind, Set<string>>();
  let loads = false;

  const add = (text: string, kinds: readonly EmbeddedKind[]) => {
    for (const origin of originsIn(text))
      for (const kind of kinds) hosts.set(kind, (hosts.get(kind) ?? new Set()).add(origin));
  };

  const addRules = (css: string) => {
    for (const [rule] of css.matchAll(/url\([^)]*\)/gi)) add(rule, ["image"]);
  };

  for (const part of [description, lead, html, aside]) {
    if (!mayLoad.test(part)) continue;
    for (const tag of tagsIn(part)) {
      if (tag.isEnd) continue;
      const kinds =
        tag.name === "input" && tag.value("src") !== undefined ? imageKinds : kindsOfTags[tag.name];
      if (kinds || otherElements.includes(tag.name)) loads = true;
      if (tag.name === "style") addRules(part.slice(tag.end, tag.elementEnd()));
      for (const { name, value } of tag.attributes) {
        if (kinds && urlAttributes.has(name)) add(value.replace(/^\s*\/\//, "https://"), kinds);
        else if (/url\(/i.test(value)) {
          loads = true;
          addRules(value);
        }
      }
    }
  }

  return loads ? Object.fromEntries([...hosts].map(([kind, found]) => [kind, [...found]])) : null;
}

/** Yields the origins of all `http` and `https` URLs in a text. An origin can occur several times. */
export function* originsIn(text: string): Generator<string> {
  for (const [address] of text.matchAll(/https?:\/\/[\w.-]+(?::\d+)?/gi)) {
    const origin = parseUrl(address)?.origin;
    if (origin) yield origin;
  }
}
