/**
 * Defines all rate limits. A rule has one or more levels, such as site, network and visitor, that count
 * requests separately. The quota of a level is fixed, or a share of what remains of the previous level's
 * quota, so that one visitor can't use up the whole quota.
 */

import { limits } from "./limits.ts";

/** Deployments and previews that an organization may trigger. */
const triggers = { count: 10, window_s: 10 };
/** Playground requests through a site's server, per visitor and per site. */
const proxyPerVisitor = { count: 60, window_s: 60 };
const proxyPerSite = { count: 10_000, window_s: 3_600 };
/**
 * Divisors of the remaining quota: a network gets 1/10 of the site's remaining quota, and a visitor gets 1/3
 * of the network's. A single visitor can use about 1/40 of the site's quota. After 100 visitors from 100
 * networks, about 1/12 is left.
 */
const siteShares = { ofSite: 10, ofNetwork: 3 };
/** Incorrect site passwords, per visitor and per site. */
const signInTries = { count: 10, window_s: 15 * 60 };
const sitePasswordPerSite = { count: 1_000, window_s: 24 * 3_600 };
/**
 * Divisor of the remaining quota: a network gets 1/50 of the attempts that the site or the account has left.
 */
const passwordShare = 50;
/**
 * Questions to the assistant, per visitor and per site. A single visitor can ask about 120 questions per
 * hour.
 */
const questionsPerVisitor = { count: 20, window_s: 60 };
const questionsPerSite = { count: 5_000, window_s: 3_600 };
/**
 * Searches through a site's server, per visitor and per network. A search dialog can send one request per
 * keystroke.
 */
const searchesPerVisitor = { count: 300, window_s: 60 };
const searchesPerNetwork = { count: 1_500, window_s: 60 };
/** Analytics events, per visitor and per site. */
const eventsPerVisitor = { count: 60, window_s: 60 };
const eventsPerSite = { count: 50_000, window_s: 3_600 };
/** Calls to a site's MCP server. Agents send them in bursts. */
const mcpPerVisitor = { count: 300, window_s: 60 };
const mcpPerSite = { count: 50_000, window_s: 3_600 };
/** Requests per organization to the assistant, search and page APIs. Each of these APIs has its own count. */
const integratorRequests = { count: 10_000, window_s: 3_600 };
/** Analytics requests through the API, per organization. The operator can set a different number. */
const analyticsRequests = { count: 100, window_s: 3_600 };
/**
 * Failed dashboard sign-ins, per network, per account, and per account and network. The limit per account is
 * high, since it also locks out the owner, and 1,000 guesses a day don't find a strong password.
 */
const signInsPerNetwork = { count: 60, window_s: 600 };
const signInsPerAccountAndNetwork = { count: 10, window_s: 600 };
const signInsPerAccount = { count: 1_000, window_s: 24 * 3_600 };
/**
 * Wrong codes of two-factor authentication, per account, and per account and network. An attacker needs the
 * password to try one. The limit per account also locks out the owner, except in browsers that have signed in
 * to the account before. At 300 guesses a day, finding a code takes years.
 */
const wrongCodesPerAccount = { count: 300, window_s: 24 * 3_600 };
const wrongCodesPerAccountAndNetwork = { count: 10, window_s: 600 };
const wrongCodesPerAccountNetworkAndDay = { count: 50, window_s: 24 * 3_600 };
/** Wrong recovery codes per account, which have 50 random bits. */
const wrongRecoveryCodesPerAccount = { count: 1_000, window_s: 24 * 3_600 };
/** Emails per recipient and per organization. Notifications of members are most of them. */
const emailsPerRecipient = { count: 200, window_s: 24 * 3_600 };
const emailsPerOrganization = { count: 5_000, window_s: 24 * 3_600 };
/** Emailed invitations per recipient, from all organizations, and per organization. */
const invitationsPerRecipient = { count: 5, window_s: 24 * 3_600 };
const invitationsPerOrganization = { count: 50, window_s: 24 * 3_600 };
/** Requested password resets, per network and per account. Each can send an email. */
const resetsPerNetwork = { count: 20, window_s: 3_600 };
const resetsPerAccount = { count: 5, window_s: 3_600 };
/**
 * Wrong operator tokens per network. The limit is low, since operators choose the token and it may be weak.
 */
