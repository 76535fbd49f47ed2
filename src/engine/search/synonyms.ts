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
  "permissions, roles, access rights",
  "configuration, config, settings",
  "install, installation, set up, setup, get started, getting started, quickstart, first start",
  "downgrade, go back, roll back, rollback, revert, undo, previous version",
  "upgrade, update",
  "load balancer, reverse proxy, proxy",
  "api key, api token, access token",
  "rate limit, quota, throttling, limits",
  "picture, image, screenshot",
  "folder, directory",
  "documentation, docs",
  "deploy, publish, release",
  "pricing, price, cost",
  "license, licence",
  "color, colour",
  "organize, organise",
  "customize, customise, custom, own",
  "expire, expiration, expiry, lifetime, ttl, valid for",
  "turn off, disable, switch off, deactivate",
  "turn on, enable, switch on, activate",
  "delete, remove, erase",
  "create, make, add",
  "sidebar, navigation, menu",
  "header, navbar",
  "hide, hidden, exclude, leave out, left out",
  "restrict, protect, private, groups",
  "404, not found, unknown address",
  "offline, air-gapped, without a network, without internet",
  "backup, back-up, back up",
  "search engine, google, seo, robots",
  "formula, math, equation, latex, katex",
  "diagram, flowchart, mermaid",
  "endpoint, operation",
  "maximum, max, limit",
  "subpath, base path, subdirectory, below a path",
  "multi-language, multilingual, translate, languages",
  "invite, invitation",
  "url, address, link",
  "error, problem",
  "reuse, snippet",
  "checksum, hash, sha256",
  "host, serve",
  "self-host, self-hosted, your own hosts, on-premise, on-prem",
];

interface Phrase {
  keys: readonly string[];
  /** The terms of each of the other phrases in the group of synonyms. A passage must contain all terms of a phrase. */
  others: (readonly string[])[];
}

/** Memoized phrases by language and first key, the longest one first. */
const read = new Map<string, Map<string, Phrase[]>>();

/** Returns the synonyms by index in `words`. Each synonym is a list of terms. A passage must contain all of them. */
export function synonymsOf(words: readonly Token[], language: string): Map<number, readonly (readonly string[])[]> {
  const found = new Map<number, readonly (readonly string[])[]>();
  const phrases = phrasesOf(shortLanguage(language));
  for (let place = 0; place < words.length; ) {
    const phrase = phrases
      .get(keyOf(words[place]!))
      ?.find(({ keys }) => keys.every((key, index) => words[place + index] && keyOf(words[place + index]!) === key));
    const length = phrase?.keys.length ?? 1;
    if (phrase) {
      const specific = Array.from({ length }, (_, index) => place + index).filter((index) => !words[index]!.isStop);
      for (const index of specific.length ? specific : [place]) found.set(index, phrase.others);
    }
    place += length;
  }
  return found;
}

function phrasesOf(language: string): Map<string, Phrase[]> {
  let phrases = read.get(language);
  if (!phrases) {
    phrases = new Map();
    for (const group of [...abbreviations, ...(language === "en" ? english : [])]) addGroup(phrases, group, language);
    for (const list of phrases.values()) list.sort((a, b) => b.keys.length - a.keys.length);
    read.set(language, phrases);
  }
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
    if (known) known.others = unique([...known.others, ...others]);
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
