/** Reports broken links and missing images on pages, and a missing logo or favicon. */

import { cutText } from "../../../base/cut-text.ts";
import { nearest } from "../../../base/nearest.ts";
import { type Problem, problem, type SourcePosition } from "../../../base/problem.ts";
import { percentDecoded } from "../../../base/url.ts";
import { lineOf } from "../../code-frame.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import type { DocsJson } from "../../config/docs-json-schema.ts";
import { type JsonPath, spanAt } from "../../json-positions.ts";
import { folderOf } from "../../paths.ts";
import type { Page, PageLink } from "../page.ts";
import type { Fragment } from "../pages/compile-fragments.ts";
import {
  fileAddress,
  findDescribed,
  findTarget,
  idOfAnchor,
  idsOn,
  isServedOrExternal,
  type LinkTargets,
  type Target,
} from "./link-targets.ts";
import type { ListedRedirect } from "./read-redirects.ts";
import { finalDestination, followRedirect } from "./redirects.ts";

/** `textOf`: returns the text of an OpenAPI document, in which the positions of its links are looked up. */
export function checkLinks(
  targets: LinkTargets,
  fragments: Iterable<Pick<Fragment, "file" | "links">>,
  textOf: (file: string) => string,
): Problem[] {
  const suggestions = new Suggestions(targets);
  const problems: Problem[] = [];
  const inDocuments = new Set<string>();
  const add = (link: PageLink, page: Page | undefined) => {
    if (link.file !== undefined) {
      const key = `${link.file} ${link.address}`;
      if (inDocuments.has(key)) return;
      inDocuments.add(key);
    }

    problems.push(...checkLink(link, page, targets, suggestions, () => placeOf(link, page, textOf)));
  };

  for (const page of targets.pages.values()) {
    const seen = new Set<string>();
    for (const link of (page.variants?.at(-1)?.page ?? page).summary.links) {
      if (seen.has(link.address)) continue;
      seen.add(link.address);
      add(link, page);
    }
  }

  for (const { links } of fragments) for (const link of links) add(link, undefined);
  return problems;
}

