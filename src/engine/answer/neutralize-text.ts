import { limits } from "../../base/limits.ts";

/** What a link on the site itself becomes: its address as it may be printed; undefined for every other address. */
export type OwnHref = (address: string) => string | undefined;

/** Addresses that renderers make live although nobody marked them as links. */
const liveStart = /^(?:https?:\/\/|ftp:\/\/|www\.|mailto:|\/\/(?=\w))/i;
const liveStarts = ["https://", "http://", "ftp://", "www.", "mailto:", "//x"];
/** The longest name of a host. */
const mailHost_chars = 255;

/**
 * Writes Markdown that holds no structure but what it is given as such: plain characters are escaped where they could
 * open a link, an image, HTML or code, and addresses go into code, where no renderer finds them. It sees plain text
 * after everything that was dropped has gone, so nothing can be put together from pieces.
 */
export class DeadText {
  private readonly ownHref: OwnHref;
  private waiting = "";
  private out = "";
  /** The last character that was written, and whether it closed a citation. */
  private last = "\n";
  private isAfterMarker = false;
  private line = "";
  /** The line before, as it was written. */
  lastLine = "";

  constructor(ownHref: OwnHref) {
    this.ownHref = ownHref;
  }

  /** Characters without any meaning, except for emphasis, headings, lists and tables. */
  plain(text: string): void {
    this.waiting += text;
    this.work(false);
  }

  /** Something whole that may pass as it is: an escape, a piece of a fence. */
  whole(text: string): void {
    this.work(true);
    this.write(text);
  }

  /** What follows begins a block of its own. */
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

  /** What can be given out by now. */
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

  /** Writes what is certain. `isEnd`: nothing plain follows. */
  private work(isEnd: boolean): void {
    const text = this.waiting;
    let at = 0;
    while (at < text.length) {
      const used = this.step(text.slice(at, at + limits.answerBareAddress_chars + 1), isEnd);
      if (used === 0) break;
      at += used;
    }
    this.waiting = text.slice(at);
  }

  /** How many characters were written; none when more must be known first. */
  private step(text: string, isEnd: boolean): number {
    const c = text[0]!;
    if (!isOfWord(this.last)) {
      if (!isEnd && text.length < 8 && liveStarts.some((start) => start.length > text.length && start.startsWith(text.toLowerCase())))
        return 0;
      if (liveStart.test(text)) return this.address(text, isEnd);
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
        if (next === "/" && text[2] === "/") return this.address(text, isEnd);
        // `[1]:` at the beginning of a line would define an address for `[1]`.
        return this.one(c, this.isAfterMarker && /^[\s>*+\-\d.)]*\[\d+\]$/.test(this.line));
      case "@":
        return this.mailHost(text, isEnd);
      case "<":
        return this.one(c, next === undefined || !/[\s=\d]/.test(next));
      case "&":
        return this.one(c, next !== undefined && /[#\p{L}\p{N}]/u.test(next));
      case "(":
        return this.one(c, this.isAfterMarker);
      // Two of them open formulas and struck text that may swallow what follows, three a fence.
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

  /** The second half of a mail address; the first has been written. A name of a package has a space or a quote before it. */
  private mailHost(text: string, isEnd: boolean): number {
    const host = /[\s("'/[\]>|*]/.test(this.last) ? undefined : /^@[\p{L}\p{N}_.-]+/u.exec(text.slice(0, mailHost_chars))?.[0];
    if (host === undefined) return this.one("@", false);
    if (host.length === text.length && !isEnd) return 0;
    const trimmed = host.replace(/[.-]+$/, "");
    this.writeCode(trimmed);
    return trimmed.length;
  }

  /** An address, or what begins with `://`: as a link to the site's own page, or as code. */
  private address(text: string, isEnd: boolean): number {
    const end = /[\s`<>"|\\]/.exec(text)?.index ?? text.length;
    if (end === text.length && !isEnd && text.length <= limits.answerBareAddress_chars) return 0;
    const found = text.slice(0, Math.min(end, limits.answerBareAddress_chars));
    const address = /[.,;:!?)\]}'*_~]*$/.exec(found)!.index > 3 ? found.replace(/[.,;:!?)\]}'*_~]+$/, "") : found;
    const href = /^https?:/i.test(address) ? this.ownHref(address) : undefined;
    if (href === undefined) this.writeCode(address);
    else this.write(`${this.last === "!" ? " " : ""}[${linkText(address)}](${href})`);
    return address.length;
  }

  private writeCode(text: string, ticks = "`"): void {
    // Backticks that touch would count as one run.
    this.write((this.last === "`" ? " " : "") + ticks + text + ticks);
  }
}

/** Whether a letter that follows goes on with a word. */
function isOfWord(c: string): boolean {
  return /[\p{L}\p{N}]/u.test(c);
}

/** Text of a link, in which code stays code and nothing else has a meaning. */
export function linkText(text: string): string {
  return text.replace(/`([^`[\]<>|\\]+)`|[[\]<>`!&|\\$]/g, (all, code: string | undefined) => (code === undefined ? `\\${all}` : all));
}
