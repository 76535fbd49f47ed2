import type { HighlighterCore, LanguageRegistration } from "shiki/core";
import { createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import type { IGrammar, StateStack } from "shiki/textmate";
import { bundledThemes } from "shiki/themes";
import { limits } from "../../base/limits.ts";
import { escapeHtml } from "../../base/text.ts";
import { offsetsInLine, Vocabulary } from "./code-shape.ts";
import { tokenClassOf, tokenTheme } from "./code-theme.ts";

/** Names of bundled colour themes, for sites that want another look than the site's own colours. */
export interface CodeThemes {
  light: string;
  dark: string;
}

/** Names that authors use for languages which the grammars know under another name. */
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

const plainNames = new Set(["", "text", "txt", "plain", "plaintext", "output", "none", "log", "url", "mermaid", "ascii"]);

/** The grammar that stands for a name in a fence; undefined for plain text and for names that nobody knows. */
export function languageFor(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (plainNames.has(lower)) return undefined;
  const known = aliases[lower] ?? lower;
  return Object.hasOwn(bundledLanguages, known) ? known : undefined;
}

/** Loads the grammars for these names, and the named themes, so that `highlight` can work at once. */
export async function prepareLanguages(names: Iterable<string>, themes?: CodeThemes): Promise<void> {
  const wanted = new Set([...names].map(languageFor).filter((name) => name !== undefined));
  for (const name of wanted) if (!languages.has(name)) languages.set(name, await openLanguage(name));
  const named = [...new Set(themes ? [themes.light, themes.dark] : [])].filter((name) => Object.hasOwn(bundledThemes, name));
  for (const theme of named) {
    for (const name of [plainName, ...wanted]) {
      const { core } = languages.get(name) ?? (await openPlain());
      if (!core.getLoadedThemes().includes(theme)) await core.loadTheme(bundledThemes[theme as keyof typeof bundledThemes]);
    }
  }
}

/**
 * A grammar with a registry of its own. In a shared one a grammar changes with each language that is
 * loaded after it, so that the look of a block would depend on the pages before it.
 */
export interface Language {
  core: HighlighterCore;
  /** The grammar's name in its registry. */
  name: string;
  /** Absent: every line is painted as it stands. */
  vocabulary?: Vocabulary;
  /** By theme. */
  caches: Map<string, LineCache>;
}

/** Holds no grammar: named themes are asked for their colours there. */
const plainName = "";
const languages = new Map<string, Language>();
const engine = createJavaScriptRegexEngine({ forgiving: true, target: "ES2024" });

/** Grammars that another one speaks of and does not bring along. */
const companions: Record<string, readonly (keyof typeof bundledLanguages)[]> = { mdx: ["tsx"] };

async function openLanguage(name: string): Promise<Language> {
  const names = [...(companions[name] ?? []), name as keyof typeof bundledLanguages];
  const grammars = (await Promise.all(names.map((each) => bundledLanguages[each]()))).flatMap((loaded) => loaded.default);
  const core = await createHighlighterCore({ themes: [tokenTheme], langs: [grammars], engine });
  return { core, name, vocabulary: new Vocabulary(JSON.stringify(grammars)), caches: new Map() };
}

/** A language by a grammar of the site's own. Its patterns may look at any letter, so its lines are painted as they stand. */
export async function openGrammar(grammar: LanguageRegistration, themes?: CodeThemes): Promise<Language> {
  const core = await createHighlighterCore({ themes: [tokenTheme, ...bundled(themes)], langs: [grammar], engine });
  return { core, name: grammar.name, caches: new Map() };
}

function bundled(themes: CodeThemes | undefined) {
  const names = themes ? [...new Set([themes.light, themes.dark])] : [];
  return names.filter((name) => Object.hasOwn(bundledThemes, name)).map((name) => bundledThemes[name as keyof typeof bundledThemes]);
}

async function openPlain(): Promise<Language> {
  const plain: Language = {
    core: await createHighlighterCore({ themes: [tokenTheme], langs: [], engine }),
    name: plainName,
    caches: new Map(),
  };
  languages.set(plainName, plain);
  return plain;
}

interface Span {
  /** Offset in the shape. */
  end: number;
  /** Class letter in the token theme, colour in a named theme; undefined for plain text. */
  paint: string | undefined;
}

interface PaintedShape {
  spans: Span[];
  next: StateStack | null;
}

/**
 * Shapes of lines that were painted before, by the state in which they start. Documentation
 * repeats itself: imports, braces and set-up calls stand on hundreds of pages.
 */
class LineCache {
  private readonly states = new Map<StateStack | null, Map<string, PaintedShape>>();
  /** Equal states are kept once, so that they find each other's lines. */
  private readonly known = new Map<string, StateStack[]>();
  private size = 0;

  get(state: StateStack | null, line: string): PaintedShape | undefined {
    return this.states.get(state)?.get(line);
  }

  set(state: StateStack | null, line: string, painted: PaintedShape): void {
    if (this.size >= cachedLines_count) this.clear();
    const lines = this.states.get(state);
    if (lines) lines.set(line, painted);
    else this.states.set(state, new Map([[line, painted]]));
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

/** Lines kept per language and theme before the cache starts afresh: some 50 MB at most. */
const cachedLines_count = 100_000;

function cacheFor({ caches }: Language, theme: string): LineCache {
  let cache = caches.get(theme);
  if (!cache) caches.set(theme, (cache = new LineCache()));
  return cache;
}

/** Metadata of a token packs the index of its colour into these bits. */
const foregroundMask = 0b00000000111111111000000000000000;
const foregroundOffset = 15;

/** A line beyond this is shown plain: no hand-written line is, and patterns slow down on them. */
const longLine_chars = 5_000;

/** One theme's way through one grammar: a token's colour becomes a class or stays a colour. */
interface Painter {
  grammar: IGrammar;
  vocabulary: Vocabulary | undefined;
  paintOf(colour: string | undefined): string | undefined;
  colours: string[];
  cache: LineCache;
}

function painter(language: Language, theme: string): Painter {
  const { core, name, vocabulary } = language;
  const { colorMap } = core.setTheme(theme);
  return {
    grammar: core.getLanguage(name) as unknown as IGrammar,
    vocabulary,
    paintOf: theme === tokenTheme.name ? tokenClassOf : (colour) => colour,
    colours: colorMap,
    cache: cacheFor(language, theme),
  };
}

function paintShape(painter: Painter, shape: string, state: StateStack | null): PaintedShape {
  const cached = painter.cache.get(state, shape);
  if (cached) return cached;
  const { tokens, ruleStack } = painter.grammar.tokenizeLine2(shape, state);
  const spans: Span[] = [];
  for (let i = 0; i < tokens.length; i += 2) {
    const start = tokens[i]!;
    const end = i + 2 < tokens.length ? tokens[i + 2]! : shape.length;
    if (end <= start) continue;
    const paint = painter.paintOf(painter.colours[(tokens[i + 1]! & foregroundMask) >>> foregroundOffset]);
    const previous = spans.at(-1);
    // Blanks have no colour to see, so they go with the token before.
    if (previous && (previous.paint === paint || shape.slice(start, end).trim() === "")) previous.end = end;
    else spans.push({ end, paint });
  }
  const painted = { spans, next: painter.cache.canonical(ruleStack) };
  painter.cache.set(state, shape, painted);
  return painted;
}

/** The spans of each line, with their offsets in the line. */
function paintLines(painter: Painter, lines: readonly string[]): Span[][] {
  let state: StateStack | null = null;
  return lines.map((line) => {
    if (line.length > longLine_chars) return [{ end: line.length, paint: undefined }];
    const shape = painter.vocabulary?.shape(line) ?? { text: line, replaced: [] };
    const painted = paintShape(painter, shape.text, state);
    state = painted.next;
    if (shape.replaced.length === 0) return painted.spans;
    const ends = offsetsInLine(
      shape.replaced,
      painted.spans.map((span) => span.end),
    );
    return painted.spans.map((span, i) => ({ end: ends[i]!, paint: span.paint }));
  });
}

function classHtml(line: string, spans: readonly Span[]): string {
  let html = "";
  let start = 0;
  for (const { end, paint } of spans) {
    const text = escapeHtml(line.slice(start, end));
    html += paint === undefined ? text : `<span class=${paint}>${text}</span>`;
    start = end;
  }
  return html;
}

/** Two themes cut a line in different places: every piece gets both colours. */
function colourHtml(line: string, light: readonly Span[], dark: readonly Span[]): string {
  let html = "";
  let start = 0;
  let l = 0;
  let d = 0;
  while (start < line.length && light[l] && dark[d]) {
    const end = Math.min(light[l]!.end, dark[d]!.end);
    html += `<span style="--l:${light[l]!.paint};--d:${dark[d]!.paint}">${escapeHtml(line.slice(start, end))}</span>`;
    if (light[l]!.end === end) l++;
    if (dark[d]!.end === end) d++;
    start = end;
  }
  return html + escapeHtml(line.slice(start));
}

/** HTML of each line of the code. What cannot be highlighted is shown plain; nothing is refused. */
export function highlightLines(code: string, languageName: string, themes?: CodeThemes): string[] {
  const language = languages.get(languageFor(languageName) ?? plainName);
  return language ? paint(code, language, themes) : plainLines(code);
}

/** HTML of each line of code that is not highlighted. */
export function plainLines(code: string): string[] {
  return code.split("\n").map(escapeHtml);
}

/** HTML of each line of the code, by a language that is open. */
export function paint(code: string, language: Language, themes?: CodeThemes): string[] {
  if (language.name === plainName || code.length > limits.highlight_chars) return plainLines(code);
  const lines = code.split("\n");
  if (!themes || !hasThemes(language, themes)) {
    const painted = paintLines(painter(language, tokenTheme.name!), lines);
    return lines.map((line, i) => classHtml(line, painted[i]!));
  }
  const light = paintLines(painter(language, themes.light), lines);
  const dark = paintLines(painter(language, themes.dark), lines);
  return lines.map((line, i) => colourHtml(line, light[i]!, dark[i]!));
}

/** Text and ground of the named themes, as custom properties; undefined when one is not known. */
export function themeStyle(themes: CodeThemes): string | undefined {
  const plain = languages.get(plainName);
  if (!plain || !hasThemes(plain, themes)) return undefined;
  const light = plain.core.getTheme(themes.light);
  const dark = plain.core.getTheme(themes.dark);
  return `--lf:${light.fg};--lb:${light.bg};--df:${dark.fg};--db:${dark.bg}`;
}

function hasThemes({ core }: Language, themes: CodeThemes): boolean {
  const loaded = core.getLoadedThemes();
  return loaded.includes(themes.light) && loaded.includes(themes.dark);
}
