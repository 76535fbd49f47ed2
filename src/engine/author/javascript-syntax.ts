/** Parses author code with acorn, and reads names and text from its syntax tree. */

import * as acorn from "acorn";
import jsx from "acorn-jsx";
import { isComponentName } from "../content.ts";

/** A node of the syntax tree. Acorn's types don't include JSX. */
export type Syntax = acorn.AnyNode | Jsx;

export type Jsx = JsxElement | JsxFragment | JsxText | JsxContainer | JsxSpreadChild | JsxEmpty;

export interface JsxElement extends acorn.Node {
  type: "JSXElement";
  openingElement: { name: JsxName; attributes: (JsxAttribute | JsxSpread)[] };
  children: Jsx[];
}

export interface JsxFragment extends acorn.Node {
  type: "JSXFragment";
  children: Jsx[];
}

interface JsxText extends acorn.Node {
  type: "JSXText";
  value: string;
}

interface JsxContainer extends acorn.Node {
  type: "JSXExpressionContainer";
  expression: acorn.Expression | JsxEmpty;
}

interface JsxSpreadChild extends acorn.Node {
  type: "JSXSpreadChild";
  expression: acorn.Expression;
}

interface JsxEmpty extends acorn.Node {
  type: "JSXEmptyExpression";
}

interface JsxAttribute extends acorn.Node {
  type: "JSXAttribute";
  name: JsxName;
  value: acorn.Literal | JsxContainer | JsxElement | JsxFragment | null;
}

interface JsxSpread extends acorn.Node {
  type: "JSXSpreadAttribute";
  argument: acorn.Expression;
}

export type JsxName =
  | { type: "JSXIdentifier"; name: string }
  | { type: "JSXMemberExpression"; object: JsxName; property: { name: string } }
  | { type: "JSXNamespacedName"; namespace: { name: string }; name: { name: string } };

/** Thrown for a syntax error in author code. Line and column start at 1 and refer to the parsed source. */
export class CodeSyntaxError extends Error {
  constructor(
    message: string,
    readonly line = 1,
    readonly column = 1,
  ) {
    super(message);
  }
}

/** Thrown for code that is nested so deeply that parsing it overflows the stack. */
export class NestedTooDeeply extends Error {}

const Parser = acorn.Parser.extend(jsx());

/** Parses import and export statements, or a whole file. Throws `CodeSyntaxError` or `NestedTooDeeply`. */
export function parseModule(source: string): acorn.Program {
  try {
    return Parser.parse(source, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch (error) {
    // acorn reports a stack overflow as a syntax error with this text.
    if (error instanceof RangeError || /stack space/.test(String(error)))
      throw new NestedTooDeeply("The code is nested too deeply.");
    const { message, loc } = error as Error & { loc?: acorn.Position };
    throw new CodeSyntaxError(message.replace(/ \(\d+:\d+\)$/, ""), loc?.line, loc && loc.column + 1);
  }
}

/**
 * Parses the content of braces as the elements of a list: none if there is only a comment, a spread element
 * for `...a`, and two elements for `a, b`. Throws `CodeSyntaxError` or `NestedTooDeeply`.
 */
export function parseBraces(source: string): acorn.ArrayExpression["elements"] {
  const list = asList(source);
  const [statement] = parseModule(list).body;
  const expression = statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  // Rejects sources such as `1]; [2`, which close the bracket.
  if (expression?.type !== "ArrayExpression" || expression.end !== list.length) {
    throw new CodeSyntaxError("Unexpected bracket");
  }
  return expression.elements;
}

/** Writes the content of braces as an array literal. The line break ends a trailing line comment. */
export function asList(source: string): string {
  return `[${source}\n]`;
}

/** Returns the component names of all JSX tags: `Card` for `<Card>`, `Tree` for `<Tree.File>`. */
export function componentNames(tree: unknown): Set<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    if (node.type !== "JSXOpeningElement") return;
    const root = jsxName(node.name as JsxName).split(".")[0] ?? "";
    if (isComponentName(root)) names.add(root);
  });
  return names;
}

/**
 * Returns all identifiers and the first part of all tag names in a syntax tree, whether or not the code
 * defines them.
 */
export function identifierNames(tree: unknown): Set<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    if (node.type === "Identifier") names.add(node.name as string);
    if (node.type === "JSXOpeningElement") names.add(jsxName(node.name as JsxName).split(".")[0] ?? "");
  });
  return names;
}

function visit(tree: unknown, visitor: (node: { type: string; name?: unknown }) => void): void {
  if (typeof tree !== "object" || tree === null) return;
  if ("type" in tree) visitor(tree as { type: string });
  for (const value of Object.values(tree)) visit(value, visitor);
}

/** Returns a tag or attribute name as written in the source: `div`, `Tree.File`, `xlink:href`. */
export function jsxName(name: JsxName): string {
  switch (name.type) {
    case "JSXIdentifier":
      return name.name;
    case "JSXMemberExpression":
      return `${jsxName(name.object)}.${name.property.name}`;
    case "JSXNamespacedName":
      return `${name.namespace.name}:${name.name.name}`;
  }
}

/**
 * Applies React's whitespace rules to JSX text: trims lines at line breaks, removes empty lines, and joins
 * lines with spaces.
 */
export function jsxText(value: string): string {
  if (!/[\r\n]/.test(value)) return value.replaceAll("\t", " ");
  const lines = value.split(/\r\n|\n|\r/).map((line) => line.replaceAll("\t", " "));
  return lines
    .map((line, index) => {
      const start = index === 0 ? line : line.replace(/^ +/, "");
      return index === lines.length - 1 ? start : start.replace(/ +$/, "");
    })
    .filter((line) => line !== "")
    .join(" ");
}
