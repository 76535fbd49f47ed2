/** Checks the links of a site to other sites, and remembers the results for later checks. */

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { plural } from "../base/plural.ts";
import { type Problem, problem } from "../base/problem.ts";
import { hostOf, parseUrl } from "../base/url.ts";
import type { ExternalLink } from "../engine/site/references/external-links.ts";
import { parseAllowedHosts } from "../io/allowed-hosts.ts";
import { type CheckedUrl, checkUrl, type UrlState, unknownHost } from "../io/check-url.ts";
import { privateFolder } from "../io/private-folder.ts";
import { requestLimits, seriesByHost } from "../io/request-slots.ts";
import type { Terminal } from "./terminal.ts";

/** Maximum number of URLs that a check sends requests to. */
const urls_count = 10_000;
/** Time after which a check begins no further requests. */
const run_ms = 10 * 60_000;
/** Maximum number of URLs that are remembered. */
const remembered_count = 50_000;
/** How long a result is used again. Others are checked each time. */
const ages_ms: Partial<Record<UrlState, number>> = { alive: 7 * 24 * 3_600_000, blocked: 24 * 3_600_000 };

/** Hosts that are reserved for examples and local networks (RFC 2606, RFC 6761, and RFC 6762). */
const reservedHost = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local)$/;

interface Remembered extends CheckedUrl {
  at_ms: number;
}

export interface CheckedLinks {
  problems: Problem[];
  /** Numbers of URLs by state. `left`: those above the limits of a check. */
  counts: Record<UrlState | "left", number>;
  /** URLs that couldn't be checked, with the reason. */
  blocked: { url: string; reason: string }[];
}

export interface LinkCheckOptions {
  /** Path of the file with earlier results. Undefined if there is none. */
  cache?: string | undefined;
  /** Default: 10 minutes. */
  run_ms?: number;
}

export async function checkExternalLinks(
  links: readonly ExternalLink[],
  { cache, run_ms: most_ms = run_ms }: LinkCheckOptions,
  terminal: Pick<Terminal, "outboundAllow" | "progress">,
): Promise<CheckedLinks> {
  const known = cache === undefined ? new Map<string, Remembered>() : readCache(cache);
  const urls = [...new Set(links.map(({ url }) => url))];
  const results = new Map<string, CheckedUrl>();
  const pending: string[] = [];
  for (const url of urls) {
    const parsed = parseUrl(url);
    const earlier = known.get(url);
    if (!parsed || reservedHost.test(hostOf(parsed))) results.set(url, { state: "skipped" });
    else if (earlier && Date.now() - earlier.at_ms < (ages_ms[earlier.state] ?? 0)) results.set(url, earlier);
    else pending.push(url);
  }

  await sendAll(pending.slice(0, urls_count), results, terminal, performance.now() + most_ms);
  for (const url of pending) {
    const result = results.get(url);
    if (result) known.set(url, { ...result, at_ms: Date.now() });
  }
  if (cache !== undefined) writeCache(cache, known);
  return summarize(links, urls, results);
}

async function sendAll(
  urls: readonly string[],
  results: Map<string, CheckedUrl>,
  { outboundAllow, progress }: Pick<Terminal, "outboundAllow" | "progress">,
  end_ms: number,
): Promise<void> {
  const { hosts: allowed } = parseAllowedHosts(outboundAllow);
  const series = seriesByHost(urls, "link");
  let done = 0;
  const worker = async () => {
    for (let next = series.pop(); next; next = series.pop())
      for (const url of next) {
        if (performance.now() >= end_ms) return;
        results.set(url, await checkUrl(url, { allowed }));
        progress("Checking links", ++done, urls.length);
      }
  };
  await Promise.all(Array.from({ length: requestLimits.link.total }, worker));

  // Without a network, no name can be resolved.
  const isOffline = urls.length > 1 && urls.every((url) => results.get(url)?.reason === unknownHost);
  if (isOffline) for (const url of urls) results.set(url, { state: "blocked", reason: "no network" });
}

function summarize(
  links: readonly ExternalLink[],
  urls: readonly string[],
  results: ReadonlyMap<string, CheckedUrl>,
): CheckedLinks {
  const counts = { alive: 0, dead: 0, blocked: 0, skipped: 0, left: 0 };
  const blocked: CheckedLinks["blocked"] = [];
  for (const url of urls) {
    const result = results.get(url);
    counts[result?.state ?? "left"]++;
    if (result?.state === "blocked") blocked.push({ url, reason: result.reason ?? "" });
  }

  const problems = links.flatMap(({ url, frame, ...place }): Problem[] => {
    const result = results.get(url);
    if (result?.state !== "dead") return [];
    const found = problem(
      "external-link",
      place,
      `Link to another site is broken: ${url} (${result.reason})`,
    );
    return [frame === undefined ? found : { ...found, frame }];
  });
  return { problems, counts, blocked };
}

/** Lines of the summary. */
export function describeExternal({ counts, blocked }: CheckedLinks): string[] {
  const { alive, dead, skipped, left } = counts;
  const found = `${plural(alive + dead + blocked.length, "link")} to other sites: ${alive} alive, ${dead} dead, ${blocked.length} blocked`;
  const others = [
    ...(skipped ? [`${skipped} not on the public internet`] : []),
    ...(left
      ? [
          `${left} above the limits of ${urls_count.toLocaleString("en")} links and ${run_ms / 60_000} minutes per run`,
        ]
      : []),
  ];
  return [
    ...blocked.slice(0, 20).map(({ url, reason }) => `Blocked: ${url} (${reason})`),
    ...(blocked.length > 20 ? [`${blocked.length - 20} more are blocked. To list them, use --json.`] : []),
    others.length ? `${found}. Not checked: ${others.join(", ")}` : found,
  ];
}

/** Returns the path of the file with the results of earlier checks. Undefined if there are no caches. */
export function linkCache({ caches }: Pick<Terminal, "caches">): string | undefined {
  return caches === undefined ? undefined : path.join(caches, "external-links.json");
}

function readCache(file: string): Map<string, Remembered> {
  try {
    const entries = JSON.parse(readFileSync(file, "utf8")) as Record<string, Remembered>;
    return new Map(Object.entries(entries).filter(([, { at_ms, state }]) => at_ms > 0 && state in ages_ms));
  } catch {
    // There is no file yet, or it's damaged.
    return new Map();
  }
}

function writeCache(file: string, known: ReadonlyMap<string, Remembered>): void {
  const fresh = [...known]
    .filter(([, { state, at_ms }]) => Date.now() - at_ms < (ages_ms[state] ?? 0))
    .sort(([, a], [, b]) => b.at_ms - a.at_ms)
    .slice(0, remembered_count);
  try {
    privateFolder(path.dirname(file), { isNamed: true });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(fresh)), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Without the cache, the next check only takes longer.
  }
}
