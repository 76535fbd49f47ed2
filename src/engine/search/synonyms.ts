/** Finds synonyms of technical terms, so that a query also finds pages that use a different term. */

import { shortLanguage, type Token, tokens } from "./terms.ts";

/** Groups of synonyms for all languages. Most of them are abbreviations. */
const abbreviations = [
  "kubernetes, k8s",
  "i18n, l10n, internationalization, localization, languages, translation",
  "csp, content security policy",
  "sso, single sign-on",
  "oidc, openid connect",
  "2fa, mfa, two-factor authentication, multi-factor authentication",
  "tls, ssl, https",
  "ci, continuous integration, pipeline, github actions",
  "env, environment variable",
  "postgres, postgresql",
  "repo, repository",
  "a11y, accessibility",
  "js, javascript",
  "ts, typescript",
];

/** Groups of synonyms for English. */
const english = [
  "authentication, auth, sign in, log in, login, signin, authenticate",
  "sign out, log out, logout, signed out, logged out, kicked out",
  "permissions, roles, access rights, access level",
  "configuration, config, settings, preferences",
  "config file, configuration file, settings file",
  "install, installation, set up, setup, get started, getting started, quickstart, first start",
  "requirements, prerequisites",
  "downgrade, go back, roll back, rollback, revert, undo, previous version, older version",
  "upgrade, update",
  "load balancer, reverse proxy, proxy, ingress",
  "api key, api token, access token",
  "credentials, secrets, tokens",
  "rate limit, quota, throttling, limits",
  "picture, image, screenshot, photo",
  "folder, directory",
  "documentation, docs",
  "deploy, publish, release, go live, ship",
  "pricing, price, cost",
  "license, licence",
  "color, colour",
  "organize, organise",
  "customize, customise, custom, own",
  "expire, expiration, expiry, lifetime, ttl, valid for",
  "session, stay signed in, stay logged in",
  "turn off, disable, switch off, deactivate",
  "turn on, enable, switch on, activate",
  "delete, remove, erase, wipe, get rid of, tear down, throw away, nuke",
  "revoke, invalidate",
  "create, make, add",
  "rename, change the name",
  "sidebar, navigation, menu",
  "header, navbar, top bar",
  "footer, bottom of the page",
  "banner, announcement",
  "hide, hidden, exclude, leave out, left out, unlisted",
  "restrict, protect, private, groups",
  "internal, intranet, private network",
  "allowlist, whitelist, allow list, allowed",
  "404, not found, unknown address",
  "403, forbidden, access denied, permission denied",
  "401, unauthorized",
  "offline, air-gapped, without a network, without internet, no internet",
  "backup, back-up, back up",
  "restore, recover, recovery, bring back, get back",
  "search engine, google, seo, robots, crawlers",
  "formula, math, equation, latex, katex",
  "diagram, flowchart, mermaid, chart, sequence diagram",
  "table of contents, toc, outline",
  "endpoint, operation",
  "openapi, swagger, api specification, api spec, api definition",
  "schema, data model, object type",
  "playground, try it, api console, api explorer",
  "code sample, code example, example request",
  "maximum, max, limit",
  "subpath, base path, subdirectory, below a path, subfolder",
  "multi-language, multilingual, translate, languages",
  "invite, invitation, onboard",
  "teammate, colleague, coworker, team member",
  "organization, org, workspace, tenant",
  "administrator, admin, operator",
  "dashboard, admin panel, control panel, admin console",
  "url, address, link",
  "domain, hostname, domain name",
  "error, problem, failure",
  "broken link, dead link",
  "reuse, snippet, partial, include",
  "checksum, hash, sha256",
  "host, serve",
  "self-host, self-hosted, your own hosts, on-premise, on-prem",
  "container, docker",
  "replica, instance, node",
  "multiple machines, several machines, high availability, horizontal scaling, cluster",
  "database, db",
  "object storage, object store, bucket, s3",
  "archive, zip, tarball",
  "export, dump",
  "migrate, move from, switch from, convert, import from",
  "metrics, monitoring, prometheus",
  "analytics, statistics, stats, tracking",
  "visitor, reader",
  "notification, alert, notify",
  "webhook, hook",
  "connect, hook up, wire up, integrate",
  "virtual machine, vm",
  "new server, another server, different server, fresh server, new machine, another machine, different machine, fresh machine, fresh box",
  "local, on my machine, on my computer, on my laptop",
  "external, third-party, other hosts, other domains, from outside",
  "schedule, cron, nightly, every night",
  "invoice, bill, billing",
  "email, mail, smtp",
  "timeout, time limit",
  "cancel, abort, stop",
  "callout, admonition, info box, warning box, note box",
  "accordion, collapsible, expandable, fold",
  "tooltip, hover text, popup",
  "dark mode, dark theme, night mode, night theme, color mode",
  "theme, look, design, skin, appearance",
  "font, typeface, typography",
  "stylesheet, style sheet, css",
  "favicon, tab icon, browser icon",
  "social card, social preview, share image, open graph, og image",
  "zoom, enlarge, lightbox",
  "video, youtube",
  "changelog, release notes",
  "rss, feed, atom",
  "starter, template, boilerplate, scaffold",
  "hot reload, live reload, live preview",
  "assistant, chatbot, chat, bot, ask ai",
  "language model, llm, gpt, ai model",
  "vulnerability, security hole, security issue",
  "audit log, activity log",
  "passkey, webauthn, fingerprint, security key",
  "authenticator app, totp, one-time code, two-factor",
  "dependency, package, library",
  "component, widget",
  "steps, walkthrough, tutorial, step by step",
  "frontmatter, front matter, page metadata",
  "edit link, edit this page, suggest edit",
];

