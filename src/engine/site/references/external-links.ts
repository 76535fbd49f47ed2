/** Lists the links of a site to other sites. */

import { unescapeHtml } from "../../../base/html-text.ts";
import { codeFrame } from "../../code-frame.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import { spanAt, type TextSpan } from "../../json-positions.ts";
import type { Site } from "../build-site.ts";
import { linksInSettings } from "../navigation/check-links.ts";
import { SourceTexts } from "./page-links.ts";

/** A link to another site. Without a line if code composes its URL. */
export interface ExternalLink extends Partial<TextSpan> {
  url: string;
  file: string;
  frame?: string;
}

const linkTag = /<a\s[^>]*?\bhref="(https?:\/\/[^"]+)"/g;

/** Returns the links in pages and in docs.json, once for each place. URLs have no fragment. */
export function externalLinks(site: Site, placeOf: PositionOf): ExternalLink[] {
  const texts = new SourceTexts(site);
  const found = new Map<string, ExternalLink>();
  const add = (link: ExternalLink) => {
    const key = `${link.file}:${link.line}:${link.column}:${link.url}`;
    if (!found.has(key)) found.set(key, link);
  };

  const snippets = site.files.paths.filter((path) => /(?:^|\/)_?snippets?\/.*\.(?:mdx?|[jt]sx?)$/.test(path));
  for (const { storedName, file } of site.pages.values()) {
    for (const url of urlsOf(storedName, site)) {
      const from = [file, ...snippets].find((path) => texts.of(path).text.includes(url));
      const spans =
        from === undefined ? [] : placesOf(url, texts.of(from), from === file && storedName !== file);
      if (from === undefined || spans.length === 0) add({ url: withoutFragment(url), file });
      else for (const span of spans) add(linkAt(url, from, span, texts.of(from).text));
    }
  }

  for (const { address, path } of linksInSettings(site.config.settings))
    if (/^https?:\/\//.test(address)) add({ url: withoutFragment(address), ...placeOf(path) });
  return [...found.values()];
}

function urlsOf(name: string, { bodies }: Site): Set<string> {
  const urls = new Set<string>();
  for (const part of ["description", "lead", "html", "aside"] as const)
    for (const [, url] of bodies.bodyPart(name, part).matchAll(linkTag)) urls.add(unescapeHtml(url!));
  return urls;
}

/** `isDocument`: whether the text is an OpenAPI document, of which only the first place is returned. */
function placesOf(
  url: string,
  source: { text: string; links(url: string): TextSpan[] },
  isDocument: boolean,
): TextSpan[] {
  const links = isDocument ? [] : source.links(url);
  return links.length > 0 ? links : [spanAt(source.text, source.text.indexOf(url), url.length)];
}

function linkAt(url: string, file: string, span: TextSpan, text: string): ExternalLink {
  const frame = codeFrame(text, { file, ...span });
  return { url: withoutFragment(url), file, ...span, ...(frame === undefined ? {} : { frame }) };
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}
