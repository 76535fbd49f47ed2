/**
 * Finds the nodes of a JSONPath query (RFC 9535) in a document, without function extensions. The number of
 * visited nodes is limited, since queries and documents are untrusted.
 */

import { jsonText } from "../nodes/json-text.ts";
import { SourceScalar } from "../nodes/parse-yaml.ts";
import { escapeKey, isRaw } from "../nodes/refs.ts";

/** A query can't be parsed, or visits too many nodes. The message completes the sentence "The target …". */
export class JsonPathError extends Error {}

/** Maximum number of nodes that the queries of an overlay visit. */
const visits_count = 5_000_000;
/** Maximum length of a query, in characters. */
const query_chars = 2_000;

export interface FoundNode {
  /** The object or list that contains the node, and the node's key. Undefined for the root. */
  parent?: { node: object; key: string };
  value: unknown;
  pointer: string;
}

type Selector =
  | { kind: "name"; name: string }
  | { kind: "index"; index: number }
  | { kind: "slice"; start?: number; end?: number; step: number }
  | { kind: "wildcard" }
  | { kind: "filter"; test: Test };

interface Segment {
  isDescendant: boolean;
  selectors: Selector[];
}

/** `$` or `@`, and the segments of a query. */
interface Query {
  isRelative: boolean;
  segments: Segment[];
}

type Comparable = { value: unknown } | { query: Query };

type Test =
  | { kind: "and" | "or"; tests: Test[] }
  | { kind: "not"; test: Test }
  | { kind: "exists"; query: Query }
  | { kind: "compare"; operator: string; left: Comparable; right: Comparable };

/** Runs the queries of one overlay. */
export class JsonPaths {
  private visits = 0;

  /** Returns the nodes that a query selects, without duplicates. Throws a JsonPathError. */
  find(text: string, root: unknown): FoundNode[] {
    const query = parseQuery(text);
    const found = this.run(query, { value: root, pointer: "#" }, root);
    return [...new Map(found.map((node) => [node.pointer, node])).values()];
  }

  private run(query: Query, from: FoundNode, root: unknown): FoundNode[] {
    let nodes: FoundNode[] = [query.isRelative ? from : { value: root, pointer: "#" }];
    for (const { isDescendant, selectors } of query.segments) {
      const next: FoundNode[] = [];
      for (const node of nodes)
        for (const one of isDescendant ? this.withDescendants(node) : [node])
          for (const selector of selectors) next.push(...this.select(selector, one, root));
      nodes = next;
    }
    return nodes;
  }

  private visit(): void {
    if (++this.visits > visits_count) throw new JsonPathError("visits too many nodes");
  }

  private children({ value, pointer }: FoundNode): FoundNode[] {
    if (!isParent(value)) return [];
    return Object.keys(value).map((key) => {
      this.visit();
      return {
        parent: { node: value, key },
        value: (value as Record<string, unknown>)[key],
        pointer: `${pointer}/${escapeKey(key)}`,
      };
    });
  }

  private withDescendants(node: FoundNode): FoundNode[] {
    const all = [node];
    for (const one of all) for (const below of this.children(one)) all.push(below);
    return all;
  }

  private select(selector: Selector, node: FoundNode, root: unknown): FoundNode[] {
    this.visit();
    const { value, pointer } = node;
    if (!isParent(value)) return [];

    const at = (key: string): FoundNode[] =>
      Object.hasOwn(value, key)
        ? [
            {
              parent: { node: value, key },
              value: (value as Record<string, unknown>)[key],
              pointer: `${pointer}/${escapeKey(key)}`,
            },
          ]
        : [];

    switch (selector.kind) {
      case "name":
        return isRaw(value) ? at(selector.name) : [];
      case "index":
        return Array.isArray(value)
          ? at(String(selector.index < 0 ? value.length + selector.index : selector.index))
          : [];
      case "slice":
        return Array.isArray(value)
          ? sliced(value.length, selector).flatMap((index) => at(String(index)))
          : [];
      case "wildcard":
        return this.children(node);
      case "filter":
        return this.children(node).filter((child) => this.passes(selector.test, child, root));
    }
  }

  private passes(test: Test, node: FoundNode, root: unknown): boolean {
    this.visit();

    switch (test.kind) {
      case "and":
        return test.tests.every((one) => this.passes(one, node, root));
      case "or":
        return test.tests.some((one) => this.passes(one, node, root));
      case "not":
        return !this.passes(test.test, node, root);
      case "exists":
        return this.run(test.query, node, root).length > 0;
      case "compare":
        return compare(
          test.operator,
          this.valueOf(test.left, node, root),
          this.valueOf(test.right, node, root),
        );
    }
  }

  private valueOf(comparable: Comparable, node: FoundNode, root: unknown): unknown {
    const value = "query" in comparable ? this.run(comparable.query, node, root)[0]?.value : comparable.value;
    return value instanceof SourceScalar ? value.value : value;
  }
}

/** Whether a value is an object or a list. */
function isParent(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof SourceScalar);
}

