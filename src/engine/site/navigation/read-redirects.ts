/**
 * Reads the `redirects` setting of docs.json, and reports redirects that are invalid, circular or have no
 * effect.
 */

import { limits } from "../../../base/limits.ts";
import { type Problem, problem, type SourcePosition } from "../../../base/problem.ts";
import { percentDecoded } from "../../../base/url.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import type { DocsJson } from "../../config/docs-json-schema.ts";
import { fillPattern, shapeOf, wildcardsIn } from "./path-pattern.ts";
import {
  hops_count,
  indexRedirects,
  isPage,
  locationOf,
  matchRedirect,
  pathOf,
  probe,
  type Redirect,
  type Redirects,
  RedirectTally,
  type Routes,
  redirectFrom,
  withSlash,
} from "./redirects.ts";

/** A redirect that has an effect, with its position in the `redirects` setting. */
export interface ListedRedirect {
  source: string;
  destination: string;
  index: number;
}

/**
 * Reads the redirects, and reports invalid ones. `pages`: pages of the site by route, which redirects never
 * replace.
 */
export function readRedirects(
  settings: DocsJson,
  placeOf: PositionOf,
  pages: Routes,
): { redirects: Redirects; listed: ListedRedirect[]; problems: Problem[] } {
  const problems: Problem[] = [];

  /** Index of each redirect, by what its source matches. */
  const indexes = new Map<string, number>();
  const tally = new RedirectTally();

  /** Number and index of the first of the redirects that exceed a limit. */
  const excesses = new Map<string, { index: number; count?: number }>();
  const found: Redirect[] = [];
  const listed: ListedRedirect[] = [];
  const fragments = new Map<string, Map<string, string>>();
  for (const [index, { source: written, destination, permanent = true }] of (
    settings.redirects ?? []
  ).entries()) {
    const sourcePlace = () => placeOf(["redirects", index, "source"]);
    if (/[#?]/.test(written) && isSafe(destination)) {
      problems.push(fragmentRedirect(withSlash(written), destination, pages, fragments, sourcePlace()));
      listed.push({ source: written, destination, index });
      continue;
    }
    const redirect = redirectFrom({ source: written, destination, permanent });
    if (indexes.has(keyOf(redirect))) {
      problems.push(
        problem(
          "config-duplicate",
          sourcePlace(),
          `${JSON.stringify(written)} has two redirects`,
          "Remove one of them.",
        ),
      );
      continue;
    }
    if (!isSafe(destination)) {
      const at = placeOf(["redirects", index, "destination"]);
      problems.push(
        problem(
          "config-value",
          at,
          "A redirect's destination must be a path or URL",
          "Start it with / or https://.",
        ),
      );
      continue;
    }
    const most = limits.redirects.sourceWildcards_count;
    const excess =
      wildcardsIn(written) > most ? `a source can have ${most} wildcards` : tally.excessOf(redirect);
    if (excess !== undefined) {
      const { count = 0, ...first } = excesses.get(excess) ?? { index };
      excesses.set(excess, { ...first, count: count + 1 });
      continue;
    }
    indexes.set(keyOf(redirect), index);
    if (!redirect.pattern && isPage(redirect.path, pages)) {
      problems.push(
        problem(
          "redirect-hides-page",
          placeOf(["redirects", index]),
          `There is a page at ${redirect.source}`,
        ),
      );
    } else {
      found.push(redirect);
      listed.push({ source: written, destination, index });
    }
  }

  for (const [most, { index, count }] of excesses) {
    const what =
      count === 1 ? "A redirect has no effect" : `This redirect and ${count! - 1} others have no effect`;
    problems.push(problem("redirect-limit", placeOf(["redirects", index]), `${what}, because ${most}`));
  }

  const all = indexRedirects(found, fragments);
  const circular = new Set(found.filter((redirect) => isCircular(redirect, all, pages)));
  const indexOf = (redirect: Redirect) => indexes.get(keyOf(redirect))!;
  for (const redirect of circular)
    problems.push(
      problem(
        "redirect-loop",
        placeOf(["redirects", indexOf(redirect)]),
        `${redirect.source} redirects back to itself`,
      ),
    );

  const left = new Set([...circular].map(indexOf));
  return {
    redirects: indexRedirects(
      found.filter((redirect) => !circular.has(redirect)),
      fragments,
    ),
    listed: listed.filter(({ index }) => !left.has(index)),
    problems,
  };
}

/** Redirects with the same key match the same paths. */
function keyOf({ path, pattern }: Redirect): string {
  return pattern ? shapeOf(pattern) : path;
}

/**
 * Handles a redirect whose source has a fragment or query. Adds the redirect if the page's script can apply
 * it. Always returns a problem, since servers can't apply such a redirect.
 */
function fragmentRedirect(
  source: string,
  destination: string,
  pages: Routes,
  fragments: Map<string, Map<string, string>>,
  place: SourcePosition,
): Problem {
  const [, path = "", query, fragment] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(source)!;
  const route = percentDecoded(path).replace(/^\/+|\/+$/g, "");

  if (query !== undefined || fragment === undefined)
    return problem(
      "redirect-source",
      place,
      `${source} has a query string, so the redirect has no effect`,
      `Use only the path: ${path}.`,
    );

  if (!pages.has(route))
    return problem(
      "redirect-source",
      place,
      `${source} has a fragment, and there is no page at ${path}, so the redirect has no effect`,
    );

  const known = fragments.get(route) ?? new Map<string, string>();
  fragments.set(route, known);
  known.set(percentDecoded(fragment), destination);

  return problem(
    "redirect-source",
    place,
    `${source} has a fragment, so the redirect works only in browsers`,
  );
}

function isCircular(redirect: Redirect, redirects: Redirects, pages: Routes): boolean {
  let at = redirect.pattern ? fillPattern(redirect.path, new Map(), () => probe) : redirect.path;
  for (let hop = 0; hop <= hops_count; hop++) {
    const match = matchRedirect(at, redirects);
    if (!match) return false;
    if (hop > 0 && match.redirect === redirect) return true;
    at = pathOf(match.destination);
    if (isPage(at, pages)) return false;
  }
  return false;
}

/** Whether `locationOf` accepts a destination and the destination's host has no wildcards. */
function isSafe(destination: string): boolean {
  const host = /^[a-z][a-z\d+.-]*:\/*([^/?#]*)/i.exec(destination)?.[1] ?? "";
  return !/[:*][A-Za-z_*]|\*/.test(host) && locationOf(withSlash(destination)) !== undefined;
}
