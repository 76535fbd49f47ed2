/** Splits text into terms. The index and queries use the same functions. */

import { isAscii } from "../../base/is-ascii.ts";
import { knownWords_count, searchTerm_chars } from "../../base/search-limits.ts";
import { stem } from "./stem.ts";
import { stopWords } from "./stop-words.ts";

export interface Token {
  /** Offsets of the word in the text. */
  start: number;
  end: number;
  /**
   * The word's terms in the index. For most words, the stem. For a name in code, the stems of its parts, and
   * the whole name unless it is a path. In scripts without spaces, a pair of characters.
   */
  terms: readonly string[];
  /**
   * The word without accents, which queries often omit. Only set for a word with accents, unless `terms`
   * already contains the word without accents.
   */
  bare?: string;
  /** Whether the word is a stop word, or a path that consists of stop words. */
  isStop: boolean;
}

/** Matches a word. Names in code can contain `_ . - / :`. */
const word = /[\p{L}\p{M}\p{N}_]+(?:[.\-/:][\p{L}\p{M}\p{N}_]+)*/gu;
/**
 * Matches everything that `word` matches, with any characters that aren't ASCII. It is several times faster.
 */
const wordWithOthers = /[\w\x80-\uffff]+(?:[.\-/:][\w\x80-\uffff]+)*/g;

/**
 * Matches text in scripts without spaces, or with suffixes that no stemmer removes. Such text is indexed as
 * pairs of characters.
 */
const paired =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const hasPaired = new RegExp(paired.source, "u");
/**
 * Names of products in which the parts aren't words: "git" doesn't ask for GitHub, and "java" doesn't ask for
 * JavaScript.
 */
const undivided = new Set(
  "CoffeeScript DigitalOcean GitHub GitLab GraphQL JavaScript LinkedIn MariaDB MongoDB MySQL OAuth PostgreSQL TypeScript YouTube".split(
    " ",
  ),
);
const isName = /[_.\-/:]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;

const lowerUpper = /(\p{Ll}|\p{N})(\p{Lu})/gu;
const upperLower = /(\p{Lu})(\p{Lu}\p{Ll})/gu;

/** Returns the first part of a language code, in lowercase: `pt-BR` → `pt`. */
export function shortLanguage(language: string): string {
  return language.toLowerCase().split("-")[0]!;
}

/**
 * Yields the words of a text, in order. In scripts without spaces, yields overlapping pairs of characters.
 */
export function* tokens(text: string, language: string): Generator<Token> {
  const short = shortLanguage(language);
  for (const match of text.matchAll(word)) yield* tokensOfWord(match[0], match.index, short);
}

/**
 * Returns the tokens of a word that `wordsIn` found: one, or several in scripts without spaces. `language`: a
 * short language code.
 */
export function tokensOfWord(found: string, start: number, language: string): Token[] {
  const stops = stopWords(language);
  return hasPaired.test(found)
    ? [...pairs(found, start, language, stops)]
    : [token(found, start, language, stops)];
}

/** Returns all words of a text, in order. */
export function wordsIn(text: string): readonly string[] {
  const found = text.match(wordWithOthers) ?? [];
  return isAscii(text) ? found : found.flatMap((part) => (isAscii(part) ? part : (part.match(word) ?? [])));
}

/** Returns the distinct terms of a text in order, without stop words. */
export function termsOf(text: string, language: string): string[] {
  const found = new Set<string>();
  for (const { terms, isStop } of tokens(text, language))
    if (!isStop) for (const term of terms) found.add(term);
  return [...found];
}

/**
 * Returns the term that the index stores for pages whose whole title, keyword or other name is the text: the
 * stems of the text's words, such as `get=start` for `Getting started`. The words of a path aren't stemmed,
 * because `/build` and `/builds` are different operations. A long term lacks its middle. Undefined if the
 * text has no words. No other term contains `=`.
 */
export function nameTerm(text: string, language: string): string | undefined {
  const isPath = /(?:^| )\//.test(text);
  const [first = "", ...others] = normalizedName(text)
    .split(" ")
    .map((part) => (isPath ? part : foldedStem(part, language)));
  const rest = others.join("-");
  const most = searchTerm_chars;
  const [start, end] =
    first.length + rest.length < most ? [first, rest] : [first.slice(0, 12), rest.slice(12 - most)];
  return first === "" ? undefined : `${start}=${end}`;
}