/** `page`: the page that contains the link. Undefined for a schema that several pages share. */
function checkLink(
  { address, kind, file, line }: PageLink,
  page: Page | undefined,
  targets: LinkTargets,
  suggestions: Suggestions,
  place: () => SourcePosition,
): Problem[] {
  const isFragment = address.startsWith("#");
  if (!/^[/#]/.test(address))
    return [problem("dead-link", place(), `Links can't have this scheme: ${cutText(address, 80)}`)];
  if (isFragment && findDescribed(address, file ?? page?.reference?.document.file, targets)) return [];
  if (file !== undefined && /^#(?:tag|operation)\//.test(address))
    return [problem("dead-anchor", place(), `Anchor not found: ${address}`)];
  if (isFragment && !page) return [];
  const target: Target = isFragment
    ? { kind: "page", page: page!, suffix: address }
    : findTarget(address, targets);

  // A field that changed can be in a part of its page that is in another file.
  const isOfChange = line === undefined && page !== undefined && page.route === targets.changesRoute;
  if (isOfChange && target.kind === "page") return [];
  if (target.kind === "page") return checkAnchor(target, targets, suggestions, place);
  // Pages show only images that are written with the capitals of their file.
  const isOther = kind === "image" && target.kind === "file" && hasOtherCapitals(address, target.path);
  if (target.kind !== "missing" && !isOther) return [];
  if (kind === "image") return [missingImage(address, place(), targets)];
  if (kind !== "link") {
    const noun = kind === "script" ? "Script" : "Style sheet";
    return [problem("dead-link", place(), `${noun} not found: ${address}`)];
  }

  const destination = followRedirect(`/${target.path}`, targets.redirects, targets.pages);
  const redirect = destination === undefined ? "" : `, which redirects to ${destination}`;
  const message = `${nounOf(address, "Page")} not found: ${address}${redirect}`;
  return [problem("dead-link", place(), message, suggestions.page(target.path))];
}

/** Whether a URL refers to a file only if the capitals of its path are ignored. */
function hasOtherCapitals(address: string, file: string): boolean {
  const path = percentDecoded(address.replace(/[?#].*$/s, "")).normalize("NFC");
  return !path.endsWith(file) && path.toLowerCase().endsWith(file);
}

function missingImage(address: string, at: SourcePosition, { served }: LinkTargets, where = ""): Problem {
  const path = percentDecoded(address.replace(/[?#].*$/, ""))
    .replace(/^\/+/, "")
    .toLowerCase();
  const near = [...served].find((file) => file.toLowerCase() === path);
  const message = `${nounOf(address, "Image")} not found: ${address}${where}`;
  return problem("missing-image", at, message, near && `Did you mean /${near}?`);
}

/** Settings that contain text with links, by key. */
const textKeys = new Set(["banner", "errors"]);

/**
 * Reports links in docs.json to pages and files that don't exist: in the navigation, header, footer, banner,
 * and on the 404 page.
 */
export function checkSettingLinks(settings: DocsJson, targets: LinkTargets, placeOf: PositionOf): Problem[] {
  const suggestions = new Suggestions(targets);
  const problems: Problem[] = [];
  const check = (address: string, path: JsonPath) => {
    if (isExternal(address) || address.startsWith("#")) return;
    const target = findTarget(address.startsWith("/") ? address : `/${address}`, targets);
    if (target.kind === "page")
      problems.push(...checkAnchor(target, targets, suggestions, () => placeOf(path)));
    if (target.kind === "missing")
      problems.push(
        problem(
          "dead-link",
          placeOf(path),
          `${nounOf(address, "Page")} not found: ${address}`,
          suggestions.page(target.path),
        ),
      );
  };

  for (const { address, path } of linksInSettings(settings)) check(address, path);
  return problems;
}

/** Yields the links in docs.json, with the paths of the settings that contain them. */
export function* linksInSettings(settings: DocsJson): Generator<{ address: string; path: JsonPath }> {
  for (const key of ["navigation", "navbar", "footer", "banner", "errors", "logo"] as const)
    yield* linksInSetting(settings[key], [key], textKeys.has(key));
}

function* linksInSetting(
  value: unknown,
  path: JsonPath,
  hasText: boolean,
): Generator<{ address: string; path: JsonPath }> {
  if (typeof value === "string") {
    if (path.at(-1) === "href") yield { address: value, path };
    else if (hasText)
      for (const [, markdown, html] of value.matchAll(/\]\(([^)\s]+)|\shref=["']([^"']+)/g))
        yield { address: markdown ?? html!, path };
  } else if (typeof value === "object" && value !== null)
    for (const [key, inside] of Object.entries(value))
      yield* linksInSetting(
        inside,
        [...path, Array.isArray(value) ? Number(key) : key],
        hasText || textKeys.has(key),
      );
}

const shareImages = ["og:image", "twitter:image"] as const;

/** Reports missing share images in docs.json and in the frontmatter of pages. */
export function checkShareImages({ seo }: DocsJson, targets: LinkTargets, placeOf: PositionOf): Problem[] {
  const isMissing = (url: unknown): url is string =>
    typeof url === "string" && url !== "" && !isServedOrExternal(url, targets);
  return shareImages.flatMap((name) => {
    const url = seo?.metatags?.[name];
    const own = [...targets.pages.values()].flatMap(({ file, frontmatter }) => {
      const image = frontmatter[name];
      return isMissing(image) && isMissing(fileAddress(image, folderOf(file), targets))
        ? [missingImage(image, { file, line: 1 }, targets, ` (${name})`)]
        : [];
    });
    return [
      ...(isMissing(url)
        ? [missingImage(url, placeOf(["seo", "metatags", name]), targets, ` (${name})`)]
        : []),
      ...own,
    ];
  });
}

/** Extensions of files other than images, with the noun for messages. */
const nouns: readonly (readonly [RegExp, string])[] = [
  [/^(?:mp4|m4v|mov|webm|ogv)$/i, "Video"],
  [/^(?:mp3|m4a|ogg|oga|wav|flac)$/i, "Audio file"],
  [/^(?:html?|mdx?)$/i, "Page"],
  [/^(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i, "Image"],
  [
    /^(?:pdf|zip|gz|tgz|tar|csv|tsv|json|ya?ml|txt|xml|docx?|xlsx?|pptx?|exe|dmg|pkg|css|js|mjs|ts|py|sh|woff2?|ttf)$/i,
    "File",
  ],
];

/** Returns what a URL refers to, from its extension. `usual`: for URLs without a known extension. */
function nounOf(url: string, usual: string): string {
  const extension = /\.([a-z\d]{1,5})(?:[?#]|$)/i.exec(url)?.[1];
  return (extension !== undefined && nouns.find(([pattern]) => pattern.test(extension))?.[1]) || usual;
}

/** Number of comparisons of a check for suggestions. Further problems have no suggestion. */
const comparisons_count = 100_000;

/** Finds similar pages and anchors, with a limited number of comparisons. */
class Suggestions {
  private left = comparisons_count;
  private readonly targets: LinkTargets;

  constructor(targets: LinkTargets) {
    this.targets = targets;
  }

  page(path: string): string | undefined {
    // Choosing the candidates is much faster than comparing them.
    if (!this.take(this.targets.pages.size / 50)) return undefined;
    const found = candidates(path, this.targets);
    const near = this.take(found.length) ? nearest(`/${path}`, found) : undefined;
    return near && `Did you mean ${near}?`;
  }

  anchor(anchor: string, page: Page): string | undefined {
    const ids = idsOn(page);
    const near = this.take(ids.size) ? nearest(anchor, ids) : undefined;
    return near && `Did you mean #${near}?`;
  }

  private take(count: number): boolean {
    this.left -= count;
    return this.left >= 0;
  }
}

/**
 * Reports the anchor of a link if the page has none like it. `source`: what has the link, if it isn't a page.
 */
function checkAnchor(
  { page, suffix }: Extract<Target, { kind: "page" }>,
  { redirects }: LinkTargets,
  suggestions: Suggestions,
  at: () => SourcePosition,
  source = "",
): Problem[] {
  if (!suffix.includes("#")) return [];
  const anchor = percentDecoded(suffix.slice(suffix.indexOf("#") + 1));
  if (redirects.fragments.get(page.route)?.has(anchor)) return [];
  if (!anchor || anchor === "top" || anchor.startsWith(":~:") || idOfAnchor(anchor, page) !== undefined)
    return [];

  return [
    problem(
      "dead-anchor",
      at(),
      `Anchor not found on /${page.route}: #${anchor}${source}`,
      suggestions.anchor(anchor, page),
    ),
  ];
}

/** Reports redirects to pages, files and anchors that don't exist on the site. */
export function checkRedirects(
  redirects: readonly ListedRedirect[],
  targets: LinkTargets,
  placeOf: PositionOf,
): Problem[] {
  const suggestions = new Suggestions(targets);
  const hasPathWith = pathSearch(targets);
  return redirects.flatMap(({ source, destination, index }) => {
    const at = () => placeOf(["redirects", index, "destination"]);
    if (isExternal(destination)) return [];
    const { text, prefix } = finalDestination(destination, targets.redirects, targets.pages);
    if (isExternal(text)) return [];

    const by = ` (destination of ${source})`;

    if (prefix !== undefined)
      return hasPathWith(prefix.slice(1))
        ? []
        : [problem("dead-link", at(), `No page or file starts with ${prefix}${by}`)];

    const target = findTarget(destination.startsWith("/") ? destination : `/${destination}`, targets);
    if (target.kind === "page") return checkAnchor(target, targets, suggestions, at, by);
    if (target.kind !== "missing") return [];

    return [
      problem(
        "dead-link",
        at(),
        `${nounOf(destination, "Page")} not found: ${destination}${by}`,
        suggestions.page(target.path),
      ),
    ];
  });
}

function isExternal(destination: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(destination);
}

/** Returns a function that checks whether the path of a page, file or folder starts with a prefix. */
function pathSearch({ pages, served, landings }: LinkTargets): (prefix: string) => boolean {
  let sorted: string[] | undefined;
  return (prefix) => {
    if (prefix === "" || landings.has(prefix.replace(/\/$/, ""))) return true;
    sorted ??= [...pages.keys(), ...served].map((path) => `${path}/`).sort();
    let low = 0;
    for (let high = sorted.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < prefix) low = middle + 1;
      else high = middle;
    }
    return sorted[low]?.startsWith(prefix) === true;
  };
}

function placeOf(
  { address, file, line, column }: PageLink,
  page: Page | undefined,
  textOf: (file: string) => string,
): SourcePosition {
  const written = [address, percentDecoded(address), address.replace(/^\//, "")];
  if (file === undefined) {
    const place = { file: page?.file ?? "", line, column: column ?? 1 };
    if (line === undefined) return { file: place.file };
    const found = lengthOfLink(lineOf(textOf(place.file), line), place.column, written);
    return { ...place, line, ...(found === undefined ? {} : { length: found }) };
  }

  const text = textOf(file);
  const found = written.find((one) => one !== "" && text.includes(one));
  return found === undefined ? { file } : { file, ...spanAt(text, text.indexOf(found), found.length) };
}

/** Number of characters from a column to the end of a link. Undefined if the link isn't in the line. */
function lengthOfLink(line: string, column: number, written: readonly string[]): number | undefined {
  const address = written.find((one) => one !== "" && line.includes(one, column - 1));
  if (address === undefined) return undefined;
  const end = line.indexOf(address, column - 1) + address.length;
  return end + (/^[)"']/.test(line.slice(end)) ? 1 : 0) - (column - 1);
}

/** Reports a missing logo or favicon. */
export function checkLogoAndFavicon(
  { logo, favicon }: DocsJson,
  targets: LinkTargets,
  placeOf: PositionOf,
): Problem[] {
  return Object.entries({ logo, favicon }).flatMap(([key, value]) => {
    const urls = typeof value === "object" ? [value.light, value.dark] : [value];
    const missing = urls.find((url) => url && !isServedOrExternal(url, targets));
    return missing
      ? [problem("missing-image", placeOf([key]), `File not found: ${missing} (${key} in docs.json)`)]
      : [];
  });
}

/**
 * Returns paths of pages to compare with a missing path, for suggestions. At most 400, since comparing all
 * pages of a large site would be slow.
 */
function candidates(path: string, targets: LinkTargets): string[] {
  const last = path.split("/").at(-1)!.toLowerCase();
  const folder = path.split("/").slice(0, -1).join("/");
  const out: string[] = [];
  for (const route of targets.pages.keys()) {
    if (
      route.toLowerCase().endsWith(last) ||
      (folder !== "" && route.startsWith(`${folder}/`)) ||
      (targets.pages.size < 500 && folder === "")
    )
      out.push(`/${route}`);
    if (out.length >= 400) break;
  }
  return out;
}
