/**
 * Tokenizes code samples, JSON, XML and HTTP for syntax highlighting on API pages, at build time and in the
 * browser. Recognizes strings, numbers, comments, keywords and field names in one pass.
 */

export type TokenKind = "string" | "number" | "keyword" | "comment" | "property";

export interface CodeToken {
  kind?: TokenKind;
  text: string;
}

interface Delimited {
  kind: "string" | "comment";
  /** Source of a regular expression that matches the opening delimiter. */
  open: string;
  close: string;
  /** Escape character; empty for none. */
  escape?: string;
  /** Whether the token can contain line breaks. */
  long?: boolean;
}

interface Syntax {
  delimited: Delimited[];
  keywords: Set<string>;
  /** Source of a regular expression that matches a word. */
  word?: string;
  /** Matches the text that follows a field name. */
  field?: RegExp;
}

const string = (open: string, options: Partial<Delimited> = {}): Delimited => ({
  kind: "string",
  open,
  close: open,
  escape: "\\",
  ...options,
});
const comment = (open: string, close = "\n"): Delimited => ({
  kind: "comment",
  open,
  close,
  long: close !== "\n",
});

const slashes = comment("//");
const stars = comment("/\\*", "*/");
const double = string('"');
const single = string("'");
const long = { long: true };
const raw = { long: true, escape: "" };

const words = (text: string) => new Set(text.split(" "));

const script: Syntax = {
  delimited: [slashes, stars, double, single, string("`", long)],
  keywords: words(
    "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof interface let new null of return super switch this throw true try type typeof undefined var void while yield",
  ),
  field: /[ \t]*:/y,
};

const c: Syntax = {
  delimited: [slashes, stars, string('R"\\(', { close: ')"', ...raw }), double, single],
  keywords: words(
    "auto bool break case char class const continue define do double else enum extern false float for goto if include int long main namespace new nullptr return short signed sizeof static struct switch template true typedef union unsigned using void while NULL FILE",
  ),
};

const csharp: Syntax = {
  delimited: [slashes, stars, string('"""', raw), double, single],
  keywords: words(
    "async await base bool break case catch class const continue do else false finally for foreach if in int is namespace new null object out private public return static string switch this throw true try using var void while",
  ),
};

const syntaxes: Record<string, Syntax> = {
  json: { delimited: [double], keywords: words("true false null"), field: /\s*:/y },
  javascript: script,
  typescript: script,
  c,
  cpp: c,
  csharp,
  bash: {
    delimited: [
      comment("(?<!\\S)#"),
      string("\\$'", { close: "'", long: true }),
      string("(?<!\\\\)'", { close: "'", ...raw }),
      string('"', long),
    ],
    keywords: words("curl if then else fi for in do done while case esac function export"),
    word: "(?<!\\S)--?[a-zA-Z][\\w-]*|[a-zA-Z_][\\w-]*",
  },
  python: {
    delimited: [comment("#"), string('"""', long), string("'''", long), double, single],
    keywords: words(
      "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None not or pass print raise return True try while with yield",
    ),
  },
  php: {
    delimited: [slashes, comment("#"), stars, string("'", long), string('"', long)],
    keywords: words(
      "array as break case class const echo else elseif false for foreach function if namespace new null object print return static switch throw true try use while php",
    ),
    word: "\\$?[a-zA-Z_]\\w*",
  },
  go: {
    delimited: [slashes, stars, string("`", raw), double, single],
    keywords: words(
      "break case chan const continue default defer else false for func go if import interface map nil package range return select string struct switch true type var",
    ),
  },
  java: {
    delimited: [slashes, stars, string('"""', long), double, single],
    keywords: words(
      "boolean break case catch class const continue default do else extends false final finally for if implements import int interface new null package private protected public return static super switch this throw throws true try var void while",
    ),
  },
  ruby: {
    delimited: [comment("#"), string('"', long), string("'", long)],
    keywords: words(
      "begin case class def do else elsif end ensure false for if in module nil not or puts require rescue return self then true unless until when while yield",
    ),
  },
  powershell: {
    delimited: [
      comment("<#", "#>"),
      comment("(?<!\\S)#"),
      string("@'\\n", { close: "\n'@", ...raw }),
      string("'", raw),
      string('"', { long: true, escape: "`" }),
    ],
    keywords: words(
      "begin break catch continue else elseif end exit finally for foreach function if in param process return switch throw try while",
    ),
    word: "\\$?[a-zA-Z_][\\w-]*|(?<!\\S)-[a-zA-Z]+",
  },
  swift: {
    delimited: [slashes, stars, string('"""', long), double],
    keywords: words(
      "as async await break case catch class continue default do else enum extension false for func guard if import in init is let nil private protocol public return self static struct switch throw throws true try var while",
    ),
  },
  kotlin: {
    delimited: [slashes, stars, string('"""', raw), double, single],
    keywords: words(
      "as break catch class continue do else false finally for fun if import in interface is null object package return super this throw true try typealias val var when while",
    ),
  },
  rust: {
    delimited: [
      slashes,
      stars,
      string('r##"', { close: '"##', ...raw }),
      string('r#"', { close: '"#', ...raw }),
      string('"', long),
    ],
    keywords: words(
      "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while",
    ),
  },
  dart: {
    delimited: [slashes, stars, string("r?'''", { ...long, close: "'''" }), double, single],
    keywords: words(
      "as assert async await break case catch class const continue default do else enum extends false final finally for Future if import in is late new null return static super switch this throw true try var void while with yield",
    ),
  },
  xml: {
    // Quotes outside attributes are text.
    delimited: [
      comment("<!--", "-->"),
      string('(?<==)"', { close: '"', ...raw }),
      string("(?<==)'", { close: "'", ...raw }),
    ],
    keywords: new Set(),
    word: "<[/?]?[\\w:.-]+|[/?]?>|(?<=\\s)[\\w:.-]+(?==)",
  },
  http: {
    delimited: [],
    keywords: words("GET PUT POST DELETE OPTIONS HEAD PATCH TRACE QUERY HTTP"),
    word: "(?<=^|\\n)[\\w-]+|HTTP(?=/)",
    field: /:/y,
  },
};

