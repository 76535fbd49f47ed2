/**
 * All rate limits. A rule counts at one or more levels, the largest group first. A level has a fixed quota, or a share of the
 * remaining quota of the level before, so that one visitor can't use up the whole quota.
 */

import { isIPv6 } from "node:net";
import { limits } from "./limits.ts";

/** Builds that an organization may trigger. */
const triggers = { count: 10, window_s: 10 };
/** Requests through a playground's proxy, of one reader and of a site's readers together. */
const proxyPerVisitor = { count: 60, window_s: 60 };
const proxyPerSite = { count: 10_000, window_s: 3_600 };
/**
 * Shares: a network gets 1/10 of a site's remaining quota, a visitor 1/3 of a network's. A single visitor gets a fortieth of
 * the site's quota; after 100 visitors of 100 networks, a twelfth is left.
 */
const siteShares = { ofSite: 10, ofNetwork: 3 };
/** Attempts to enter a site's password, of one visitor and of all visitors. */
const signInTries = { count: 10, window_s: 15 * 60 };
const sitePasswordPerSite = { count: 1_000, window_s: 24 * 3_600 };
/** A network gets 1/50 of the remaining attempts. */
const passwordShare = 50;
/** Questions of one reader, and of a site's readers together. A single visitor gets about 120 in an hour. */
const questionsPerVisitor = { count: 20, window_s: 60 };
const questionsPerSite = { count: 5_000, window_s: 3_600 };
/** Searches on sites with sign-in: one per key press. Events: one per search. */
const searchesPerVisitor = { count: 300, window_s: 60 };
const searchesPerNetwork = { count: 1_500, window_s: 60 };
const eventsPerVisitor = { count: 60, window_s: 60 };
const eventsPerSite = { count: 50_000, window_s: 3_600 };
/** Calls of a site's MCP server, which come in bursts. */
const mcpPerVisitor = { count: 300, window_s: 60 };
const mcpPerSite = { count: 50_000, window_s: 3_600 };
/** API requests of an organization. */
const integratorRequests = { count: 10_000, window_s: 3_600 };
/** Analytics requests of an organization, unless the operator sets another number. */
const analyticsRequests = { count: 100, window_s: 3_600 };
/**
 * Wrong passwords at the dashboard, by network, by account and by both. The limit of an account is high, since it also locks
 * out the owner: 1,000 guesses a day don't find a decent password.
 */
const signInsPerNetwork = { count: 60, window_s: 600 };
const signInsPerAccountAndNetwork = { count: 10, window_s: 600 };
const signInsPerAccount = { count: 1_000, window_s: 24 * 3_600 };
/** Wrong operator tokens from one network. The limit is low, since people choose the tokens. */
const wrongOperatorTokensPerNetwork = { count: 30, window_s: 600 };
/** Wrong API keys from one network. Keys can't be guessed; this limits programs with a revoked key. */
const wrongKeysPerNetwork = { count: 1_000, window_s: 600 };
/** Feedback of one visitor, and of a site's visitors together. Each is a database row. */
const feedbackPerVisitor = { count: 20, window_s: 600 };
const feedbackPerSite = { count: 1_000, window_s: 3_600 };

/** `visitor`: an IPv4 address or an IPv6 /64. `network`: an IPv4 /24 or an IPv6 /48. */
export type RateScope = "site" | "organization" | "account" | "account-network" | "known-browser" | "network" | "visitor" | "token";

export interface Quota {
  count: number;
  window_s: number;
}

export interface RateLevel extends Omit<Quota, "count"> {
  per: RateScope;
  /** Absent with `ofRest`. */
  count?: number;
  /** Divisor: the quota is this fraction of the remaining quota of the level before, at least 1. */
  ofRest?: number;
}

export interface RateRule {
  /** What is limited, for the documentation. */
  protects: string;
  /** `database`: one count for all processes. `process`: each process counts separately, for cheap requests. */
  store: "database" | "process";
  levels: readonly RateLevel[];
}

const { window_s: hour_s } = questionsPerSite;

const shares = [
  { per: "network", ofRest: siteShares.ofSite, window_s: hour_s },
  { per: "visitor", ofRest: siteShares.ofNetwork, window_s: hour_s },
] as const;

