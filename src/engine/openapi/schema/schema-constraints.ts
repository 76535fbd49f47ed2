/** Reads the limits of a schema, and combines those of nodes that all apply. */

import { type Located, own } from "../nodes/refs.ts";

export interface Constraint {
  /** Keyword of the constraint, such as `minLength`, `maximum`, `pattern` or `uniqueItems`. */
  keyword: string;
  value: unknown;
}

/**
 * How multiple values of a constraint are combined: `greatest` or `least` value, least common multiple
 * (`common`), true if any value is true (`any`), false if any value is false (`none`), or not combined
 * (`each`). In the order of the specification.
 */
const limits: readonly [string, "greatest" | "least" | "common" | "each" | "any" | "none"][] = [
  ["minimum", "greatest"],
  ["exclusiveMinimum", "greatest"],
  ["maximum", "least"],
  ["exclusiveMaximum", "least"],
  ["multipleOf", "common"],
  ["minLength", "greatest"],
  ["maxLength", "least"],
  ["pattern", "each"],
  ["contentEncoding", "each"],
  ["minItems", "greatest"],
  ["maxItems", "least"],
  ["uniqueItems", "any"],
  ["minContains", "greatest"],
  ["maxContains", "least"],
  ["minProperties", "greatest"],
  ["maxProperties", "least"],
  ["additionalProperties", "none"],
  ["unevaluatedProperties", "none"],
  ["items", "none"],
  ["additionalItems", "none"],
  ["unevaluatedItems", "none"],
];

/** Returns the constraints of nodes that all apply. `declared`: contains the keywords of the nodes. */
export function constraintsOf(
  nodes: readonly Located[],
  declared: ReadonlyMap<string, unknown>,
): Constraint[] {
  return limits.flatMap(([keyword, merge]): Constraint[] => {
    if (!declared.has(keyword)) return [];
    const values = nodes.flatMap(({ value }) => limitOf(value, keyword) ?? []);
    if (values.length === 0) return [];
    if (merge === "any") return values.includes(true) ? [{ keyword, value: true }] : [];
    if (merge === "none") return values.includes(false) ? [{ keyword, value: false }] : [];

    if (merge === "each")
      return [...new Set(values)]
        .filter((value) => typeof value === "string")
        .map((value) => ({ keyword, value }));

    const numbers = values.filter((value) => typeof value === "number" || typeof value === "bigint");
    if (numbers.length === 0) return [];

    const combine =
      merge === "common"
        ? leastCommonMultiple
        : (a: number | bigint, b: number | bigint) => ((merge === "greatest") === a > b ? a : b);

    return [{ keyword, value: numbers.reduce(combine) }];
  });
}

/**
 * Returns the value of a limit keyword. In OpenAPI 3.0, exclusive limits are flags next to `minimum` and
 * `maximum`.
 */
function limitOf(node: unknown, keyword: string): unknown {
  if (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") {
    const value = own(node, keyword);
    return value === true
      ? own(node, keyword === "exclusiveMinimum" ? "minimum" : "maximum")
      : value === false
        ? undefined
        : value;
  }
  if (keyword === "minimum" && own(node, "exclusiveMinimum") === true) return undefined;
  if (keyword === "maximum" && own(node, "exclusiveMaximum") === true) return undefined;
  return own(node, keyword);
}

/** Returns the least common multiple of two positive integers. For other numbers, returns `b`. */
function leastCommonMultiple(a: number | bigint, b: number | bigint): number | bigint {
  if (!isPositiveInteger(a) || !isPositiveInteger(b)) return b;
  let [x, y] = [a, b];
  while (y) [x, y] = [y, x % y];
  return (a / x) * b;
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
