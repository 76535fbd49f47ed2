/** Finds the redirect of a path: exact paths, paths with wildcards, and paths with fragments. */

import { limits } from "../../../base/limits.ts";
import { parseUrl, percentDecoded } from "../../../base/url.ts";
import { encodePath } from "../../paths.ts";
import { fillPattern, matchPattern, type PathPattern, readPattern, wildcardsIn } from "./path-pattern.ts";

export interface Redirect {
  /** As in docs.json, with a slash at the start and none at the end. */
  source: string;
  /** Decoded source, which contains the wildcards as text. */
  path: string;
  destination: string;
  permanent: boolean;
  /** The parsed source, if it contains one to three wildcards. */
  pattern?: PathPattern;
}

/**
 * Redirects, indexed for lookup. Exact sources take precedence over wildcards, and earlier wildcards take
 * precedence over later ones.
 */
export interface Redirects {
  all: readonly Redirect[];
  /** Redirects without wildcards, by decoded path. */
  exact: ReadonlyMap<string, Redirect>;
  /**
   * Redirects with wildcards, by the text before the first wildcard, and then by the text after the last one.
   */
  wildcards: TextIndex<TextIndex<Wildcard[]>>;
  /** Destinations by route and fragment. Servers don't receive fragments, so the page's script redirects. */
  fragments: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Wildcard {
  redirect: Redirect & { pattern: PathPattern };
  /** Position among all redirects. */
  order: number;
}

/** Values by text. */
interface TextIndex<Value> {
  values: Map<string, Value>;
  /** The different lengths of the texts. */
  lengths: Set<number>;
}

/** Maximum number of redirects that are followed. */
export const hops_count = 10;

/**
 * Counts redirects, and checks each one against the limits. Hosts look up redirects for every request, so
 * their work is limited.
 */
export class RedirectTally {
  private count = 0;
  private chars = 0;
  private wildcards = 0;
  private severalWildcards = 0;

