/**
 * Cleans the text of a language model while it streams: removes unsafe or unsupported syntax, and numbers
 * citations.
 */

import { basePathOf, pathBelow } from "../../base/base-path.ts";
import type { CitationSupport } from "./citation-support.ts";
import { linkText, NeutralTextWriter } from "./neutralize-text.ts";

/**
 * Maximum length of inline code in characters, including its closing backticks. This limit and the following
 * ones bound the incomplete syntax that is buffered while streaming.
 */
const answerCode_chars = 1_000;
/** Maximum length of a link's text in characters, including the closing bracket. */
const answerLinkText_chars = 500;
/** Maximum length of a link's URL and title in characters, including the parentheses. */
const answerAddress_chars = 2_000;
/** Maximum length of an HTML tag or other text in angle brackets, in characters, including the brackets. */
const answerTag_chars = 1_000;
/** Maximum length of the line that opens a code block, in characters, including its line break. */
const answerFenceLine_chars = 300;

export interface CleanOptions {
  /**
   * URL of the site, such as `https://docs.example.com` or `https://example.com/docs`. Undefined if only
   * relative URLs are allowed.
   */
  origin: string | undefined;
  /**
   * Whether a URL path, with its leading slash and without the path of the site's URL, belongs to the site.
   */
  isOwnPath(path: string): boolean;
  /** Number of sections in the prompt. `[1]` up to this number are citations. */
  sections_count: number;
  /**
   * Output parameter: numbers of the sections in the order of their first citation. If it is set, citations
   * are renumbered in this order, starting with `[1]`. Otherwise citations keep the numbers of the sections.
   */
  order?: number[];
  /**
   * If set, citations of sections that don't support their sentence are removed, and `[?]` marks the
   * sentences that make a claim without a source.
   */
  support?: CitationSupport;
}

/**
 * Matches control characters and invisible characters, such as bidi overrides. Excludes the joiners U+200C
 * and U+200D, which some scripts need.
 */
const invisible =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** HTML elements whose tags are removed and whose content is kept. */
const tags = new Set(
  "a abbr audio b base big blockquote body br button center code dd del details div dl dt em embed font form frame h1 h2 h3 h4 h5 h6 head hr html i iframe img input ins kbd li link mark math meta object ol p picture pre q s samp script small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead tr tt u ul use var video wbr".split(
    " ",
  ),
);

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  rarr: "→",
  times: "×",
};

/** Matches the end of a sentence that is followed by a space. */
const sentenceEnd = /[.!?。！？](?=[ \t])/;
/** Matches the end of a sentence at the end of a text. Citations may follow the sentence. */
const endsSentence = /[.!?。！？](?:\s*\[\d+\])*$/;

interface Fence {
  mark: string;
  count: number;
  /**
   * Length of the text before the opening fence: indentation, and list and quote markers. Unless the fence is
   * in a block quote, up to this much indentation is removed from each line.
   */
  indent_chars: number;
  isQuoted: boolean;
  isAtLineStart: boolean;
}

/**
 * Sanitizes the Markdown that a model streams. The output contains no images and no HTML, only links to pages
 * of the site, and only citations of sections in the prompt. Code keeps its text, except for invisible
 * characters. Other constructs are escaped (`\[`, `\<`). External links become their text, and bare external
 * URLs become code. Fences are written without indentation, so that no list or block quote ends them early.
 * The output doesn't depend on how the text is split into deltas.
 */
export class AnswerCleaner {
  private readonly options: CleanOptions;
  private readonly text: NeutralTextWriter;
  /** Input that is not parsed yet. */
  private rest = "";
  /** The end of the last delta, if its meaning depends on the next delta. */
  private cut = "";
  private isAtLineStart = true;
  private isInTable = false;
  /**
   * Whether code in the current line contains `|`. A line of dashes below this line would start a table and
   * split the code.
   */
  private hasBarInCode = false;
  /** Whether code in the previous line contains `|`. */
  private hadBarInCode = false;
  private fence: Fence | undefined;

  constructor(options: CleanOptions) {
    this.options = options;
    this.text = new NeutralTextWriter((address) => this.ownHref(address));
  }

