/** Parses JSON, and finds the position of a value or key in the text. */

import { limits } from "../base/limits.ts";

export type JsonPath = readonly (string | number)[];

/** A part of a text. `line` and `column` start at 1. */
export interface TextSpan {
  line: number;
  column: number;
  length: number;
}

export class JsonSyntaxError extends Error {
  readonly span: TextSpan;
  constructor(message: string, span: TextSpan) {
    super(message);
    this.span = span;
  }
}

/**
 * Parses JSON. Throws JsonSyntaxError, with the position of the first error, for invalid or too deeply nested
 * JSON.
 */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text);
    if (!isDeeper(value, limits.nesting_levels)) return value;
  } catch {
    // The scanner below throws with position and reason.
  }
  new Scanner(text).scan();
  throw new JsonSyntaxError("The text isn't JSON", spanAt(text, 0, 1));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels < 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}

/**
 * Offsets of a value, of its key if it has one, and of its children by key or index once they have been read.
 */
interface Span {
  start: number;
  end: number;
  key?: { start: number; end: number };
  children?: Map<string, Span>;
}

/**
 * Finds positions in a JSON text, which must be valid, except for commas before closing brackets. The text of
 * an object or array is read once, when a position in it is needed.
 */
export class JsonPositions {
  private readonly text: string;
  private readonly root: Span;
  private readonly lineStarts = [0];
  private at = 0;

  constructor(text: string) {
    this.text = text;
    this.space();
    this.root = { start: this.at, end: text.length };
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
  }

  /**
   * Returns the position of the value at a path or, if `what` is `key` and the value has a key, of its key.
   * If there is no such value, returns the position of the nearest parent that exists.
   */
  of(path: JsonPath, what: "value" | "key" = "value"): TextSpan {
    let found = this.root;
    for (const [depth, step] of path.entries()) {
      found.children ??= this.childrenAt(found.start);
      const child = found.children.get(String(step));
      if (!child) break;
      found = what === "key" && depth === path.length - 1 ? (child.key ?? child) : child;
    }
    return this.spanAt(found.start, found.end - found.start);
  }

  /** Returns the offsets of the value at a path. Undefined if there is none. */
  rangeOf(path: JsonPath): { start: number; end: number } | undefined {
    let found = this.root;
    for (const step of path) {
      found.children ??= this.childrenAt(found.start);
      const child = found.children.get(String(step));
      if (!child) return undefined;
      found = child;
    }
    return { start: found.start, end: found.end };
  }

  private spanAt(offset: number, length: number): TextSpan {
    let low = 0;
    let high = this.lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    const lineEnd = high < this.lineStarts.length ? this.lineStarts[high]! - 1 : this.text.length;
    return {
      line: high,
      column: offset - this.lineStarts[low]! + 1,
      length: Math.max(1, Math.min(length, lineEnd - offset)),
    };
  }

  /** Returns the children of the value at an offset. */
  private childrenAt(start: number): Map<string, Span> {
    const children = new Map<string, Span>();
    const isObject = this.text[start] === "{";
    if (!isObject && this.text[start] !== "[") return children;

    this.at = start + 1;

    for (let index = 0; ; index++) {
      this.space();
      if (this.text[this.at] === ",") this.at++;
      this.space();
      if (this.at >= this.text.length || this.text[this.at] === "}" || this.text[this.at] === "]")
        return children;
      const first = this.at;
      if (!isObject) {
        this.skip();
        children.set(String(index), { start: first, end: this.at });
        continue;
      }
      this.string();
      const key = { start: first, end: this.at };
      this.at = this.text.indexOf(":", this.at) + 1;
      this.space();
      const value = this.at;
      this.skip();
      children.set(JSON.parse(this.text.slice(key.start, key.end)), { start: value, end: this.at, key });
    }
  }

