/** Finds the origins of images, media and frames that a page embeds, and the origins in any text, for content security policies. */

import { parseUrl } from "../../base/url.ts";
import type { EmbeddedHosts, EmbeddedKind, PageBody } from "./page.ts";

const kindsOfTags: Record<string, readonly EmbeddedKind[]> = {
  img: ["image"],
  image: ["image"],
  source: ["image", "media"],
  video: ["media", "image"],
  audio: ["media"],
  track: ["media"],
  iframe: ["frame"],
};

/** Matches everything in HTML that can load content. */
const embedding =
  /<(?:img|image|use|feImage|source|video|audio|track|picture|iframe|embed|object|link|style)\b|(?:src|srcset|poster)="|url\(|@import/i;

/** Returns the origins that a body embeds. Null if it doesn't load any content, including content of the site itself. */
export function embeddedHosts({ description, lead, html, aside }: PageBody): EmbeddedHosts | null {
  const parts = [description, lead, html, aside];
  if (!parts.some((part) => embedding.test(part))) return null;
  const hosts = new Map<EmbeddedKind, Set<string>>();
  const add = (text: string, kinds: readonly EmbeddedKind[]) => {
    for (const origin of originsIn(text)) for (const kind of kinds) hosts.set(kind, (hosts.get(kind) ?? new Set()).add(origin));
  };
  for (const text of parts) {
    if (!text.includes("//")) continue;
    for (const [found, name] of text.matchAll(/<(img|image|source|video|audio|track|iframe)\b[^>]*>|url\([^)]*\)/gi)) {
      if (name) add(found.replaceAll('="//', '="https://'), kindsOfTags[name.toLowerCase()]!);
      for (const [rule] of found.matchAll(/url\([^)]*\)/gi)) add(rule, ["image"]);
    }
  }
  return Object.fromEntries([...hosts].map(([kind, found]) => [kind, [...found]]));
}

/** Yields the origins of all `http` and `https` URLs in a text. An origin can occur several times. */
export function* originsIn(text: string): Generator<string> {
  for (const [address] of text.matchAll(/https?:\/\/[\w.-]+(?::\d+)?/gi)) {
    const origin = parseUrl(address)?.origin;
    if (origin) yield origin;
  }
}
