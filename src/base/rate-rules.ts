/**
 * Every rate limit, as data. A rule counts at one or more levels, from the outside in. A level has a quota of its own, or
 * a share of what is left of the level before: so a stranger can use up their own share, and never the whole.
 */
import { isIPv6 } from "node:net";
import { limits } from "./limits.ts";

/** `visitor`: an IPv4 address or an IPv6 /64. `network`: an IPv4 /24 or an IPv6 /48. */
export type RateScope = "site" | "organization" | "account" | "account-network" | "known-browser" | "network" | "visitor" | "token";

export interface Quota {
  count: number;
  window_s: number;
}

export interface RateLevel extends Omit<Quota, "count"> {
  per: RateScope;
  /** Absent where `ofRest` says how many. */
  count?: number;
  /** One part in so many of what is left of the level before, and at least one. */
  ofRest?: number;
}

export interface RateRule {
  /** What it protects, for the page of limits. */
  protects: string;
  /** `database`: one count over all processes. `process`: each process counts for itself, for what costs little. */
  store: "database" | "process";
  levels: readonly RateLevel[];
}

const { window_s: hour_s } = limits.questionsPerSite;

const shares = [
  { per: "network", ofRest: limits.siteShares.ofSite, window_s: hour_s },
  { per: "visitor", ofRest: limits.siteShares.ofNetwork, window_s: hour_s },
] as const;

export const rateRules = {
  question: {
    protects: "Questions to a site's assistant",
    store: "database",
    levels: [{ per: "site", ...limits.questionsPerSite }, ...shares, { per: "visitor", ...limits.questionsPerVisitor }],
  },
  proxy: {
    protects: "Playground requests through a site's server",
    store: "database",
    levels: [{ per: "site", ...limits.proxyPerSite }, ...shares, { per: "visitor", ...limits.proxyPerVisitor }],
  },
  search: {
    protects: "Searches on a site's pages",
    store: "process",
    levels: [
      { per: "network", ...limits.searchesPerNetwork },
      { per: "visitor", ...limits.searchesPerVisitor },
    ],
  },
  mcp: {
    protects: "Calls of a site's MCP server",
    store: "process",
    levels: [{ per: "site", ...limits.mcpPerSite }, ...shares, { per: "visitor", ...limits.mcpPerVisitor }],
  },
  events: {
    protects: "Page views, searches and ratings of answers that a site's pages report",
    store: "process",
    levels: [{ per: "site", ...limits.eventsPerSite }, ...shares, { per: "visitor", ...limits.eventsPerVisitor }],
  },
  "page-feedback": {
    protects: "Feedback on pages",
    store: "process",
    levels: [{ per: "site", ...limits.feedbackPerSite }, ...shares, { per: "visitor", ...limits.feedbackPerVisitor }],
  },
  "site-password": {
    protects: "Attempts to enter a site's password",
    store: "database",
    levels: [
      { per: "site", ...limits.sitePasswordPerSite },
      { per: "network", ofRest: limits.passwordShare, window_s: limits.sitePasswordPerSite.window_s },
      { per: "visitor", ...limits.signInTries },
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
      { per: "network", ...limits.signInsPerNetwork },
      { per: "account", ...limits.signInsPerAccount },
      { per: "account-network", ofRest: limits.passwordShare, window_s: limits.signInsPerAccount.window_s },
      { per: "account-network", ...limits.signInsPerAccountAndNetwork },
    ],
  },
  "known-browser": {
    protects: "Wrong passwords in a browser that signed in to the account before",
    store: "database",
    levels: [{ per: "known-browser", ...limits.signInsPerAccountAndNetwork }],
  },
  analytics: {
    protects: "Analytics requests by the API",
    store: "database",
    levels: [{ per: "organization", ...limits.analyticsRequests }],
  },
  trigger: {
    protects: "Triggered updates and previews",
    store: "database",
    levels: [{ per: "organization", ...limits.triggers }],
  },
  messages: { protects: "Questions by the API", store: "database", levels: [{ per: "organization", ...limits.integratorRequests }] },
  searches: { protects: "Searches by the API", store: "database", levels: [{ per: "organization", ...limits.integratorRequests }] },
  pages: { protects: "Pages read by the API", store: "database", levels: [{ per: "organization", ...limits.integratorRequests }] },
  keys: { protects: "New API keys that members create", store: "database", levels: [{ per: "organization", ...limits.newKeys }] },
  "operator-token": {
    protects: "Wrong operator tokens",
    store: "process",
    levels: [{ per: "network", ...limits.wrongOperatorTokensPerNetwork }],
  },
  "api-key": {
    protects: "Wrong API keys",
    store: "process",
    levels: [{ per: "network", ...limits.wrongKeysPerNetwork }],
  },
} as const satisfies Record<string, RateRule>;

export type RateRuleName = keyof typeof rateRules;

/** The addresses that one visitor has: an IPv6 connection comes with a /64 of its own. */
export function visitorOf(address: string): string {
  return isIPv6(address) ? `${ipv6Groups(address).slice(0, 4).join(":")}::/64` : address;
}

/** The addresses that are given to one customer of a provider: what a visitor can change between requests. */
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