const number = "(?<![\\w.])-?\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?";
const plainWord = "[A-Za-z_][\\w]*";

const scanners = new Map<string, RegExp>();

/**
 * Returns a regular expression that matches the next opening delimiter, number or word. Each delimiter has
 * its own group.
 */
function scannerOf(language: string, { delimited, word = plainWord }: Syntax): RegExp {
  const known = scanners.get(language);
  if (known) return known;
  const scanner = new RegExp(
    [...delimited.map(({ open }) => `(${open})`), `(${number})`, `(${word})`].join("|"),
    "g",
  );
  scanners.set(language, scanner);
  return scanner;
}

/**
 * Splits a text into tokens, which together contain the whole text. In an unknown language, the text is one
 * token without a kind.
 */
export function tokenizeCode(language: string, text: string): CodeToken[] {
  if (!Object.hasOwn(syntaxes, language)) return text ? [{ text }] : [];
  const syntax = syntaxes[language]!;
  const scanner = scannerOf(language, syntax);
  const tokens: CodeToken[] = [];
  let done = 0;
  const take = (from: number, to: number, kind: TokenKind) => {
    if (from > done) tokens.push({ text: text.slice(done, from) });
    tokens.push({ kind, text: text.slice(from, to) });
    done = to;
  };

  scanner.lastIndex = 0;

  for (let match = scanner.exec(text); match; match = scanner.exec(text)) {
    const group = match.findIndex((text, index) => index > 0 && text !== undefined) - 1;
    const start = match.index;
    const delimiter = syntax.delimited[group];
    if (delimiter) scanner.lastIndex = endOf(text, scanner.lastIndex, delimiter);
    const end = scanner.lastIndex;
    const kind =
      delimiter?.kind ??
      (group === syntax.delimited.length ? "number" : wordKind(language, match[0], syntax));
    if (kind !== "comment" && kind !== "number" && isField(text, end, syntax)) take(start, end, "property");
    else if (kind) take(start, end, kind);
  }

  if (done < text.length) tokens.push({ text: text.slice(done) });
  return tokens;
}

function wordKind(language: string, word: string, { keywords }: Syntax): TokenKind | undefined {
  if (keywords.has(word)) return "keyword";
  if (language === "xml") return /^[</?>]/.test(word) ? "keyword" : "property";
  return word.startsWith("-") ? "property" : undefined;
}

function isField(text: string, end: number, { field }: Syntax): boolean {
  if (!field) return false;
  field.lastIndex = end;
  return field.test(text);
}

/**
 * Returns the end offset of a string or comment: after its closing delimiter, or else at the end of the line
 * or text. Line comments end before the line break.
 */
function endOf(text: string, from: number, { kind, close, escape, long: isLong }: Delimited): number {
  if (!escape || kind === "comment") {
    const end = text.indexOf(close, from);
    if (end < 0) return text.length;
    return kind === "comment" && close === "\n" ? end : end + close.length;
  }
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === escape) at++;
    else if (character === "\n" && !isLong) return at;
    else if (character === close[0] && text.startsWith(close, at)) return at + close.length;
  }
  return text.length;
}
