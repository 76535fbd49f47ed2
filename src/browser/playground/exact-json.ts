/** Lossless JSON: numbers keep their digits, objects keep the order of their keys and duplicate keys. */
export type Exact =
  | { kind: "object"; entries: [string, Exact][] }
  | { kind: "array"; items: Exact[] }
  | { kind: "string"; text: string }
  | { kind: "number"; digits: string }
  | { kind: "literal"; value: boolean | null };

/** Maximum nesting depth of JSON. Limits the recursion of the parser, which rejects deeper JSON. */
const depth_levels = 400;

/** Thrown for invalid JSON. `line` and `column` start at 1. */
export class JsonParseError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(text: string, at: number) {
    const before = text.slice(0, at).split("\n");
    super(`Invalid JSON at ${before.length}:${before.at(-1)!.length + 1}`);
    this.line = before.length;
    this.column = before.at(-1)!.length + 1;
  }
}

/** Parses JSON. Throws `JsonParseError`. */
export function readExact(text: string): Exact {
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  const space = /[ \t\r\n]*/y;
  let at = 0;
  const skip = () => {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
  };

  const fail = (): never => {
    throw new JsonParseError(text, at);
  };

  const take = (mark: string): boolean => {
    skip();
    if (text[at] !== mark) return false;
    at++;
    skip();
    return true;
  };

  const string = (): string => {
    const start = at;
    if (text[at] !== '"') fail();
    for (at++; text[at] !== '"'; at++) {
      if (at >= text.length) fail();
      if (text[at] === "\\") at++;
    }
    at++;
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      at = start;
      return fail();
    }
  };

  const value = (depth: number): Exact => {
    if (depth > depth_levels) fail();
    skip();

    if (take("{")) {
      const entries: [string, Exact][] = [];
      if (take("}")) return { kind: "object", entries };
      do {
        const key = string();
        if (!take(":")) fail();
        entries.push([key, value(depth + 1)]);
      } while (take(","));
      if (!take("}")) fail();
      return { kind: "object", entries };
    }

    if (take("[")) {
      const items: Exact[] = [];
      if (take("]")) return { kind: "array", items };
      do items.push(value(depth + 1));
      while (take(","));
      if (!take("]")) fail();
      return { kind: "array", items };
    }

    if (text[at] === '"') return { kind: "string", text: string() };

    for (const [word, literal] of [
      ["true", true],
      ["false", false],
      ["null", null],
    ] as const) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return { kind: "literal", value: literal };
    }

    number.lastIndex = at;
    const digits = number.exec(text)?.[0];
    if (digits === undefined) return fail();

    at += digits.length;
    return { kind: "number", digits };
  };

  const result = value(0);
  skip();
  return at === text.length ? result : fail();
}

/**
 * Converts lossless JSON to JavaScript values. Integers outside the safe range of `number` become `bigint`.
 */
export function plain(exact: Exact): unknown {
  switch (exact.kind) {
    case "object":
      return Object.fromEntries(exact.entries.map(([key, value]) => [key, plain(value)]));
    case "array":
      return exact.items.map(plain);
    case "string":
      return exact.text;
    case "number":
      return numberOf(exact.digits);
    case "literal":
      return exact.value;
  }
}

/**
 * Returns a number, or a `bigint` for an integer outside the safe range of `number`. Text with a fraction or
 * an exponent is always converted to a number.
 */
export function numberOf(digits: string): number | bigint {
  const value = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(value) ? BigInt(digits) : value;
}

/** Parses JSON to JavaScript values. Throws `JsonParseError`. */
export function readJson(text: string): unknown {
  return plain(readExact(text));
}