  /** Adds a delta from the model. Returns the output that later deltas can't change. */
  push(delta: string): string {
    const text = this.cut + delta;
    this.cut = /[\r\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    this.rest += visible(text.slice(0, text.length - this.cut.length));
    this.work(false);
    return this.text.take();
  }

  /** Returns the remaining output, and closes an open code block. */
  end(): string {
    this.rest += visible(this.cut);
    this.cut = "";
    this.work(true);
    if (this.fence) this.closeFence(this.fence);
    else this.markUnsourced();
    this.text.finish();
    return this.text.take();
  }

  private work(isEnd: boolean): void {
    while (this.rest !== "") {
      const hasProgressed = this.fence
        ? this.inFence(this.fence, isEnd)
        : this.isAtLineStart
          ? this.atLineStart(isEnd)
          : this.inline(isEnd);
      if (!hasProgressed) return;
    }
  }

  /**
   * Removes characters from the input. `instead` is parsed instead of them. Returns true, because methods
   * that parse a construct return whether they made progress.
   */
  private used(count: number, instead = ""): true {
    this.rest = instead + this.rest.slice(count);
    return true;
  }

  private asText(count: number): true {
    this.text.plain(this.rest.slice(0, count));
    return this.used(count);
  }

  private atLineStart(isEnd: boolean): boolean {
    const { rest } = this;
    const prefix = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/.exec(rest)![0];
    const after = rest.slice(prefix.length, answerFenceLine_chars);
    const mayGoOn = !isEnd && rest.length < answerFenceLine_chars;
    if (mayGoOn && /^(?:[-*+]|\d{1,9}[.)]?|`+|~+)?$/.test(after)) return false;

    const opening = /^(`{3,}|~{3,})([^\n]*)(\n?)/.exec(after);
    const isFence = opening && !(after.startsWith("`") && opening[2]!.includes("`"));
    if (isFence && !opening[3] && mayGoOn) return false;
    if (isFence && (opening[3] || (isEnd && opening[0].length === rest.length - prefix.length)))
      return this.openFence(prefix, opening[1]!, opening[2]!, opening[0].length);

    this.readLineBefore();
    this.text.plain(prefix);
    this.isAtLineStart = false;

    return this.used(prefix.length);
  }

  /**
   * Updates `isInTable` from the previous line. If the current line could turn the previous line into a table
   * and split its code, adds an empty line between them.
   */
  private readLineBefore(): void {
    if (this.hadBarInCode && /^[|\-:>\s]/.test(this.rest)) this.text.plain("\n");
    const line = this.text.lastLine;
    if (/^[\s>]*$/.test(line)) this.isInTable = false;
    else if (/^[\s>*+\d.)|:-]*$/.test(line) && line.includes("-") && /[|:]/.test(line)) this.isInTable = true;
  }

