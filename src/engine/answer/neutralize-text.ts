/** Maximum length of a bare URL in an answer, in characters. */
const answerBareUrl_chars = 1_000;

/** Returns the URL to write for a link to the site. Undefined for all other URLs. */
export type OwnHref = (url: string) => string | undefined;

/** Matches the start of text that Markdown renderers may convert to a link automatically. */
const liveStart = /^(?:https?:\/\/|ftp:\/\/|www\.|mailto:|\/\/(?=\w))/i;
const liveStarts = ["https://", "http://", "ftp://", "www.", "mailto:", "//x"];
/** Maximum length of the host name in an email address, in characters, including the `@`. */
const mailHost_chars = 255;

/**
 * Writes Markdown from text that can't be trusted. Plain text is escaped where it could start syntax such as
 * a link, an image, HTML or code. Bare URLs of the site become links. All other bare URLs, and hosts of email
 * addresses, become code, because renderers don't turn code into links. Text is neutralized after other code
 * has removed unsafe syntax, so the text around removed syntax can't form a new link or tag.
 */
export class NeutralTextWriter {
  private readonly ownHref: OwnHref;
  private waiting = "";
  private out = "";
  /** The last character that was written. */
  private last = "\n";
  /** Whether `last` closed a citation or `[?]`. */
  private isAfterMarker = false;
  private line = "";
  /** The previous line, as it was written. */
  lastLine = "";

  constructor(ownHref: OwnHref) {
    this.ownHref = ownHref;
  }

  /**
   * Writes plain text. Emphasis, headings, lists, quotes and tables in it keep their meaning. Buffers text
   * whose meaning depends on later text.
   */
  plain(text: string): void {
    this.waiting += text;
    this.work(false);
  }

  /** Writes text unchanged: an escape, or a part of a fence. */
  whole(text: string): void {
    this.work(true);
    this.write(text);
  }

  /** Writes line breaks so that the next text starts a new block. */
  startBlock(): void {
    this.work(true);
    if (this.line !== "") this.write("\n");
    if (this.lastLine.trim() !== "") this.write("\n");
  }

  code(text: string, ticks = "`"): void {
    this.work(true);
    this.writeCode(text, ticks);
  }

  link(text: string, href: string): void {
    this.work(true);
    this.write(`${this.last === "!" ? " " : ""}[${text}](${href})`);
  }

  citation(number: number): void {
    this.work(true);
    this.write(`[${number}]`);
    this.isAfterMarker = true;
  }

  /** Writes `[?]`, which marks a sentence without a source. */
  unsourced(): void {
    this.work(true);
    this.write(" [?]");
    this.isAfterMarker = true;
  }

  /** The current line, including text that isn't written yet. */
  get currentLine(): string {
    return this.line + this.waiting;
  }

  /** Returns and clears the output so far. */
  take(): string {
    const { out } = this;
    this.out = "";
    return out;
  }

  finish(): void {
    this.work(true);
  }

  private write(text: string): void {
    if (text === "") return;
    this.out += text;
    this.last = text.at(-1)!;
    this.isAfterMarker = false;
    const end = text.lastIndexOf("\n");
    if (end < 0) {
      this.line += text;
      return;
    }
    const lines = (this.line + text).split("\n");
    this.lastLine = lines.at(-2)!;
    this.line = lines.at(-1)!;
  }

  /**
   * Writes the part of the buffered text whose meaning doesn't depend on later text. `isEnd` means that no
   * plain text follows.
   */
  private work(isEnd: boolean): void {
    const text = this.waiting;
    let at = 0;
    while (at < text.length) {
      const used = this.step(text.slice(at, at + answerBareUrl_chars + 1), isEnd);
      if (used === 0) break;
      at += used;
    }
    this.waiting = text.slice(at);
  }

  /** Writes the next construct. Returns the number of consumed characters, or 0 if more input is needed. */
  private step(text: string, isEnd: boolean): number {
    const c = text[0]!;

    if (!isOfWord(this.last)) {
      if (
        !isEnd &&
        text.length < 8 &&
        liveStarts.some((start) => start.length > text.length && start.startsWith(text.toLowerCase()))
      )
        return 0;
      if (liveStart.test(text)) return this.bareUrl(text, isEnd);
    }

    const word = /^(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{N}])+/u.exec(text)?.[0];
    if (word !== undefined) {
      this.write(word);
      return word.length;
    }

    const next = text[1];
    if (next === undefined && !isEnd && ":@<&$~".includes(c)) return 0;

    switch (c) {
      case ":":
        if (next === "/" && text[2] === undefined && !isEnd) return 0;
        if (next === "/" && text[2] === "/") return this.bareUrl(text, isEnd);
        // `[1]:` at the start of a line would be a link definition.
        return this.one(c, this.isAfterMarker && /^[\s>*+\-\d.)]*\[\d+\]$/.test(this.line));
      case "@":
        return this.mailHost(text, isEnd);
      case "<":
        return this.one(c, next === undefined || !/[\s=\d]/.test(next));
      case "&":
        return this.one(c, next !== undefined && /[#\p{L}\p{N}]/u.test(next));
      case "(":
        return this.one(c, this.isAfterMarker);
      // Two of these characters start a formula or strikethrough, three start a fence.
      case "$":
      case "~":
        return this.one(c, next === c || this.last === c);
      case "[":
      case "`":
      case "\\":
        return this.one(c, true);
      default:
        return this.one(c, false);
    }
  }

  private one(c: string, isEscaped: boolean): number {
    this.write(isEscaped ? `\\${c}` : c);
    return 1;
  }

  /**
   * Writes an `@`. If it may be part of an email address, writes it and the host as code. After a character
   * such as a space or a quotation mark, it starts a package name instead.
   */
  private mailHost(text: string, isEnd: boolean): number {
    const host = /[\s("'/[\]>|*]/.test(this.last)
      ? undefined
      : /^@[\p{L}\p{N}_.-]+/u.exec(text.slice(0, mailHost_chars))?.[0];
    if (host === undefined) return this.one("@", false);
    if (host.length === text.length && !isEnd) return 0;
    const trimmed = host.replace(/[.-]+$/, "");
    this.writeCode(trimmed);
    return trimmed.length;
  }

  /** Writes a URL, or text that starts with `://`, as a link to a page of the site or as code. */
  private bareUrl(text: string, isEnd: boolean): number {
    const end = /[\s`<>"|\\]/.exec(text)?.index ?? text.length;
    if (end === text.length && !isEnd && text.length <= answerBareUrl_chars) return 0;
    const found = text.slice(0, Math.min(end, answerBareUrl_chars));
    const url = /[.,;:!?)\]}'*_~]*$/.exec(found)!.index > 3 ? found.replace(/[.,;:!?)\]}'*_~]+$/, "") : found;
    const href = /^https?:/i.test(url) ? this.ownHref(url) : undefined;
    if (href === undefined) this.writeCode(url);
    else this.write(`${this.last === "!" ? " " : ""}[${linkText(url)}](${href})`);
    return url.length;
  }

  private writeCode(text: string, ticks = "`"): void {
    // Adjacent backticks would form a single run.
    this.write((this.last === "`" ? " " : "") + ticks + text + ticks);
  }
}

function isOfWord(c: string): boolean {
  return /[\p{L}\p{N}]/u.test(c);
}

/** Escapes the text of a link, except for code. */
export function linkText(text: string): string {
  return text.replace(/`([^`[\]<>|\\]+)`|[[\]<>`!&|\\$]/g, (all, code: string | undefined) =>
    code === undefined ? `\\${all}` : all,
  );
}