function sliced(
  length: number,
  { start, end, step }: { start?: number; end?: number; step: number },
): number[] {
  if (step === 0) return [];
  const bound = (value: number) => (value < 0 ? length + value : value);
  const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
  const indexes: number[] = [];
  if (step > 0) {
    const [from, to] = [clamp(bound(start ?? 0), 0, length), clamp(bound(end ?? length), 0, length)];
    for (let index = from; index < to; index += step) indexes.push(index);
  } else {
    const from = clamp(bound(start ?? length - 1), -1, length - 1);
    const to = end === undefined ? -1 : clamp(bound(end), -1, length - 1);
    for (let index = from; index > to; index += step) indexes.push(index);
  }
  return indexes;
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  const isEqual =
    left === right ||
    (typeof left === "object" && typeof right === "object" && jsonText(left) === jsonText(right));
  if (operator === "==") return isEqual;
  if (operator === "!=") return !isEqual;
  const isOrdered = typeof left === typeof right && (typeof left === "number" || typeof left === "string");
  if (!isOrdered) return isEqual && operator.endsWith("=");
  const [a, b] = [left as number, right as number];
  return operator === "<" ? a < b : operator === "<=" ? a <= b : operator === ">" ? a > b : a >= b;
}

function parseQuery(text: string): Query {
  if (text.length > query_chars) throw new JsonPathError(`is longer than ${query_chars} characters`);
  const parser = new Parser(text.trim());
  const query = parser.query();
  parser.end();
  return query;
}

/** Maximum nesting depth of filters. */
const depth_levels = 20;

class Parser {
  private at = 0;
  private depth = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  end(): void {
    if (this.at < this.text.length) this.fail();
  }

  query(): Query {
    const mark = this.match(/[$@]/y) ?? this.fail();
    return { isRelative: mark === "@", segments: this.segments() };
  }

  private segments(): Segment[] {
    const segments: Segment[] = [];
    for (;;) {
      const isDescendant = this.match(/\s*\.\./y) !== undefined;
      if (this.match(isDescendant ? /\[/y : /\s*\[/y) !== undefined)
        segments.push({ isDescendant, selectors: this.selectors() });
      else if (isDescendant || this.match(/\s*\./y) !== undefined)
        segments.push({ isDescendant, selectors: [this.member()] });
      else return segments;
    }
  }

  private member(): Selector {
    if (this.match(/\*/y) !== undefined) return { kind: "wildcard" };
    return {
      kind: "name",
      name: this.match(/[\p{L}_\u0080-\u{10ffff}][\p{L}\p{N}_\u0080-\u{10ffff}]*/uy) ?? this.fail(),
    };
  }

  private selectors(): Selector[] {
    const selectors = [this.selector()];
    while (this.match(/\s*,/y) !== undefined) selectors.push(this.selector());
    if (this.match(/\s*\]/y) === undefined) this.fail();
    return selectors;
  }

  private selector(): Selector {
    this.match(/\s+/y);
    const name = this.string();
    if (name !== undefined) return { kind: "name", name };
    if (this.match(/\*/y) !== undefined) return { kind: "wildcard" };
    if (this.match(/\?/y) !== undefined) return { kind: "filter", test: this.test() };

    const slice = this.match(/(?:-?\d{1,10})?\s*:\s*(?:-?\d{1,10})?(?:\s*:\s*(?:-?\d{1,10})?)?/y);
    if (slice !== undefined) {
      const [start, end, step] = slice
        .split(":")
        .map((part) => (part.trim() === "" ? undefined : Number(part)));
      return {
        kind: "slice",
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
        step: step ?? 1,
      };
    }

    return { kind: "index", index: Number(this.match(/-?\d{1,10}/y) ?? this.fail()) };
  }

  private string(): string | undefined {
    const quoted = this.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy);
    if (quoted === undefined) return undefined;
    const inner = quoted.slice(1, -1);
    const json = quoted.startsWith('"')
      ? inner
      : inner.replace(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'"));
    try {
      return JSON.parse(`"${json}"`) as string;
    } catch {
      return this.fail();
    }
  }

  /** Parses alternatives of a filter. */
  private test(): Test {
    if (++this.depth > depth_levels) this.fail();
    const tests = [this.conjunction()];
    while (this.match(/\s*\|\|/y) !== undefined) tests.push(this.conjunction());
    this.depth--;
    return tests.length === 1 ? tests[0]! : { kind: "or", tests };
  }

  private conjunction(): Test {
    const tests = [this.basic()];
    while (this.match(/\s*&&/y) !== undefined) tests.push(this.basic());
    return tests.length === 1 ? tests[0]! : { kind: "and", tests };
  }

  private basic(): Test {
    if (this.match(/\s*!(?!=)/y) !== undefined) return { kind: "not", test: this.basic() };
    if (this.match(/\s*\(/y) !== undefined) {
      const test = this.test();
      if (this.match(/\s*\)/y) === undefined) this.fail();
      return test;
    }
    const left = this.comparable();
    const operator = this.match(/\s*(?:==|!=|<=|>=|<|>)/y)?.trim();
    if (operator !== undefined) return { kind: "compare", operator, left, right: this.comparable() };
    return "query" in left ? { kind: "exists", query: left.query } : this.fail();
  }

  private comparable(): Comparable {
    this.match(/\s+/y);
    if (/[$@]/.test(this.text[this.at] ?? "")) return { query: this.query() };
    const text = this.string();
    if (text !== undefined) return { value: text };
    const literal = this.match(/true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (literal !== undefined) return { value: JSON.parse(literal) as unknown };
    if (this.match(/[a-z_]+\(/y) !== undefined)
      throw new JsonPathError("uses a function, which isn't supported");
    return this.fail();
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private fail(): never {
    throw new JsonPathError(`isn't a JSONPath query: see character ${this.at + 1}`);
  }
}
