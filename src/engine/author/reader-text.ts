/** Finds text that depends on the reader: `user.name`, with or without a text for other readers. */

import type * as acorn from "acorn";
import type { Syntax } from "./javascript-syntax.ts";
import type { Fields, VariableScope } from "./values.ts";

/** The value of `user` during a build, which doesn't know the reader. Compared by identity. */
export const readerFields: Fields = Object.freeze({});

/** `path`: names of fields, joined with dots. */
export interface ReaderText {
  path: string;
  fallback: string;
}

/** Undefined for other code, including code that computes something with a value of `user`. */
export function readerTextOf(node: acorn.Node, scope: VariableScope): ReaderText | undefined {
  const code = unwrapped(node);
  if (code.type === "LogicalExpression" && code.operator !== "&&") {
    const other = unwrapped(code.right);
    const path = pathOf(unwrapped(code.left), scope);
    const isText =
      other.type === "Literal" && (typeof other.value === "string" || typeof other.value === "number");
    return path && isText ? { path, fallback: String(other.value) } : undefined;
  }
  const path = pathOf(code, scope);
  return path ? { path, fallback: "" } : undefined;
}

/** Empty for `user` itself. Undefined for code that isn't the path of a field. */
function pathOf(node: Syntax, scope: VariableScope): string | undefined {
  if (node.type === "Identifier")
    return node.name === "user" && scope.has("user") && scope.lookup("user") === readerFields
      ? ""
      : undefined;
  if (node.type !== "MemberExpression") return undefined;
  const { property, computed } = node;
  const literal = computed && property.type === "Literal" ? String(property.value) : undefined;
  const name = !computed && property.type === "Identifier" ? property.name : literal;
  const before = pathOf(unwrapped(node.object), scope);
  if (before === undefined || !name || name.includes(".")) return undefined;
  return before ? `${before}.${name}` : name;
}

function unwrapped(node: acorn.Node): Syntax {
  const code = node as Syntax;
  const isWrapper = code.type === "ParenthesizedExpression" || code.type === "ChainExpression";
  return isWrapper ? unwrapped(code.expression) : code;
}
