/**
 * Every rate limit, as data. A rule counts at one or more levels, from the outside in. A level has a quota of its own, or
 * a share of what is left of the level before: so a stranger can use up their own share, and never the whole.
 */
import { isIPv6 } from "node:net";
import { limits } from "./limits.ts";

/** Updates that an organization may trigger, and in which time: each is a build. */
const triggers = { count: 10, window_s: 10 };
/** Rates of a playground's proxy: what a reader does by hand, and what a site's readers do together. */
const proxyPerVisitor = { count: 60, window_s: 60 };
const proxyPerSite = { count: 10_000, window_s: 3_600 };
/**
 * One part in so many of what is left of a site's quota for a network, and of what is left of that for a visitor. A visitor
 * alone gets a fortieth of the site's; after 100 visitors of 100 networks, a twelfth is left for others.
 */
const siteShares = { ofSite: 10, ofNetwork: 3 };
/** Attempts to enter a site's password: enough for a typist, too few for a guesser, from one address and from many. */
const signInTries = { count: 10, window_s: 15 * 60 };
const sitePasswordPerSite = { count: 1_000, window_s: 24 * 3_600 };
/** One part in so many of the day's attempts that are left is for one network: a thousand networks still leave some for others. */
const passwordShare = 50;
/** Questions that a reader types, and a site's readers together. A visitor alone gets some 120 in an hour. */
const questionsPerVisitor = { count: 20, window_s: 60 };
const questionsPerSite = { count: 5_000, window_s: 3_600 };
/** Searches of sites whose readers sign in: one for each key they press. What they searched and opened: one for each search. */
const searchesPerVisitor = { count: 300, window_s: 60 };
const searchesPerNetwork = { count: 1_500, window_s: 60 };
const eventsPerVisitor = { count: 60, window_s: 60 };
const eventsPerSite = { count: 50_000, window_s: 3_600 };
/** Calls of a site's MCP server: programs ask in bursts. */
const mcpPerVisitor = { count: 300, window_s: 60 };
const mcpPerSite = { count: 50_000, window_s: 3_600 };
/** Requests of integrators for each organization and hour. */
const integratorRequests = { count: 10_000, window_s: 3_600 };
/** Analytics requests of an organization, unless the operator sets another number. */
const analyticsRequests = { count: 100, window_s: 3_600 };
/**
 * Wrong passwords at the dashboard, by network, by account and by both. A stranger's guesses slow down their own network.
 * The account's own number is high, since it would keep its owner out as well: 1,000 guesses a day find no decent password.
 */
const signInsPerNetwork = { count: 60, window_s: 600 };
const signInsPerAccountAndNetwork = { count: 10, window_s: 600 };
const signInsPerAccount = { count: 1_000, window_s: 24 * 3_600 };
/** Wrong operator tokens from one network: people choose them, so a guesser is stopped early. */
const wrongOperatorTokensPerNetwork = { count: 30, window_s: 600 };
/** Wrong API keys from one network. Nobody guesses one: this is for programs that try on with an old key. */
const wrongKeysPerNetwork = { count: 1_000, window_s: 600 };
/** Feedback of one visitor, and of a site's visitors together; each is a row. */
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