interface Phrase {
  keys: readonly string[];
  /**
   * The terms of each of the other phrases in the group of synonyms. A passage must contain all terms of a
   * phrase.
   */
  others: (readonly string[])[];
}

/** Phrases by first key, the longest one first. */
export type SynonymTable = ReadonlyMap<string, readonly Phrase[]>;

/** Maximum number of synonyms of a phrase. A query compares the passages of all of them. */
const synonyms_count = 12;

/** Memoized tables by language. */
const tables = new Map<string, SynonymTable>();

/**
 * Returns the synonyms by index in `words`. Each synonym is a list of terms. A passage must contain all of
 * them.
 */
export function synonymsOf(
  words: readonly Token[],
  phrases: SynonymTable,
): Map<number, readonly (readonly string[])[]> {
  const found = new Map<number, readonly (readonly string[])[]>();
  for (let place = 0; place < words.length; ) {
    const phrase = phrases
      .get(keyOf(words[place]!))
      ?.find(({ keys }) =>
        keys.every((key, index) => words[place + index] && keyOf(words[place + index]!) === key),
      );
    const length = phrase?.keys.length ?? 1;
    if (phrase) {
      const specific = Array.from({ length }, (_, index) => place + index).filter(
        (index) => !words[index]!.isStop,
      );
      for (const index of specific.length ? specific : [place]) found.set(index, phrase.others);
    }
    place += length;
  }

  return found;
}

/** Returns the synonyms of a language. `aliases`: additional groups of a site. */
export function synonymTable(of: string, aliases: readonly string[] = []): SynonymTable {
  const language = shortLanguage(of);
  const known = aliases.length ? undefined : tables.get(language);
  if (known) return known;
  const phrases = new Map<string, Phrase[]>();
  for (const group of [...abbreviations, ...(language === "en" ? english : []), ...aliases])
    addGroup(phrases, group, language);
  for (const list of phrases.values()) list.sort((a, b) => b.keys.length - a.keys.length);
  if (aliases.length === 0) tables.set(language, phrases);
  return phrases;
}

function addGroup(phrases: Map<string, Phrase[]>, group: string, language: string): void {
  const members = group.split(", ").map((text) => [...tokens(text, language)]);
  const required = members.map((words) => {
    const specific = words.filter(({ isStop }) => !isStop);
    return (specific.length ? specific : words).map(keyOf);
  });

  for (const [place, words] of members.entries()) {
    const keys = words.map(keyOf);
    const own = required[place]!.join(" ");
    const others = unique(required.filter((terms) => terms.join(" ") !== own));
    const list = phrases.get(keys[0]!) ?? [];
    const known = list.find((phrase) => phrase.keys.join(" ") === keys.join(" "));
    if (known) known.others = unique([...known.others, ...others]).slice(0, synonyms_count);
    else list.push({ keys, others });
    phrases.set(keys[0]!, list);
  }
}

function unique(lists: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(lists.map((terms) => [terms.join(" "), terms])).values()];
}

/** Returns the key of a token in the table of phrases: its last term. */
function keyOf({ terms }: Token): string {
  return terms.at(-1) ?? "";
}
