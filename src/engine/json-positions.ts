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

/** Parses JSON. Throws JsonSyntaxError, with the position of the first error, for invalid or too deeply nested JSON. */
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

/** Finds positions in a JSON text. The text of an object or array is scanned once, when a position in it is needed. */
export class JsonPositions {
  private readonly text: string;
  private readonly scanner: Scanner;
  private readonly root: Span;
  private readonly lineStarts = [0];

  /** Throws JsonSyntaxError for invalid or too deeply nested JSON. */
  constructor(text: string) {
    this.text = text;
    this.scanner = new Scanner(text);
    this.root = this.scanner.scan();
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
  }

  /**
   * Returns the position of the value at a path or, if `what` is `key` and the value has a key, of its key. If there is no such value,
   * returns the position of the nearest parent that exists.
   */
  of(path: JsonPath, what: "value" | "key" = "value"): TextSpan {
    let found = this.root;
    for (const [depth, step] of path.entries()) {
      found.children ??= this.scanner.childrenAt(found.start);
      const child = found.children.get(String(step));
      if (!child) break;
      found = what === "key" && depth === path.length - 1 ? (child.key ?? child) : child;
    }
    return this.spanAt(found.start, found.end - found.start);
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
    return { line: high, column: offset - this.lineStarts[low]! + 1, length: Math.max(1, Math.min(length, lineEnd - offset)) };
  }
}

/** Converts an offset to a line and a column. `length` is limited to the rest of the line, and is at least 1. */
export function spanAt(text: string, offset: number, length: number): TextSpan {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = text.indexOf("\n", offset);
  const room = (lineEnd < 0 ? text.length : lineEnd) - offset;
  let line = 1;
  for (let i = before.indexOf("\n"); i >= 0; i = before.indexOf("\n", i + 1)) line++;
  return { line, column: offset - lineStart + 1, length: Math.max(1, Math.min(length, room)) };
}

/** Offsets of a value, of its key if it has one, and of its children by key or index once they have been scanned. */
interface Span {
  start: number;
  end: number;
  key?: { start: number; end: number };
  children?: Map<string, Span>;
}

/** Scans JSON text, and records the positions of an object's or array's children. */
class Scanner {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  scan(): Span {
    this.space();
    const start = this.at;
    this.any(0);
    const root = { start, end: this.at };
    this.space();
    if (this.at < this.text.length) this.fail("Unexpected content after the end of the document");
    return root;
  }

  /** Returns the children of the value at an offset. */
  childrenAt(start: number): Map<string, Span> {
    const children = new Map<string, Span>();
    this.at = start;
    if (this.text[start] === "{") this.object(0, children);
    else if (this.text[start] === "[") this.array(0, children);
    return children;
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

  private object(depth: number, children?: Map<string, Span>): void {
    this.at++;
    this.space();
    if (this.text[this.at] === "}") {
      this.at++;
      return;
    }
    for (;;) {
      this.space();
      const start = this.at;
      if (this.text[this.at] !== '"')
        this.fail(this.text[this.at] === "}" ? "Trailing comma before the closing brace" : "Expected a key in double quotes");
      const name = this.string();
      const key = { start, end: this.at };
      this.space();
      this.expect(":", "Expected a colon after the key");
      this.space();
      const valueStart = this.at;
      this.any(depth + 1);
      children?.set(name, { start: valueStart, end: this.at, key });
      this.space();
      if (this.text[this.at] === "}") break;
      this.expect(",", "Expected a comma or a closing brace");
    }
    this.at++;
  }

  private array(depth: number, children?: Map<string, Span>): void {
    this.at++;
    this.space();
    if (this.text[this.at] === "]") {
      this.at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.space();
      const start = this.at;
      this.any(depth + 1);
      children?.set(String(index), { start, end: this.at });
      this.space();
      if (this.text[this.at] === "]") break;
      this.expect(",", "Expected a comma or a closing bracket");
    }
    this.at++;
  }

  private string(): string {
    const start = this.at++;
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at];
      if (c === "\\") this.at++;
      else if (c === '"') {
        this.at++;
        try {
          return JSON.parse(this.text.slice(start, this.at));
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
      this.fail(word ? `${JSON.stringify(word.slice(0, 40))} isn't a JSON value: strings need double quotes` : "Expected a value");
    }
    this.at += word.length;
  }

  private space(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? "")) this.at++;
  }

  private expect(c: string, message: string): void {
    if (this.text[this.at] !== c) this.fail(message);
    this.at++;
  }

  private fail(message: string): never {
    throw new JsonSyntaxError(message, spanAt(this.text, Math.min(this.at, this.text.length), 1));
  }
}
