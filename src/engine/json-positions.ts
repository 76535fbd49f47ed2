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
  new Scanner(text, []).scan();
  throw new JsonSyntaxError("The text isn't JSON", spanAt(text, 0, 1));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels < 0 || Object.values(value).some((child) => isDeeper(child, levels - 1));
}

/**
 * Returns the position of the value at a path or, if `what` is `key` and the value has a key, of its key. If there is no such value,
 * returns the position of the nearest parent that exists. Throws JsonSyntaxError for invalid or too deeply nested JSON.
 */
export function locate(text: string, path: JsonPath, what: "value" | "key" = "value"): TextSpan {
  const scanner = new Scanner(text, path);
  scanner.scan();
  const found = what === "key" ? (scanner.key ?? scanner.value) : scanner.value;
  return spanAt(text, found.start, found.end - found.start);
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

/** Scans JSON text once and records the position of the value and key at a path. */
class Scanner {
  value = { start: 0, end: 1 };
  key: { start: number; end: number } | undefined;
  private at = 0;
  private readonly text: string;
  private readonly target: JsonPath;

  constructor(text: string, target: JsonPath) {
    this.text = text;
    this.target = target;
  }

  scan(): void {
    this.space();
    this.any(0, true);
    this.space();
    if (this.at < this.text.length) this.fail("Unexpected content after the end of the document");
  }

  /** Scans any value. `matched`: whether the first `depth` steps of the target path lead to this value. */
  private any(depth: number, matched: boolean): void {
    const start = this.at;
    const c = this.text[this.at];
    if (depth > limits.nesting_levels && (c === "{" || c === "["))
      this.fail(`The document has more than ${limits.nesting_levels} levels of nesting`);
    if (c === "{") this.object(depth, matched);
    else if (c === "[") this.array(depth, matched);
    else if (c === '"') this.string();
    else this.word();
    if (matched && depth <= this.target.length) {
      if (depth === this.target.length || this.value.end <= 1) this.value = { start, end: this.at };
    }
  }

  private object(depth: number, matched: boolean): void {
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
      const isOnPath = matched && depth < this.target.length && name === String(this.target[depth]);
      if (isOnPath && depth === this.target.length - 1) this.key = { start, end: this.at };
      this.space();
      this.expect(":", "Expected a colon after the key");
      this.space();
      this.any(depth + 1, isOnPath);
      this.space();
      if (this.text[this.at] === "}") break;
      this.expect(",", "Expected a comma or a closing brace");
    }
    this.at++;
  }

  private array(depth: number, matched: boolean): void {
    this.at++;
    this.space();
    if (this.text[this.at] === "]") {
      this.at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.space();
      this.any(depth + 1, matched && String(index) === String(this.target[depth]));
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
