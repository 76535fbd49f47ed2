/** Highlights code with the grammars and themes of Shiki. */

import type { HighlighterCore, LanguageRegistration } from "shiki/core";
import { bundledLanguages } from "shiki/langs";
import type { IGrammar, StateStack } from "shiki/textmate";
import { bundledThemes } from "shiki/themes";
import { escapeHtml } from "../../base/html-text.ts";
import { offsetsInLine, Vocabulary } from "./code-shape.ts";
import { tokenClassOf, tokenTheme } from "./code-theme.ts";
import type { ReadTable } from "./converted-patterns.ts";

/** Maximum length of a code block that is highlighted, in characters. */
const highlight_chars = 200_000;

/** Names of bundled color themes, which replace the colors of the site. */
export interface CodeThemes {
  light: string;
  dark: string;
}

/** Names of bundled grammars, by alias of the language. */
const aliases: Record<string, string> = {
  curl: "bash",
  commandline: "bash",
  cli: "bash",
  env: "dotenv",
  gitignore: "bash",
  python3: "python",
  pycon: "python",
  golang: "go",
  node: "javascript",
  nodejs: "javascript",
  reactjs: "jsx",
  "c#": "csharp",
  dotnet: "csharp",
  net: "csharp",
  objectivec: "objective-c",
  cmd: "bat",
  gradle: "groovy",
  tf: "terraform",
  jsonlines: "jsonl",
  ndjson: "jsonl",
};

const plainNames = new Set([
  "",
  "text",
  "txt",
  "plain",
  "plaintext",
  "output",
  "none",
  "log",
  "url",
  "mermaid",
  "ascii",
]);

/** Returns the name of the bundled grammar for a language. Undefined for plain text and unknown languages. */
export function languageFor(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (plainNames.has(lower)) return undefined;
  const known = aliases[lower] ?? lower;
  return Object.hasOwn(bundledLanguages, known) ? known : undefined;
}

/** Loads the grammars and themes that `highlightLines` needs. Ignores unknown names. */
export async function prepareLanguages(names: Iterable<string>, themes?: CodeThemes): Promise<void> {
  const requested = new Set([...names].map(languageFor).filter((name) => name !== undefined));
  for (const name of requested) if (!languages.has(name)) languages.set(name, await openLanguage(name));
  const named = [...new Set(themes ? [themes.light, themes.dark] : [])].filter((name) =>
    Object.hasOwn(bundledThemes, name),
  );
  for (const theme of named) {
    for (const name of [plainName, ...requested]) {
      const { core } = languages.get(name) ?? (await openPlain());
      if (!core.getLoadedThemes().includes(theme))
        await core.loadTheme(bundledThemes[theme as keyof typeof bundledThemes]);
    }
  }
}

/**
 * A grammar in a separate registry. In a shared registry, loading a language can change the grammars that
 * were loaded before it, so the colors of a block would depend on earlier pages.
 */
export interface Language {
  core: HighlighterCore;
  /** The grammar's name in its registry. */
  name: string;
  /**
   * Words in the grammar's patterns, for the shapes of lines. Undefined if lines are highlighted without
   * shapes.
   */
  vocabulary?: Vocabulary;
  /** Caches of highlighted lines, by theme. */
  caches: Map<string, LineCache>;
}

/** Name of the language that has no grammar. The colors of named themes are read from its registry. */
const plainName = "";
const languages = new Map<string, Language>();
let readTable: ReadTable = () => undefined;

/**
 * Sets the function that reads tables of converted patterns. Must be called before the first language is
 * prepared.
 */
export function useTables(read: ReadTable): void {
  readTable = read;
}

/** Loads the highlighter, which most builds after an edit don't need. */
async function loadHighlighter() {
  const highlighter = await import("./highlighter.ts");
  highlighter.patterns.useTables(readTable);
  return highlighter;
}

/** Grammars that a grammar refers to but does not load. */
const companions: Record<string, readonly (keyof typeof bundledLanguages)[]> = { mdx: ["tsx"] };

async function openLanguage(name: string): Promise<Language> {
  const names = [...(companions[name] ?? []), name as keyof typeof bundledLanguages];
  const grammars = (await Promise.all(names.map((each) => bundledLanguages[each]()))).flatMap(
    (loaded) => loaded.default,
  );
  const { createHighlighter, patterns } = await loadHighlighter();
  for (const grammar of grammars) patterns.addGrammar(grammar.name);
  const core = await createHighlighter([grammars]);
  return { core, name, vocabulary: new Vocabulary(JSON.stringify(grammars)), caches: new Map() };
}