  /** Moves behind a value. */
  private skip(): void {
    const first = this.text[this.at];
    if (first === '"') return this.string();

    if (first !== "{" && first !== "[") {
      this.at = indexOf(this.text, /[\s,\]}]/g, this.at);
      return;
    }

    let depth = 0;
    do {
      this.at = indexOf(this.text, /["{}[\]]/g, this.at);
      const character = this.text[this.at];
      if (character === '"') this.string();
      else {
        depth += character === "{" || character === "[" ? 1 : -1;
        this.at++;
      }
    } while (depth > 0 && this.at < this.text.length);
  }

  /** Moves behind a string. */
  private string(): void {
    do {
      this.at = this.text.indexOf('"', this.at + 1);
      if (this.at < 0) this.at = this.text.length;
    } while (this.isEscaped());
    this.at++;
  }

  /** Whether an odd number of backslashes precedes the current character. */
  private isEscaped(): boolean {
    let start = this.at;
    while (this.text[start - 1] === "\\") start--;
    return (this.at - start) % 2 === 1;
  }

  private space(): void {
    while (this.text.charCodeAt(this.at) <= 32) this.at++;
  }
}

/**
 * Returns the offset of the first match of a global expression from an offset on, or else the text's length.
 */
function indexOf(text: string, expression: RegExp, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? text.length;
}

/**
 * Converts an offset to a line and a column. `length` is limited to the rest of the line, and is at least 1.
 */
export function spanAt(text: string, offset: number, length: number): TextSpan {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = text.indexOf("\n", offset);
  const room = (lineEnd < 0 ? text.length : lineEnd) - offset;
  let line = 1;
  for (let i = before.indexOf("\n"); i >= 0; i = before.indexOf("\n", i + 1)) line++;
  return { line, column: offset - lineStart + 1, length: Math.max(1, Math.min(length, room)) };
}

/** Scans JSON text for its first error. */
class Scanner {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws JsonSyntaxError for invalid or too deeply nested JSON. */
  scan(): void {
    this.space();
    this.any(0);
    this.space();
    if (this.at < this.text.length) this.fail("Unexpected content after the end of the document");
  }

  private any(depth: number): void {
    const c = this.text[this.at];
    if (depth > limits.nesting_levels && (c === "{" || c === "["))
      this.fail(`The document has more than ${limits.nesting_levels} levels of nesting`);
    if (c === "{") this.object(depth);
    else if (c === "[") this.array(depth);
    else if (c === '"') this.string();
    else this.word();
  }

  private object(depth: number): void {
    this.at++;
    this.space();

    if (this.text[this.at] === "}") {
      this.at++;
      return;
    }

    for (;;) {
      this.space();
      if (this.text[this.at] !== '"')
        this.fail(
          this.text[this.at] === "}"
            ? "Trailing comma before the closing brace"
            : "Expected a key in double quotes",
        );
      this.string();
      this.space();
      this.expect(":", "Expected a colon after the key");
      this.space();
      this.any(depth + 1);
      this.space();
      if (this.text[this.at] === "}") break;
      this.expect(",", "Expected a comma or a closing brace");
    }

    this.at++;
  }

  private array(depth: number): void {
    this.at++;
    this.space();

    if (this.text[this.at] === "]") {
      this.at++;
      return;
    }

    for (;;) {
      this.space();
      this.any(depth + 1);
      this.space();
      if (this.text[this.at] === "]") break;
      this.expect(",", "Expected a comma or a closing bracket");
    }

    this.at++;
  }

  private string(): void {
    const start = this.at++;
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at];
      if (c === "\\") this.at++;
      else if (c === '"') {
        this.at++;
        try {
          JSON.parse(this.text.slice(start, this.at));
          return;
        } catch {
          this.at = start;
          this.fail("Invalid character or escape sequence in a string");
        }
      } else if (c === "\n") break;
    }

    this.at = start;
    this.fail("Missing closing quote on this line");
  }

  private word(): void {
    const match = /[^\s,\]}:"[{]+/y;
    match.lastIndex = this.at;
    const word = match.exec(this.text)?.[0] ?? "";
    if (!/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(word)) {
      this.fail(
        word
          ? `${JSON.stringify(word.slice(0, 40))} isn't a JSON value: strings need double quotes`
          : "Expected a value",
      );
    }
    this.at += word.length;
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at++;
  }

  private expect(c: ":" | ",", message: string): void {
    // A missing comma belongs after the value, which can be on an earlier line.
    if (this.text[this.at] !== c && c === ",") this.at = this.text.slice(0, this.at).trimEnd().length;
    if (this.text[this.at] !== c) this.fail(message);
    this.at++;
  }

  private fail(message: string): never {
    throw new JsonSyntaxError(message, spanAt(this.text, Math.min(this.at, this.text.length), 1));
  }
}
