/** Reads values from the syntax tree of a JavaScript or TypeScript file. Nothing is executed. */

import type * as acorn from "acorn";
import { limits } from "../../src/base/limits.ts";
import { CodeSyntaxError, NestedTooDeeply, parseModule } from "../../src/engine/author/javascript-syntax.ts";
import { isTypeScript, stripTypes } from "../../src/engine/author/transpile.ts";

/** Maximum number of values that are read from a file. A constant counts each time that it is read. */
const values_count = 200_000;

/**
 * A value that can't be determined without running the code. `line`: line of the value in the file, if known.
 */
export class DynamicValue {
  constructor(readonly line?: number) {}
}

/** A function call with the values of its arguments. */
export class StaticCall {
  constructor(
    readonly name: string,
    readonly args: readonly unknown[],
  ) {}
}

/**
 * Reads the default export of a file as plain values, `DynamicValue` and `StaticCall`. Replaces calls to
 * functions whose name starts with `define` with their first argument. Returns a `DynamicValue` if the file
 * can't be parsed or has no default export.
 */
export function readStaticExport(file: string, source: string): unknown {
  try {
    return file.endsWith(".json")
      ? JSON.parse(source)
      : new StaticReader(parseConfig(file, source)).defaultExport();
  } catch (error) {
    if (error instanceof CodeSyntaxError || error instanceof NestedTooDeeply || error instanceof SyntaxError)
      return new DynamicValue();
    throw error;
  }
}

function parseConfig(file: string, source: string): { program: acorn.Program; hasLines: boolean } {
  try {
    return { program: parseModule(source), hasLines: true };
  } catch (error) {
    if (!(error instanceof CodeSyntaxError) || !isTypeScript(file.replace(/\.[cm]ts$/, ".ts"))) throw error;
    return { program: parseModule(stripTypes("config.ts", source)), hasLines: false };
  }
}

class StaticReader {
  private readonly constants = new Map<string, acorn.Expression>();
  private exported: acorn.Node | undefined;
  private readonly hasLines: boolean;
  private read = 0;

  constructor({ program, hasLines }: { program: acorn.Program; hasLines: boolean }) {
    this.hasLines = hasLines;
    for (const node of program.body) {
      const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
      if (declaration?.type === "VariableDeclaration" && declaration.kind === "const")
        for (const { id, init } of declaration.declarations)
          if (id.type === "Identifier" && init) this.constants.set(id.name, init);
      if (node.type === "ExportDefaultDeclaration") this.exported = node.declaration;
      if (node.type !== "ExpressionStatement" || node.expression.type !== "AssignmentExpression") continue;
      const { left, right } = node.expression;
      const isExport =
        left.type === "MemberExpression" &&
        left.object.type === "Identifier" &&
        left.object.name === "module";
      if (isExport) this.exported = right;
    }
  }

  defaultExport(): unknown {
    return this.exported ? this.value(this.exported as acorn.AnyNode, 0) : new DynamicValue();
  }

  private value(node: acorn.AnyNode, depth: number): unknown {
    if (++this.read > values_count || depth > limits.nesting_levels) return new DynamicValue();
    const next = (child: acorn.AnyNode) => this.value(child, depth + 1);
    switch (node.type) {
      case "Literal":
        return typeof node.value === "object" ? null : node.value;
      case "TemplateLiteral":
        return node.expressions.length === 0 ? (node.quasis[0]!.value.cooked ?? "") : this.dynamic(node);
      case "ArrayExpression":
        return node.elements.flatMap((element) => {
          if (element?.type !== "SpreadElement") return element ? [next(element)] : [];
          const list = next(element.argument);
          return Array.isArray(list) ? list : [this.dynamic(element)];
        });
      case "ObjectExpression":
        return this.object(node, next);
      case "Identifier": {
        const constant = this.constants.get(node.name);
        return constant ? next(constant) : node.name === "undefined" ? undefined : this.dynamic(node);
      }
      case "CallExpression": {
        if (node.callee.type !== "Identifier") return this.dynamic(node);
        const args = node.arguments.map(next);
        return /^define/.test(node.callee.name) ? args[0] : new StaticCall(node.callee.name, args);
      }
      default:
        return this.dynamic(node);
    }
  }

  private object(
    node: acorn.ObjectExpression,
    next: (child: acorn.AnyNode) => unknown,
  ): Record<string, unknown> {
    const out: Record<string, unknown> = Object.create(null);
    for (const property of node.properties) {
      if (property.type === "SpreadElement") {
        const spread = next(property.argument);
        if (isRecord(spread)) Object.assign(out, spread);
      } else if (!property.computed)
        out[
          property.key.type === "Identifier"
            ? property.key.name
            : String((property.key as acorn.Literal).value)
        ] = next(property.value);
    }
    return out;
  }

  private dynamic(node: acorn.Node): DynamicValue {
    return new DynamicValue(this.hasLines ? node.loc?.start.line : undefined);
  }
}

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof DynamicValue || value instanceof StaticCall || value instanceof Date)
  );
}

/** Returns the value at a path of keys. Undefined if a part is missing. */
export function valueAt(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (at, key) =>
      Array.isArray(at) && typeof key === "number"
        ? at[key]
        : isRecord(at) && Object.hasOwn(at, key)
          ? at[String(key)]
          : undefined,
    value,
  );
}

/**
 * Returns the text at a path of keys, without surrounding white space. Undefined for other values and for
 * blank text.
 */
export function textAt(value: unknown, ...keys: (string | number)[]): string | undefined {
  const found = valueAt(value, ...keys);
  return typeof found === "string" && found.trim() ? found.trim() : undefined;
}

/** Returns the list at a path of keys. Empty for other values. */
export function listAt(value: unknown, ...keys: (string | number)[]): unknown[] {
  const found = valueAt(value, ...keys);
  return Array.isArray(found) ? found : [];
}