/**
 * Opens a site's own grammar. The result has no vocabulary, since the grammar's patterns can depend on any
 * character.
 */
export async function openGrammar(grammar: LanguageRegistration, themes?: CodeThemes): Promise<Language> {
  const { createHighlighter } = await loadHighlighter();
  const core = await createHighlighter([grammar], bundled(themes));
  return { core, name: grammar.name, caches: new Map() };
}

function bundled(themes: CodeThemes | undefined) {
  const names = themes ? [...new Set([themes.light, themes.dark])] : [];
  return names
    .filter((name) => Object.hasOwn(bundledThemes, name))
    .map((name) => bundledThemes[name as keyof typeof bundledThemes]);
}

async function openPlain(): Promise<Language> {
  const { createHighlighter } = await loadHighlighter();
  const plain: Language = { core: await createHighlighter([]), name: plainName, caches: new Map() };
  languages.set(plainName, plain);
  return plain;
}

interface Span {
  /** Offset of the span's end in the shape or line. */
  end: number;
  /** Class letter in the token theme, or color in a named theme. Undefined for plain text. */
  value: string | undefined;
}

interface HighlightedShape {
  spans: Span[];
  next: StateStack | null;
}

/**
 * Cache of highlighted shapes, by the state of the grammar at the start of the line. The same lines occur on
 * many pages.
 */
class LineCache {
  private readonly states = new Map<StateStack | null, Map<string, HighlightedShape>>();
  /** Canonical instances of grammar states, so that equal states share cache entries. */
  private readonly known = new Map<string, StateStack[]>();
  private size = 0;

  get(state: StateStack | null, line: string): HighlightedShape | undefined {
    return this.states.get(state)?.get(line);
  }

  set(state: StateStack | null, line: string, highlighted: HighlightedShape): void {
    if (this.size >= cachedLines_count) this.clear();
    const lines = this.states.get(state);
    if (lines) lines.set(line, highlighted);
    else this.states.set(state, new Map([[line, highlighted]]));
    this.size++;
  }

  canonical(state: StateStack): StateStack {
    const inner = state as StateStack & { depth: number; ruleId: number; beginRuleCapturedEOL: boolean };
    const key = `${inner.depth} ${inner.ruleId} ${inner.beginRuleCapturedEOL}`;
    const candidates = this.known.get(key);
    if (!candidates) {
      this.known.set(key, [state]);
      return state;
    }
    const equal = candidates.find((candidate) => candidate.equals(state));
    if (!equal) candidates.push(state);
    return equal ?? state;
  }

  private clear(): void {
    this.states.clear();
    this.known.clear();
    this.size = 0;
  }
}

/** Maximum number of cached lines per language and theme. A full cache is cleared. */
const cachedLines_count = 100_000;

function cacheFor({ caches }: Language, theme: string): LineCache {
  let cache = caches.get(theme);
  if (!cache) caches.set(theme, (cache = new LineCache()));
  return cache;
}

/** Bits of a token's metadata that contain the index of its color. */
const foregroundMask = 0b00000000111111111000000000000000;
const foregroundOffset = 15;

/** Maximum length of a line that is highlighted, in characters. Patterns are slow on longer lines. */
const longLine_chars = 5_000;

/**
 * Data for highlighting lines with one grammar and theme. `valueOf` maps a token's color to a class or a
 * color.
 */
interface LineHighlighter {
  grammar: IGrammar;
  vocabulary: Vocabulary | undefined;
  valueOf(color: string | undefined): string | undefined;
  colors: string[];
  cache: LineCache;
}

function createLineHighlighter(language: Language, theme: string): LineHighlighter {
  const { core, name, vocabulary } = language;
  const { colorMap } = core.setTheme(theme);
  return {
    grammar: core.getLanguage(name) as unknown as IGrammar,
    vocabulary,
    valueOf: theme === tokenTheme.name ? tokenClassOf : (color) => color,
    colors: colorMap,
    cache: cacheFor(language, theme),
  };
}