  /** Counts the redirect. If it exceeds a limit, returns the limit as a clause instead. */
  excessOf({ source, destination, pattern }: Redirect): string | undefined {
    const most = limits.redirects;
    const names = pattern?.names.length ?? 0;
    if (source.length > most.source_chars) return `a source can have ${most.source_chars} characters`;
    if (destination.length > most.destination_chars)
      return `a destination can have ${most.destination_chars} characters`;
    if (wildcardsIn(destination) > most.destinationWildcards_count)
      return `a destination can have ${most.destinationWildcards_count} wildcards`;
    if (this.count >= most.count) return `a site can have ${most.count} redirects`;

    const chars = this.chars + source.length + destination.length;
    if (chars > most.total_chars) return `the redirects of a site can have ${most.total_chars} characters`;
    if (names > 0 && this.wildcards >= most.wildcards_count)
      return `a site can have ${most.wildcards_count} redirects with wildcards`;
    if (names > 1 && this.severalWildcards >= most.severalWildcards_count)
      return `a site can have ${most.severalWildcards_count} redirects with more than one wildcard`;

    this.count++;
    this.chars = chars;
    if (names > 0) this.wildcards++;
    if (names > 1) this.severalWildcards++;

    return undefined;
  }
}

/** Pages of a site by route. */
export type Routes = ReadonlyMap<string, unknown>;

export function isPage(path: string, pages: Routes): boolean {
  return pages.has(path.replace(/^\/+|\/+$/g, ""));
}

/** Parses a redirect's source. Percent-encoded characters are never wildcards. */
export function redirectFrom({
  source: written,
  destination,
  permanent,
}: Pick<Redirect, "source" | "destination" | "permanent">): Redirect {
  const source = withSlash(written).replace(/(.)\/+$/, "$1");
  const pattern = readPattern(source);
  return {
    source,
    path: percentDecoded(source),
    destination,
    permanent,
    ...(pattern ? { pattern: { ...pattern, parts: pattern.parts.map(percentDecoded) } } : {}),
  };
}

/**
 * Indexes the redirects of an export (`_octavo/redirects.json`) for lookup. Older exports may contain more
 * redirects than are allowed.
 */
export function openRedirects(
  listed: readonly Pick<Redirect, "source" | "destination" | "permanent">[],
): Redirects {
  const tally = new RedirectTally();
  return indexRedirects(
    listed
      .slice(0, limits.redirects.count)
      .map(redirectFrom)
      .filter((redirect) => tally.excessOf(redirect) === undefined),
    new Map(),
  );
}

/** Applies the first matching redirect to a decoded path. Undefined if none matches. */
export function firstRedirect(
  path: string,
  redirects: Redirects,
): { destination: string; permanent: boolean } | undefined {
  const match = matchRedirect(path, redirects);
  return match && { destination: match.destination, permanent: match.redirect.permanent };
}

interface RedirectMatch {
  redirect: Redirect;
  /** Path or URL with the captured texts, which are percent-encoded. Paths start with one slash. */
  destination: string;
}

/**
 * Returns the redirect of a decoded path, with or without slashes at its end: the one with this source, or
 * else the first with matching wildcards. Undefined if none matches, or the path is too long for wildcards.
 */
export function matchRedirect(path: string, redirects: Redirects): RedirectMatch | undefined {
  const clean = path.replace(/(.)\/+$/, "$1");
  const exact = redirects.exact.get(clean);
  if (exact) return { redirect: exact, destination: withSlash(exact.destination) };
  if (clean.length > limits.redirects.matchedPath_chars) return undefined;

  let first: Wildcard | undefined;
  let captured: Map<string, string> | undefined;

  // With the slash, since `/old/:slug*` also matches `/old`.
  for (const ending of startsOf(`${clean}/`, redirects.wildcards))
    for (const sharing of endsOf(clean, ending))
      for (const wildcard of sharing) {
        if (first && first.order < wildcard.order) break;
        const texts = matchPattern(wildcard.redirect.pattern, clean);
        if (!texts) continue;
        first = wildcard;
        captured = texts;
        break;
      }

  if (!first || !captured) return undefined;
  const written = fillPattern(first.redirect.destination, captured, encodePath);
  const filled = [...captured.values()].includes("") ? written.replace(/(.)\/+$/, "$1") : written;

  // Captured text must not turn a path into a protocol-relative URL for a different host.
  return { redirect: first.redirect, destination: withSlash(filled.replace(/^\/+/, "/")) };
}

/** Yields the values of the indexed texts that a path starts with. */
function* startsOf<Value>(path: string, { values, lengths }: TextIndex<Value>): Generator<Value> {
  for (const length of lengths) {
    const value = length <= path.length ? values.get(path.slice(0, length)) : undefined;
    if (value) yield value;
  }
}

/** Yields the values of the indexed texts that a path ends with. */
function* endsOf<Value>(path: string, { values, lengths }: TextIndex<Value>): Generator<Value> {
  for (const length of lengths) {
    const value = length <= path.length ? values.get(path.slice(path.length - length)) : undefined;
    if (value) yield value;
  }
}

/** Indexes redirects for lookup. */
export function indexRedirects(all: readonly Redirect[], fragments: Redirects["fragments"]): Redirects {
  const exact = new Map<string, Redirect>();
  const wildcards: Redirects["wildcards"] = { values: new Map(), lengths: new Set() };
  for (const [order, redirect] of all.entries()) {
    if (!redirect.pattern) {
      exact.set(redirect.path, redirect);
      continue;
    }
    const { parts } = redirect.pattern;
    const ending = valueAt<TextIndex<Wildcard[]>>(parts[0]!, wildcards, () => ({
      values: new Map(),
      lengths: new Set(),
    }));
    valueAt(parts.at(-1)!, ending, () => []).push({ redirect: redirect as Wildcard["redirect"], order });
  }

  return { all, exact, wildcards, fragments };
}

/** Returns the value of a text, which is added to the index if it is missing. */
function valueAt<Value>(text: string, { values, lengths }: TextIndex<Value>, create: () => Value): Value {
  const value = values.get(text) ?? create();
  values.set(text, value);
  lengths.add(text.length);
  return value;
}

/**
 * Returns a destination as the value of a `Location` header. Undefined if the destination is unsafe. Absolute
 * URLs must be `mailto:` URLs, or `http:` or `https:` URLs with an explicit host and without credentials. All
 * other destinations, including text from wildcards, must resolve to the site itself.
 */
export function locationOf(destination: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(destination)) return undefined;
  if (/^mailto:/i.test(destination)) return parseUrl(destination)?.href;
  if (/^[a-z][a-z\d+.-]*:/i.test(destination))
    return /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i.test(destination) ? parseUrl(destination)?.href : undefined;
  const here = "http://site.invalid";
  let url: URL;
  try {
    url = new URL(destination, here);
  } catch {
    return undefined;
  }
  return url.origin === here ? url.pathname.replace(/^\/+/, "/") + url.search + url.hash : undefined;
}

/**
 * Returns the destination of a path after at most `hops_count` redirects. Undefined if no redirect matches or
 * the last destination is the path itself. Stops at the first of `pages`.
 */
export function followRedirect(path: string, redirects: Redirects, pages?: Routes): string | undefined {
  let at = path;
  for (let hop = 0; hop < hops_count; hop++) {
    const next = firstRedirect(hop === 0 ? at : pathOf(at), redirects);
    if (next === undefined) break;
    at = next.destination;
    if (pages && isPage(pathOf(at), pages)) break;
  }
  return at === path ? undefined : at;
}

/** Sample text for a wildcard, to detect circular redirects. */
export const probe = "octavo-probe";

/**
 * Returns the destination of a redirect after further redirects. `prefix`: the decoded path before its first
 * wildcard, if the path has one.
 */
export function finalDestination(
  destination: string,
  redirects: Redirects,
  pages: Routes,
): { text: string; prefix?: string } {
  const sample = withSlash(fillPattern(destination, new Map(), () => probe));
  const text = followRedirect(pathOf(sample), redirects, pages) ?? sample;
  const [prefix, rest] = pathOf(text).split(probe, 2);
  return { text, ...(rest === undefined ? {} : { prefix: prefix! }) };
}

/** Returns the decoded path of a URL on the site. */
export function pathOf(destination: string): string {
  return percentDecoded(destination.replace(/[#?].*$/s, ""));
}

/** Adds a slash to the start of a path. Returns URLs unchanged. */
export function withSlash(path: string): string {
  return /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(path) ? path : `/${path}`;
}