export const rateRules = {
  question: {
    protects: "Questions to a site's assistant",
    store: "database",
    levels: [{ per: "site", ...questionsPerSite }, ...shares, { per: "visitor", ...questionsPerVisitor }],
  },
  proxy: {
    protects: "Playground requests through a site's server",
    store: "database",
    levels: [{ per: "site", ...proxyPerSite }, ...shares, { per: "visitor", ...proxyPerVisitor }],
  },
  search: {
    protects: "Searches on a site's pages",
    store: "process",
    levels: [
      { per: "network", ...searchesPerNetwork },
      { per: "visitor", ...searchesPerVisitor },
    ],
  },
  mcp: {
    protects: "Calls of a site's MCP server",
    store: "process",
    levels: [{ per: "site", ...mcpPerSite }, ...shares, { per: "visitor", ...mcpPerVisitor }],
  },
  events: {
    protects: "Page views, searches and ratings of answers that a site's pages report",
    store: "process",
    levels: [{ per: "site", ...eventsPerSite }, ...shares, { per: "visitor", ...eventsPerVisitor }],
  },
  "page-feedback": {
    protects: "Feedback on pages",
    store: "process",
    levels: [{ per: "site", ...feedbackPerSite }, ...shares, { per: "visitor", ...feedbackPerVisitor }],
  },
  "site-password": {
    protects: "Attempts to enter a site's password",
    store: "database",
    levels: [
      { per: "site", ...sitePasswordPerSite },
      { per: "network", ofRest: passwordShare, window_s: sitePasswordPerSite.window_s },
      { per: "visitor", ...signInTries },
    ],
  },
  "reader-token": {
    protects: "Single use of a reader's sign-in token",
    store: "database",
    levels: [{ per: "token", count: 1, window_s: limits.signInToken_s + 60 }],
  },
  "sign-in": {
    protects: "Wrong passwords at the dashboard",
    store: "database",
    levels: [
      { per: "network", ...signInsPerNetwork },
      { per: "account", ...signInsPerAccount },
      { per: "account-network", ofRest: passwordShare, window_s: signInsPerAccount.window_s },
      { per: "account-network", ...signInsPerAccountAndNetwork },
    ],
  },
  "known-browser": {
    protects: "Wrong passwords in a browser that signed in to the account before",
    store: "database",
    levels: [{ per: "known-browser", ...signInsPerAccountAndNetwork }],
  },
  analytics: {
    protects: "Analytics requests by the API",
    store: "database",
    levels: [{ per: "organization", ...analyticsRequests }],
  },
  trigger: {
    protects: "Triggered updates and previews",
    store: "database",
    levels: [{ per: "organization", ...triggers }],
  },
  messages: { protects: "Questions by the API", store: "database", levels: [{ per: "organization", ...integratorRequests }] },
  searches: { protects: "Searches by the API", store: "database", levels: [{ per: "organization", ...integratorRequests }] },
  pages: { protects: "Pages read by the API", store: "database", levels: [{ per: "organization", ...integratorRequests }] },
  keys: { protects: "New API keys that members create", store: "database", levels: [{ per: "organization", ...limits.newKeys }] },
  "operator-token": {
    protects: "Wrong operator tokens",
    store: "process",
    levels: [{ per: "network", ...wrongOperatorTokensPerNetwork }],
  },
  "api-key": {
    protects: "Wrong API keys",
    store: "process",
    levels: [{ per: "network", ...wrongKeysPerNetwork }],
  },
} as const satisfies Record<string, RateRule>;

export type RateRuleName = keyof typeof rateRules;

/** The visitor of an IP address: the IPv4 address, or the IPv6 /64. */
export function visitorOf(address: string): string {
  return isIPv6(address) ? `${ipv6Groups(address).slice(0, 4).join(":")}::/64` : address;
}

/** The network of an IP address, within which a customer of a provider can change addresses: IPv4 /24 or IPv6 /48. */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${ipv6Groups(address).slice(0, 3).join(":")}::/48` : address.replace(/\.\d+$/, ".0/24");
}

/** Eight groups without leading zeros. */
function ipv6Groups(address: string): string[] {
  const text = address.replace(/%.*$/s, "").replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`;
  });
  const [head = "", tail] = text.split("::");
  const [first, last] = [head, tail ?? ""].map((part) => part.split(":").filter((group) => group !== ""));
  const missing = tail === undefined ? 0 : 8 - first!.length - last!.length;
  return [...first!, ...Array.from({ length: missing }, () => "0"), ...last!].map((group) => Number.parseInt(group, 16).toString(16));
}