export function isNameTerm(term: string): boolean {
  return term.includes("=");
}

/** Converts a name to lowercase and removes punctuation, for comparisons with a query. */
export function normalizedName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}

/**
 * Returns a word as stored in the index: its stem in lowercase, without accents. `language`: short code, such
 * as `en`.
 */
export function foldedStem(text: string, language: string): string {
  return folded(stem(text.toLowerCase(), language));
}

type Word = Omit<Token, "start" | "end">;

/** Memoized words by language and text. */
const known = new Map<string, Word>();

function token(found: string, start: number, language: string, stops: ReadonlySet<string>): Token {
  const key = `${language} ${found}`;
  let read = known.get(key);
  if (!read) {
    read = readWord(found, language, stops);
    if (known.size >= knownWords_count) known.clear();
    if (found.length <= searchTerm_chars) known.set(key, read);
  }
  return { start, end: start + found.length, ...read };
}

function readWord(found: string, language: string, stops: ReadonlySet<string>): Word {
  const lower = found.toLowerCase();

  if (!isName.test(found) || undivided.has(found)) {
    const term = foldedStem(found, language);
    const bare = folded(lower);
    return { terms: [term], isStop: stops.has(lower), ...(bare === lower || bare === term ? {} : { bare }) };
  }

  if (/^[\d.]+$/.test(found)) return { terms: [lower], isStop: false };
  const parts = partsOf(found);
  const terms = new Set(
    parts.filter((part) => !stops.has(part.toLowerCase())).map((part) => foldedStem(part, language)),
  );

  // rateLimit, rate_limit and rate-limit are the same name. A path consists of several names.
  if (!/[/:]/.test(found)) {
    terms.add(folded(parts.join("").toLowerCase()));
    for (const run of stopRuns(parts, stops)) terms.add(folded(run.join("").toLowerCase()));
  }

  return { terms: [...terms], isStop: terms.size === 0 };
}

/** Maximum number of consecutive stop words in a name that can be found without the rest of the name. */
const stopRun_parts = 4;

/** Yields the consecutive stop words among the parts of a name, such as `DO`, `NOT` in `DO_NOT_TRACK`. */
function* stopRuns(parts: readonly string[], stops: ReadonlySet<string>): Generator<string[]> {
  for (let start = 0; start < parts.length; start++)
    for (
      let end = start;
      end < Math.min(parts.length, start + stopRun_parts) && stops.has(parts[end]!.toLowerCase());
      end++
    )
      if (end > start) yield parts.slice(start, end + 1);
}

function partsOf(name: string): string[] {
  return name
    .replace(lowerUpper, "$1 $2")
    .replace(upperLower, "$1 $2")
    .split(/[\s_.\-/:]+/)
    .filter(Boolean);
}

function* pairs(
  found: string,
  start: number,
  language: string,
  stops: ReadonlySet<string>,
): Generator<Token> {
  let position = 0;
  for (const match of found.matchAll(paired)) {
    if (match.index > position) yield* latin(position, match.index);
    position = match.index + match[0].length;
    const letters = [...match[0].normalize("NFKC")];
    if (letters.length === 1)
      yield { start: start + match.index, end: start + position, terms: letters, isStop: false };
    let at = start + match.index;
    for (let index = 0; index + 1 < letters.length; index++) {
      const pair = letters[index]! + letters[index + 1]!;
      yield { start: at, end: Math.min(at + pair.length, start + position), terms: [pair], isStop: false };
      at += letters[index]!.length;
    }
  }

  if (position < found.length) yield* latin(position, found.length);

  function* latin(from: number, to: number): Generator<Token> {
    for (const match of found.slice(from, to).matchAll(word))
      yield token(match[0], start + from + match.index, language, stops);
  }
}

function folded(text: string): string {
  return /^[\x20-\x7e]*$/.test(text)
    ? text
    : text
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]/g, "")
        .normalize("NFC");
}