function highlightShape(
  highlighter: LineHighlighter,
  shape: string,
  state: StateStack | null,
): HighlightedShape {
  const cached = highlighter.cache.get(state, shape);
  if (cached) return cached;
  const { tokens, ruleStack } = highlighter.grammar.tokenizeLine2(shape, state);
  const spans: Span[] = [];
  for (let i = 0; i < tokens.length; i += 2) {
    const start = tokens[i]!;
    const end = i + 2 < tokens.length ? tokens[i + 2]! : shape.length;
    if (end <= start) continue;
    const value = highlighter.valueOf(
      highlighter.colors[(tokens[i + 1]! & foregroundMask) >>> foregroundOffset],
    );
    const previous = spans.at(-1);
    // Whitespace has no visible color, so it is joined with the previous token.
    if (previous && (previous.value === value || shape.slice(start, end).trim() === "")) previous.end = end;
    else spans.push({ end, value });
  }

  const highlighted = { spans, next: highlighter.cache.canonical(ruleStack) };
  highlighter.cache.set(state, shape, highlighted);
  return highlighted;
}

/** Returns the spans of each line, with offsets in the line. */
function highlightSpans(highlighter: LineHighlighter, lines: readonly string[]): Span[][] {
  let state: StateStack | null = null;
  return lines.map((line) => {
    if (line.length > longLine_chars) return [{ end: line.length, value: undefined }];
    const shape = highlighter.vocabulary?.shape(line) ?? { text: line, replaced: [] };
    const highlighted = highlightShape(highlighter, shape.text, state);
    state = highlighted.next;
    if (shape.replaced.length === 0) return highlighted.spans;
    const ends = offsetsInLine(
      shape.replaced,
      highlighted.spans.map((span) => span.end),
    );
    return highlighted.spans.map((span, i) => ({ end: ends[i]!, value: span.value }));
  });
}

function classHtml(line: string, spans: readonly Span[]): string {
  let html = "";
  let start = 0;
  for (const { end, value } of spans) {
    const text = escapeHtml(line.slice(start, end));
    html += value === undefined ? text : `<span class=${value}>${text}</span>`;
    start = end;
  }
  return html;
}

/** Merges the spans of two themes. Each resulting span gets both colors. */
function colorHtml(line: string, light: readonly Span[], dark: readonly Span[]): string {
  let html = "";
  let start = 0;
  let l = 0;
  let d = 0;
  while (start < line.length && light[l] && dark[d]) {
    const end = Math.min(light[l]!.end, dark[d]!.end);
    html += `<span style="--o-l:${light[l]!.value};--o-d:${dark[d]!.value}">${escapeHtml(line.slice(start, end))}</span>`;
    if (light[l]!.end === end) l++;
    if (dark[d]!.end === end) d++;
    start = end;
  }
  return html + escapeHtml(line.slice(start));
}

/**
 * Returns the HTML of each line of the code. Long code, and code in languages that aren't loaded, isn't
 * highlighted.
 */
export function highlightLines(code: string, languageName: string, themes?: CodeThemes): string[] {
  const language = languages.get(languageFor(languageName) ?? plainName);
  return language ? highlightCode(code, language, themes) : plainLines(code);
}

/** Returns the HTML of each line of code, without highlighting. */
export function plainLines(code: string): string[] {
  return code.split("\n").map(escapeHtml);
}

/**
 * Returns the HTML of each line of code in a loaded language. Long code isn't highlighted. Ignores the named
 * themes unless both are loaded.
 */
export function highlightCode(code: string, language: Language, themes?: CodeThemes): string[] {
  if (language.name === plainName || code.length > highlight_chars) return plainLines(code);
  const lines = code.split("\n");
  if (!themes || !hasThemes(language, themes)) {
    const highlighted = highlightSpans(createLineHighlighter(language, tokenTheme.name!), lines);
    return lines.map((line, i) => classHtml(line, highlighted[i]!));
  }
  const light = highlightSpans(createLineHighlighter(language, themes.light), lines);
  const dark = highlightSpans(createLineHighlighter(language, themes.dark), lines);
  return lines.map((line, i) => colorHtml(line, light[i]!, dark[i]!));
}

/**
 * Returns the text and background colors of the named themes as CSS custom properties. Undefined if a theme
 * isn't loaded.
 */
export function themeStyle(themes: CodeThemes): string | undefined {
  const plain = languages.get(plainName);
  if (!plain || !hasThemes(plain, themes)) return undefined;
  const light = plain.core.getTheme(themes.light);
  const dark = plain.core.getTheme(themes.dark);
  return `--o-lf:${light.fg};--o-lb:${light.bg};--o-df:${dark.fg};--o-db:${dark.bg}`;
}

function hasThemes({ core }: Language, themes: CodeThemes): boolean {
  const loaded = core.getLoadedThemes();
  return loaded.includes(themes.light) && loaded.includes(themes.dark);
}