  private openFence(prefix: string, run: string, info: string, length: number): true {
    const language = /^[\w+#.-]{1,40}/.exec(info.trim())?.[0] ?? "";
    this.fence = {
      mark: run[0]!,
      count: run.length,
      indent_chars: prefix.length,
      isQuoted: prefix.includes(">"),
      isAtLineStart: true,
    };
    this.isInTable = false;
    this.hadBarInCode = false;
    this.text.startBlock();
    this.text.whole(`${run}${language}\n`);
    return this.used(prefix.length + length);
  }

  private inFence(fence: Fence, isEnd: boolean): boolean {
    if (!fence.isAtLineStart) {
      const end = this.rest.indexOf("\n") + 1;
      this.text.whole(end === 0 ? this.rest : this.rest.slice(0, end));
      fence.isAtLineStart = end > 0;
      return this.used(end || this.rest.length);
    }

    const indent = fence.isQuoted
      ? /^[ \t]{0,3}(?:> ?)*/.exec(this.rest)![0]
      : this.rest.slice(0, fence.indent_chars).match(/^[ \t]*/)![0];
    const line = this.rest.slice(indent.length);
    if (line === "" && !isEnd && (fence.isQuoted || indent.length < fence.indent_chars)) return false;

    if (fence.isQuoted && !indent.includes(">")) {
      this.closeFence(fence);
      return true;
    }

    const { mark, count } = fence;
    const closing = new RegExp(`^ {0,3}${mark}{${count},}[ \\t]*(\\n|$)`).exec(line);
    if (closing?.[1] === "" ? !isEnd : !closing && !isEnd && new RegExp(`^ {0,3}${mark}*$`).test(line))
      return false;

    if (closing) {
      this.closeFence(fence);
      return this.used(indent.length + closing[0].length);
    }

    fence.isAtLineStart = false;
    return this.used(indent.length);
  }

  private closeFence(fence: Fence): void {
    if (!fence.isAtLineStart) this.text.whole("\n");
    this.text.whole(`${fence.mark.repeat(fence.count)}\n`);
    this.fence = undefined;
    this.isAtLineStart = true;
  }

  private inline(isEnd: boolean): boolean {
    const run = /^[^\n`![<&\\]+/.exec(this.rest)?.[0];
    if (run !== undefined) return this.options.support ? this.prose(run, isEnd) : this.asText(run.length);
    const next = this.rest[1];
    switch (this.rest[0]) {
      case "\n":
        this.markUnsourced();
        this.isAtLineStart = true;
        this.hadBarInCode = this.hasBarInCode;
        this.hasBarInCode = false;
        return this.asText(1);
      case "`":
        return this.codeSpan(isEnd);
      case "<":
        return this.angle(isEnd);
      case "&":
        return this.entity(isEnd);
      case "[":
        return this.bracket(0, isEnd);
      case "!":
        if (next === undefined && !isEnd) return false;
        return next === "[" ? this.bracket(1, isEnd) : this.asText(1);
      default:
        if (next === undefined && !isEnd) return false;
        return this.escape(next ?? "");
    }
  }

  /**
   * Writes the start of a run of plain text: its leading spaces, or else the text before its trailing spaces,
   * up to the end of a sentence. A citation after the end of a sentence belongs to the sentence.
   */
  private prose(run: string, isEnd: boolean): boolean {
    const space = /^[ \t]+/.exec(run)?.[0];
    if (space === undefined) {
      const end = sentenceEnd.exec(run);
      return this.asText(end ? end.index + end[0].length : /^.*[^ \t]/s.exec(run)![0].length);
    }
    const next = this.rest.slice(space.length);
    if (!isEnd && /^(?:\[\s*\d*\s*)?$/.test(next)) return false;
    const citation = /^\[\s*(\d+)\s*\]/.exec(next);
    if (citation && !this.isSupported(Number(citation[1])))
      return this.used(space.length + citation[0].length);
    if (!/^\[\s*\d/.test(next) && endsSentence.test(this.text.currentLine)) this.markUnsourced();
    return this.asText(space.length);
  }

  private isSupported(section: number): boolean {
    const { sections_count, support } = this.options;
    if (section < 1 || section > sections_count) return false;
    return support === undefined || support.supports(section, lastSentence(this.text.currentLine));
  }

  private markUnsourced(): void {
    const { support } = this.options;
    if (!support) return;
    const sentence = lastSentence(this.text.currentLine);
    if (!/\[(?:\d+|\?)\]/.test(sentence.replace(/`[^`]*`/g, "")) && support.isUnsourced(sentence))
      this.text.unsourced();
  }

  private escape(next: string): true {
    if (next === "\n") return this.used(1);
    if (!/[!-/:-@[-`{-~]/.test(next)) return this.asText(1);
    // After an @, renderers would read `\_` as part of an email address.
    const mayBeHost = /[_-]/.test(next) && this.text.currentLine.endsWith("@");
    if (/[*_#+\-|>~]/.test(next) && !mayBeHost) this.text.whole(`\\${next}`);
    else this.text.plain(next);
    return this.used(2);
  }

  /**
   * Parses inline code on one line. Code that spans several lines is not supported, because a list or block
   * quote could end it.
   */
  private codeSpan(isEnd: boolean): boolean {
    const ticks = /^`{1,64}/.exec(this.rest)![0];
    if (ticks.length === 64) return this.asText(64);
    const lineEnd = this.rest.indexOf("\n");
    const end = Math.min(lineEnd < 0 ? this.rest.length : lineEnd, ticks.length + answerCode_chars);
    const isWhole = isEnd || end < this.rest.length;
    const scope = this.rest.slice(ticks.length, end);
    const length = closingRun(scope, ticks.length, isWhole);
    if (length === undefined) return isWhole ? this.asText(ticks.length) : false;

    const code = scope.slice(0, length);
    if (code.includes("|")) {
      if (this.isInTable) return this.asText(ticks.length);
      this.hasBarInCode = true;
    }

    this.text.code(code, ticks);
    return this.used(code.length + 2 * ticks.length);
  }

  private entity(isEnd: boolean): boolean {
    const found = /^&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/.exec(this.rest);
    if (!found) return !isEnd && /^&#?[A-Za-z\d]{0,32}$/.test(this.rest) ? false : this.asText(1);
    const [whole, decimal, hexadecimal, name] = found;
    if (name !== undefined && !Object.hasOwn(entities, name)) return this.asText(1);
    const code = Number(decimal ?? `0x${hexadecimal}`);
    const character =
      name === undefined
        ? code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
          ? String.fromCodePoint(code)
          : ""
        : entities[name]!;
    this.text.plain(visible(character).replace(/\s/, " "));
    return this.used(whole.length);
  }

  /**
   * Removes HTML tags and comments. A URL in angle brackets becomes text, and an email address or a
   * placeholder such as `<your-key>` becomes code.
   */
  private angle(isEnd: boolean): boolean {
    const name = /^<\/?([A-Za-z][\w-]*)/.exec(this.rest)?.[1]?.toLowerCase();
    if (name === undefined) {
      if (!isEnd && /^<\/?$/.test(this.rest)) return false;
      if (!/^<[!?]/.test(this.rest)) return this.asText(1);
    }

    const isKnown = name === undefined || tags.has(name);
    const close = this.rest.startsWith("<!--") ? "-->" : ">";
    const scope = this.rest.slice(0, answerTag_chars);
    const limit = scope.search(isKnown ? /\n[ \t]*\n/ : /\n/);
    const end = (limit < 0 ? scope : scope.slice(0, limit)).indexOf(close);
    if (end < 0 && limit < 0 && scope.length < answerTag_chars && !isEnd) return false;

    // Only the bracket of an unclosed HTML tag is removed.
    if (end < 0) return isKnown ? this.used(1) : this.asText(1);
    const whole = scope.slice(0, end + close.length);
    const inner = whole.slice(1, -1);

    if (isKnown) {
      if (name === "br") this.text.plain(" ");
    } else if (/[<`|]/.test(inner)) {
      return this.asText(1);
    } else if (/^[A-Za-z][A-Za-z\d+.-]*:\S*$/.test(inner)) {
      this.text.plain(inner);
    } else this.text.code(/^\S+@\S+$/.test(inner) ? inner : whole);

    return this.used(whole.length);
  }

  /**
   * Parses `[1]` and `[text](url)`. If the bracket is at offset 1, parses the images `![text](url)` and
   * `![text][name]`.
   */
  private bracket(at: 0 | 1, isEnd: boolean): boolean {
    const { rest } = this;
    const end = closingBracket(rest, at);
    if (end === undefined || (end === rest.length - 1 && !isEnd)) {
      if (end === undefined && (isEnd || rest.length > at + answerLinkText_chars || rest.includes("\n")))
        return this.asText(1);
      return false;
    }

    const inner = rest.slice(at + 1, end);
    const tail = rest.slice(end + 1, end + 1 + answerAddress_chars);
    const address = tail.startsWith("(")
      ? /^\([ \t]*(<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)/.exec(
          tail,
        )
      : null;

    const name = at === 1 ? /^\[[^[\]\n]*\]/.exec(tail) : null;
    const mayBecome = tail.startsWith("(") ? !address : at === 1 && tail.startsWith("[") && !name;
    if (mayBecome && !isEnd && tail.length < answerAddress_chars && !tail.includes("\n")) return false;

    if (at === 1) {
      const image = address ?? name;
      return image ? this.used(end + 1 + image[0].length, inner) : this.asText(1);
    }

    if (/^\s*\d+(?:\s*,\s*\d+)*\s*$/.test(inner)) {
      for (const number of inner.split(",")) this.cite(Number(number));
      return this.used(end + 1 + (address?.[0].length ?? 0));
    }

    if (!address) return this.asText(1);
    const href = this.ownHref(address[1]!.replace(/^<(.*)>$/, "$1"));
    const label = href === undefined ? "" : linkText(withoutLinks(inner));
    if (href === undefined || label.trim() === "") return this.used(end + 1 + address[0].length, inner);

    this.text.link(label, href);
    return this.used(end + 1 + address[0].length);
  }

  private cite(section: number): void {
    const { order } = this.options;
    if (!this.isSupported(section)) return;
    if (!order) return this.text.citation(section);
    if (!order.includes(section)) order.push(section);
    this.text.citation(order.indexOf(section) + 1);
  }

  /**
   * Parses a URL as browsers do and serializes it without its query, so that the checked path and the written
   * path are the same. Undefined for URLs that aren't on the site, and for URLs that are only a fragment.
   * Root-relative URLs can contain or leave out the path of the site's URL.
   */
  private ownHref(address: string): string | undefined {
    const { origin, isOwnPath } = this.options;
    const isAbsolute = /^[a-z][a-z\d+.-]*:|^[/\\]{2}/i.test(address);
    if (address === "" || address.startsWith("#") || (isAbsolute && origin === undefined)) return undefined;

    const base = new URL(origin ?? "https://site.invalid");
    let url: URL;
    try {
      url = new URL(address, base);
    } catch {
      return undefined;
    }

    if (url.origin !== base.origin || url.pathname.startsWith("//")) return undefined;
    const basePath = basePathOf(origin);
    const inside = pathBelow(url.pathname, basePath);
    const own = [inside, ...(isAbsolute ? [] : [url.pathname])].find(
      (path) => path !== undefined && isOwnPath(path),
    );
    if (own === undefined) return undefined;

    const path = (basePath + own + url.hash).replace(
      /[^\w\-.~/%#:@,;=+$]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    );

    return isAbsolute ? base.origin + path : path;
  }
}

/** Returns the last sentence of a line, with its citations. */
function lastSentence(line: string): string {
  const text = line.trimEnd();
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/[.!?。！？](?:\s*\[(?:\d+|\?)\])*\s+(?!\[(?:\d+|\?)\])/g))
    start = index + end.length;
  return text.slice(start);
}

function visible(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(invisible, "");
}

/**
 * Returns the offset of the closing run of backticks. Undefined if there is none. Unless `isWhole` is set,
 * ignores a run at the end of the text, because the run may continue in the next delta.
 */
function closingRun(text: string, ticks_count: number, isWhole: boolean): number | undefined {
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    if (run.length === ticks_count && (isWhole || index + ticks_count < text.length)) return index;
  }
  return undefined;
}

/**
 * Returns the offset of the bracket that closes the bracket at `from`. Undefined if there is none on the same
 * line within `answerLinkText_chars` characters.
 */
function closingBracket(text: string, from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < text.length && i <= from + answerLinkText_chars; i++) {
    const c = text[i];
    if (c === "\n") return undefined;
    if (c === "\\" && text[i + 1] !== "\n") i++;
    else if (c === "[") depth++;
    else if (c === "]" && --depth === 0) return i;
  }
  return undefined;
}

/** Replaces links and images in the text of a link with their text, and removes escapes. */
function withoutLinks(text: string): string {
  let plain = text;
  for (let level = 0; level < 3; level++) plain = plain.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1");
  return plain.replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

/** Matches code, an escaped character or a citation (group 3: its number). */
const codeOrCitation =
  /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\S\n]*$|$(?![\s\S]))|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)|\\[\s\S]|\[(\d{1,4})\](?!\()/gm;

/** Returns the numbers of the citations in a text, in the order of their first occurrence. Ignores code. */
export function cited(text: string): number[] {
  const numbers = [...text.matchAll(codeOrCitation)].flatMap(([, , , number]) => number ?? []);
  return [...new Set(numbers.map(Number))];
}