const wrongOperatorTokensPerNetwork = { count: 30, window_s: 600 };
/** Wrong API keys per network. Keys can't be guessed, but programs may keep sending a revoked key. */
const wrongKeysPerNetwork = { count: 1_000, window_s: 600 };
/**
 * Webhook deliveries per network, before their signature is checked. A git host sends the deliveries of many
 * projects from one network.
 */
const webhooksPerNetwork = { count: 3_000, window_s: 60 };
/** Signed webhook deliveries per organization. */
const webhooksPerOrganization = { count: 300, window_s: 60 };
/** Requests of Git clients for repositories of this service, and pushes to them, per organization. */
const gitRequests = { count: 6_000, window_s: 3_600 };
const gitPushes = { count: 600, window_s: 3_600 };
/** Checks of a repository's connection, per organization. Each starts git. */
const repositoryChecks = { count: 20, window_s: 60 };
/** Requests from reverse proxies that ask whether to get a certificate for a host, per process. */
const tlsChecks = { count: 6_000, window_s: 60 };
/** Feedback on pages, per visitor and per site. */
const feedbackPerVisitor = { count: 20, window_s: 600 };
const feedbackPerSite = { count: 1_000, window_s: 3_600 };

/**
 * Kind of subject that a level counts by. `visitor`: an IPv4 address or an IPv6 /64. `network`: an IPv4 /24
 * or an IPv6 /48.
 */
export type RateScope =
  | "site"
  | "organization"
  | "account"
  | "account-network"
  | "known-browser"
  | "network"
  | "visitor"
  | "token"
  | "challenge";

export interface Quota {
  count: number;
  window_s: number;
}

export interface RateLevel extends Omit<Quota, "count"> {
  per: RateScope;
  /** Number of requests that the quota allows. Absent if `ofRest` is set. */
  count?: number;
  /**
   * Divisor: the quota is the previous level's remaining quota, including the current request, divided by
   * this number and rounded up.
   */
  ofRest?: number;
}

