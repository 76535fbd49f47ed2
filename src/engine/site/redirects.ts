/** `redirects` of docs.json: exact paths, `:slug*` and `prefix*` wildcards. */
import { type Problem, problem } from "../../base/problem.ts";
import type { PlaceOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/schema.ts";

export interface Redirect {
  source: string;
  destination: string;
  permanent: boolean;
  /** Set when the source holds a wildcard. */
  pattern?: RegExp;
}

/** Redirects ready to be looked up: exact sources win over wildcards. */
export interface Redirects {
  all: readonly Redirect[];
  exact: ReadonlyMap<string, Redirect>;
  wildcards: readonly Redirect[];
}

const hops = 10;

export function readRedirects(settings: DocsJson, placeOf: PlaceOf): { redirects: Redirects; problems: Problem[] } {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const places = new Map<Redirect, number>();
  for (const [index, entry] of (settings.redirects ?? []).entries()) {
    const source = withSlash(entry.source.replace(/[#?].*$/s, ""));
    if (seen.has(source)) continue;
    seen.add(source);
    if (!isSafe(entry.destination)) {
      const at = placeOf(["redirects", index, "destination"]);
      problems.push(
        problem("config-value", at, "A redirect's destination must be a path or a web address", "Begin it with / or https://."),
      );
      continue;
    }
    const pattern = wildcard(source);
    places.set({ source, destination: entry.destination, permanent: entry.permanent ?? true, ...(pattern ? { pattern } : {}) }, index);
  }
  const all = table([...places.keys()]);
  const kept = all.all.filter((redirect) => {
    if (!isCircular(redirect, all)) return true;
    problems.push(problem("redirect-loop", placeOf(["redirects", places.get(redirect)!]), `${redirect.source} leads back to itself`));
    return false;
  });
  return { redirects: table(kept), problems };
}

/** Redirects as an export lists them (`_octavo/redirects.json`), ready to be looked up again. */
export function openRedirects(listed: readonly Pick<Redirect, "source" | "destination" | "permanent">[]): Redirects {
  return table(
    listed.map((redirect) => {
      const pattern = wildcard(redirect.source);
      return { ...redirect, ...(pattern ? { pattern } : {}) };
    }),
  );
}

/** The redirect that an address meets first, and where it leads; undefined when there is none. */
export function firstRedirect(path: string, redirects: Redirects): { destination: string; permanent: boolean } | undefined {
  const clean = path.replace(/(.)\/+$/, "$1");
  const exact = redirects.exact.get(clean);
  if (exact) return { destination: withSlash(exact.destination), permanent: exact.permanent };
  for (const { pattern, destination, permanent } of redirects.wildcards) {
    const match = pattern?.exec(clean);
    // The first wildcard's text goes to each place of the destination that names one.
    if (match) return { destination: withSlash(destination.replace(/:[A-Za-z_]\w*\*?|\*/g, match[1] ?? "")), permanent };
  }
  return undefined;
}

function table(all: readonly Redirect[]): Redirects {
  return {
    all,
    exact: new Map(all.filter((redirect) => !redirect.pattern).map((redirect) => [redirect.source, redirect])),
    wildcards: all.filter((redirect) => redirect.pattern),
  };
}

/** Where an address ends up; undefined when nothing redirects it. */
export function followRedirect(path: string, redirects: Redirects): string | undefined {
  let at = path;
  for (let hop = 0; hop < hops; hop++) {
    const next = step(at, redirects);
    if (next === undefined) break;
    at = next;
  }
  return at === path ? undefined : at;
}

function step(path: string, redirects: Redirects): string | undefined {
  return firstRedirect(path, redirects)?.destination;
}

function isCircular(redirect: Redirect, redirects: Redirects): boolean {
  if (redirect.pattern) return false;
  const visited = new Set<string>([redirect.source]);
  let at: string | undefined = redirect.source;
  while ((at = step(at, redirects)) !== undefined) {
    const key = at.replace(/[#?].*$/s, "");
    if (key === redirect.source) return true;
    if (visited.has(key) || visited.size > hops) return false;
    visited.add(key);
    at = key;
  }
  return false;
}

function wildcard(source: string): RegExp | undefined {
  if (!/[:*]/.test(source)) return undefined;
  const parts = source.split(/:[A-Za-z_]\w*\*?|\*/);
  // Each wildcard multiplies the ways to match a path: three are more than any site needs.
  if (parts.length === 1 || parts.length > 4) return undefined;
  const isOneSegment = /:[A-Za-z_]\w*(?!\*|\w)/.test(source) && !source.includes("*");
  return new RegExp(`^${parts.map(escapeRegExp).join(isOneSegment ? "([^/]+)" : "(.*)")}$`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function withSlash(path: string): string {
  return /^(?:\/|[a-z][a-z\d+.-]*:)/i.test(path) ? path : `/${path}`;
}

/** A destination is a path or a web address. */
function isSafe(destination: string): boolean {
  return !/^[a-z][a-z\d+.-]*:/i.test(destination) || /^(?:https?|mailto):/i.test(destination);
}
