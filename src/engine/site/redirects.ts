/** Reads and applies the `redirects` setting of docs.json: exact paths, paths with wildcards, and paths with fragments. */

import { byCodeUnit } from "../../base/files.ts";
import { type Problem, problem, type SourcePosition } from "../../base/problem.ts";
import { parseUrl, percentDecoded } from "../../base/url.ts";
import type { PositionOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/schema.ts";
import { encodePath } from "../paths.ts";
import { fillPattern, matchPattern, type PathPattern, readPattern } from "./path-pattern.ts";

export interface Redirect {
  source: string;
  destination: string;
  permanent: boolean;
  /** The parsed source, if it contains one to three wildcards. */
  pattern?: PathPattern;
}

/** Redirects, indexed for lookup. Exact sources take precedence over wildcards, and earlier wildcards take precedence over later ones. */
export interface Redirects {
  all: readonly Redirect[];
  exact: ReadonlyMap<string, Redirect>;
  /** Redirects with wildcards, by the text before the first wildcard (at most `prefix_chars`), since a site can have thousands. */
  wildcards: ReadonlyMap<string, readonly Wildcard[]>;
  /** The different lengths of the keys of `wildcards`. */
  prefixLengths: readonly number[];
  /** Destinations by route and fragment. Servers don't receive fragments, so the page's script redirects. */
  fragments: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Wildcard {
  redirect: Redirect & { pattern: PathPattern };
  /** Position among all redirects. */
  order: number;
}

/** Length of the longest prefix that redirects are indexed by. It limits the work for a path if the prefixes have many lengths. */
const prefix_chars = 64;

/** Maximum number of redirects that are followed. */
const hops_count = 10;

/**
 * Reads the redirects, and reports invalid ones. `routes`: routes of the site's pages. `listed`: routes of
 * the pages in the navigation.
 */
export function readRedirects(
  settings: DocsJson,
  placeOf: PositionOf,
  routes: ReadonlySet<string>,
  listed: Iterable<string>,
): { redirects: Redirects; problems: Problem[] } {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const configIndexes = new Map<Redirect, number>();
  const fragments = new Map<string, Map<string, string>>();
  for (const [index, entry] of (settings.redirects ?? []).entries()) {
    const source = withSlash(entry.source);
    if (seen.has(source)) continue;
    if (!isSafe(entry.destination)) {
      const at = placeOf(["redirects", index, "destination"]);
      problems.push(problem("config-value", at, "A redirect's destination must be a path or URL", "Start it with / or https://."));
      continue;
    }
    seen.add(source);
    if (/[#?]/.test(source)) {
      problems.push(fragmentRedirect(source, entry.destination, routes, fragments, placeOf(["redirects", index, "source"])));
      continue;
    }
    const pattern = readPattern(source);
    configIndexes.set(
      { source, destination: entry.destination, permanent: entry.permanent ?? true, ...(pattern ? { pattern } : {}) },
      index,
    );
  }
  const all = table([...configIndexes.keys()], fragments);
  const acyclic = all.all.filter((redirect) => {
    if (!isCircular(redirect, all)) return true;
    problems.push(
      problem("redirect-loop", placeOf(["redirects", configIndexes.get(redirect)!]), `${redirect.source} redirects back to itself`),
    );
    return false;
  });
  const redirects = table(acyclic, fragments);
  problems.push(...hiddenPages(redirects, listed, (redirect) => placeOf(["redirects", configIndexes.get(redirect)!])));
  return { redirects, problems };
}

/**
 * Handles a redirect whose source has a fragment or query. Adds the redirect if the page's script can apply it. Always returns a problem,
 * since servers can't apply such a redirect.
 */
function fragmentRedirect(
  source: string,
  destination: string,
  routes: ReadonlySet<string>,
  fragments: Map<string, Map<string, string>>,
  place: SourcePosition,
): Problem {
  const [, path = "", query, fragment] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(source)!;
  const route = percentDecoded(path).replace(/^\/+|\/+$/g, "");
  if (query !== undefined || fragment === undefined)
    return problem("redirect-source", place, `${source} has a query string, so the redirect has no effect`, `Use only the path: ${path}.`);
  if (!routes.has(route))
    return problem("redirect-source", place, `${source} has a fragment, and there is no page at ${path}, so the redirect has no effect`);
  const known = fragments.get(route) ?? new Map<string, string>();
  fragments.set(route, known);
  known.set(percentDecoded(fragment), destination);
  return problem("redirect-source", place, `${source} has a fragment, so the redirect works only in browsers`);
}

/** Finds redirects that make pages in the navigation unreachable. */
function hiddenPages({ all }: Redirects, listed: Iterable<string>, placeOf: (redirect: Redirect) => SourcePosition): Problem[] {
  if (all.length === 0) return [];
  const paths = [...listed].map((route) => `/${route}`).sort(byCodeUnit);
  const hidden = new Map<Redirect, string[]>();
  for (const redirect of all) {
    const { source, pattern } = redirect;
    const prefix = pattern ? pattern.parts[0]! : source;
    const found: string[] = [];
    // Compares only pages with the same prefix, since a site can have thousands of redirects and pages.
    for (let at = firstAtLeast(paths, prefix); at < paths.length && paths[at]!.startsWith(prefix); at++)
      if (pattern ? matchPattern(pattern, paths[at]!) : paths[at] === source) found.push(paths[at]!);
    if (found.length) hidden.set(redirect, found);
  }
  return [...hidden].map(([redirect, [first, ...others]]) =>
    problem(
      "redirect-hides-page",
      placeOf(redirect),
      `The redirect from ${redirect.source} hides ${first}${others.length ? ` and ${others.length} more ${others.length === 1 ? "page" : "pages"}` : ", which is in the navigation"}`,
    ),
  );
}

/** Binary search. Returns the index of the first element that isn't less than `text`, or the list's length if all are less. */
function firstAtLeast(sorted: readonly string[], text: string): number {
  let [from, before] = [0, sorted.length];
  while (from < before) {
    const middle = (from + before) >> 1;
    if (byCodeUnit(sorted[middle]!, text) < 0) from = middle + 1;
    else before = middle;
  }
  return from;
}

/** Indexes the redirects of an export (`_octavo/redirects.json`) for lookup. */
export function openRedirects(listed: readonly Pick<Redirect, "source" | "destination" | "permanent">[]): Redirects {
  return table(
    listed.map((redirect) => {
      const pattern = readPattern(redirect.source);
      return { ...redirect, ...(pattern ? { pattern } : {}) };
    }),
    new Map(),
  );
}

/** Applies the first matching redirect to a decoded path. Undefined if none matches. */
export function firstRedirect(path: string, redirects: Redirects): { destination: string; permanent: boolean } | undefined {
  const match = matchRedirect(path, redirects);
  return match && { destination: match.destination, permanent: match.redirect.permanent };
}

interface RedirectMatch {
  redirect: Redirect;
  destination: string;
}

function matchRedirect(path: string, redirects: Redirects): RedirectMatch | undefined {
  const clean = path.replace(/(.)\/+$/, "$1");
  const exact = redirects.exact.get(clean);
  if (exact) return { redirect: exact, destination: withSlash(exact.destination) };
  let first: (RedirectMatch & { order: number }) | undefined;
  for (const length of redirects.prefixLengths) {
    for (const { redirect, order } of redirects.wildcards.get(clean.slice(0, length)) ?? []) {
      if (first && first.order < order) break;
      const captured = matchPattern(redirect.pattern, clean);
      if (!captured) continue;
      const filled = fillPattern(redirect.destination, captured, encodePath);
      // Captured text must not turn a path into a protocol-relative URL for a different host.
      first = { redirect, order, destination: withSlash(filled.replace(/^\/+/, "/")) };
      break;
    }
  }
  return first;
}

function table(all: readonly Redirect[], fragments: Redirects["fragments"]): Redirects {
  const exact = new Map<string, Redirect>();
  const wildcards = new Map<string, Wildcard[]>();
  for (const [order, redirect] of all.entries()) {
    if (!redirect.pattern) exact.set(redirect.source, redirect);
    else {
      const prefix = redirect.pattern.parts[0]!.slice(0, prefix_chars);
      const known = wildcards.get(prefix) ?? [];
      wildcards.set(prefix, known);
      known.push({ redirect: redirect as Wildcard["redirect"], order });
    }
  }
  const prefixLengths = [...new Set([...wildcards.keys()].map((prefix) => prefix.length))];
  return { all, exact, wildcards, prefixLengths, fragments };
}

/**
 * Returns a destination as the value of a `Location` header. Undefined if the destination is unsafe. Absolute URLs must be `mailto:`
 * URLs, or `http:` or `https:` URLs with an explicit host and without credentials. All other destinations, including text from wildcards,
 * must resolve to the site itself.
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
 * Returns the destination of a path after at most `hops_count` redirects. Undefined if no redirect matches or the last destination is the
 * path itself.
 */
export function followRedirect(path: string, redirects: Redirects): string | undefined {
  let at = path;
  for (let hop = 0; hop < hops_count; hop++) {
    const next = step(at, redirects);
    if (next === undefined) break;
    at = next;
  }
  return at === path ? undefined : at;
}

function step(path: string, redirects: Redirects): string | undefined {
  return firstRedirect(path, redirects)?.destination;
}

/** Sample text for a wildcard, to detect circular redirects. */
const probe = "octavo-probe";

function isCircular(redirect: Redirect, redirects: Redirects): boolean {
  const start = redirect.pattern ? fillPattern(redirect.source, new Map(), () => probe) : redirect.source;
  let at = start;
  for (let hop = 0; hop <= hops_count; hop++) {
    const match = matchRedirect(at, redirects);
    if (!match) return false;
    if (hop > 0 && match.redirect === redirect) return true;
    at = match.destination.replace(/[#?].*$/s, "");
  }
  return false;
}

function withSlash(path: string): string {
  return /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(path) ? path : `/${path}`;
}

/** Whether `locationOf` accepts a destination and the destination's host has no wildcards. */
function isSafe(destination: string): boolean {
  const host = /^[a-z][a-z\d+.-]*:\/*([^/?#]*)/i.exec(destination)?.[1] ?? "";
  return !/[:*][A-Za-z_*]|\*/.test(host) && locationOf(withSlash(destination)) !== undefined;
}