export interface RateRule {
  /** Names the limited requests in the documentation. */
  limited: string;
  /**
   * `database`: all processes share one count. `process`: each process counts separately, which is faster.
   */
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
    limited: "Questions to a site's assistant",
    store: "database",
    levels: [{ per: "site", ...questionsPerSite }, ...shares, { per: "visitor", ...questionsPerVisitor }],
  },
  proxy: {
    limited: "Playground requests through a site's server",
    store: "database",
    levels: [{ per: "site", ...proxyPerSite }, ...shares, { per: "visitor", ...proxyPerVisitor }],
  },
  search: {
    limited: "Searches on a site's pages",
    store: "process",
    levels: [
      { per: "network", ...searchesPerNetwork },
      { per: "visitor", ...searchesPerVisitor },
    ],
  },
  mcp: {
    limited: "Calls to a site's MCP server",
    store: "process",
    levels: [{ per: "site", ...mcpPerSite }, ...shares, { per: "visitor", ...mcpPerVisitor }],
  },
  events: {
    limited: "Page views, searches, and answer ratings reported by a site's pages",
    store: "process",
    levels: [{ per: "site", ...eventsPerSite }, ...shares, { per: "visitor", ...eventsPerVisitor }],
  },
  "page-feedback": {
    limited: "Feedback on pages",
    store: "process",
    levels: [{ per: "site", ...feedbackPerSite }, ...shares, { per: "visitor", ...feedbackPerVisitor }],
  },
  "site-password": {
    limited: "Incorrect site passwords",
    store: "database",
    levels: [
      { per: "site", ...sitePasswordPerSite },
      { per: "network", ofRest: passwordShare, window_s: sitePasswordPerSite.window_s },
      { per: "visitor", ...signInTries },
    ],
  },
  "reader-token": {
    limited: "Uses of a reader's sign-in token",
    store: "database",
    levels: [{ per: "token", count: 1, window_s: limits.signInToken_s + 60 }],
  },
  "sign-in": {
    limited: "Failed dashboard sign-ins",
    store: "database",
    levels: [
      { per: "network", ...signInsPerNetwork },
      { per: "account", ...signInsPerAccount },
      { per: "account-network", ofRest: passwordShare, window_s: signInsPerAccount.window_s },
      { per: "account-network", ...signInsPerAccountAndNetwork },
    ],
  },
  "known-browser": {
    limited: "Failed dashboard sign-ins from a browser that has signed in to the account before",
    store: "database",
    levels: [{ per: "known-browser", ...signInsPerAccountAndNetwork }],
  },
  "second-factor": {
    limited: "Incorrect two-factor codes",
    store: "database",
    levels: [
      { per: "account", ...wrongCodesPerAccount },
      { per: "account-network", ...wrongCodesPerAccountNetworkAndDay },
      { per: "account-network", ...wrongCodesPerAccountAndNetwork },
    ],
  },
  "second-factor-known-browser": {
    limited: "Incorrect two-factor codes from a browser that has signed in to the account before",
    store: "database",
    levels: [
      { per: "known-browser", ...wrongCodesPerAccountNetworkAndDay },
      { per: "known-browser", ...wrongCodesPerAccountAndNetwork },
    ],
  },
  "recovery-code": {
    limited: "Incorrect recovery codes",
    store: "database",
    levels: [
      { per: "account", ...wrongRecoveryCodesPerAccount },
      { per: "account-network", ...wrongCodesPerAccountAndNetwork },
    ],
  },
  email: {
    limited: "Emails",
    store: "database",
    levels: [
      { per: "account", ...emailsPerRecipient },
      { per: "organization", ...emailsPerOrganization },
    ],
  },
  "invitation-email": {
    limited: "Emailed invitations",
    store: "database",
    levels: [
      { per: "account", ...invitationsPerRecipient },
      { per: "organization", ...invitationsPerOrganization },
    ],
  },
  "password-reset": {
    limited: "Password reset requests",
    store: "database",
    levels: [
      { per: "network", ...resetsPerNetwork },
      { per: "account", ...resetsPerAccount },
    ],
  },
  "passkey-challenge": {
    limited: "Uses of a passkey challenge",
    store: "database",
    levels: [{ per: "challenge", count: 1, window_s: limits.passkeyChallenge_s + 60 }],
  },
  analytics: {
    limited: "Analytics API requests",
    store: "database",
    levels: [{ per: "organization", ...analyticsRequests }],
  },
  trigger: {
    limited: "Triggered updates and previews",
    store: "database",
    levels: [{ per: "organization", ...triggers }],
  },
  messages: {
    limited: "Assistant API requests",
    store: "database",
    levels: [{ per: "organization", ...integratorRequests }],
  },
  searches: {
    limited: "Search API requests",
    store: "database",
    levels: [{ per: "organization", ...integratorRequests }],
  },
  pages: {
    limited: "Page API requests",
    store: "database",
    levels: [{ per: "organization", ...integratorRequests }],
  },
  "webhook-sender": {
    limited: "Incoming webhook deliveries",
    store: "process",
    levels: [{ per: "network", ...webhooksPerNetwork }],
  },
  webhook: {
    limited: "Incoming webhook deliveries with a valid signature",
    store: "database",
    levels: [{ per: "organization", ...webhooksPerOrganization }],
  },
  git: {
    limited: "Requests of Git clients to repositories of the service",
    store: "database",
    levels: [{ per: "organization", ...gitRequests }],
  },
  "git-push": {
    limited: "Pushes to repositories of the service",
    store: "database",
    levels: [{ per: "organization", ...gitPushes }],
  },
  "repository-check": {
    limited: "Repository connection checks",
    store: "database",
    levels: [{ per: "organization", ...repositoryChecks }],
  },
  "tls-check": {
    limited: "Host checks before a certificate is issued",
    store: "process",
    levels: [{ per: "network", ...tlsChecks }],
  },
  keys: {
    limited: "New API keys created by members",
    store: "database",
    levels: [{ per: "organization", ...limits.newKeys }],
  },
  "operator-token": {
    limited: "Incorrect operator tokens",
    store: "process",
    levels: [{ per: "network", ...wrongOperatorTokensPerNetwork }],
  },
  "api-key": {
    limited: "Incorrect API keys",
    store: "process",
    levels: [{ per: "network", ...wrongKeysPerNetwork }],
  },
} as const satisfies Record<string, RateRule>;

export type RateRuleName = keyof typeof rateRules;
