import * as acorn from "acorn";
import jsx from "acorn-jsx";
import { isComponentName } from "../content.ts";

/** A node of the syntax tree, JSX included: acorn's own types know none. */
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

/** Why code does not parse; line and column count from 1 inside of the given source. */
export class SyntaxMistake extends Error {
  constructor(
    message: string,
    readonly line = 1,
    readonly column = 1,
  ) {
    super(message);
  }
}

/** The code is nested so deeply that reading it would exhaust the stack. */
export class TooDeep extends Error {}

const Parser = acorn.Parser.extend(jsx());

/** Parses import and export statements, or a whole file. */
export function parseModule(source: string): acorn.Program {
  try {
    return Parser.parse(source, { ecmaVersion: "latest", sourceType: "module", locations: true });
  } catch (error) {
    // acorn turns the end of the stack into a syntax error of this text.
    if (error instanceof RangeError || /stack space/.test(String(error))) throw new TooDeep("The code is nested too deeply.");
    const { message, loc } = error as Error & { loc?: acorn.Position };
    throw new SyntaxMistake(message.replace(/ \(\d+:\d+\)$/, ""), loc?.line, loc && loc.column + 1);
  }
}

/**
 * Parses what stands between braces. Nothing but a comment gives an empty list,
 * a spread gives a spread element, `a, b` gives two: so the braces are read as a list.
 */
export function parseBraces(source: string): acorn.ArrayExpression["elements"] {
  const list = asList(source);
  const [statement] = parseModule(list).body;
  const expression = statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  // `1]; [2` would close our bracket and open another one.
  if (expression?.type !== "ArrayExpression" || expression.end !== list.length) {
    throw new SyntaxMistake("Unexpected bracket");
  }
  return expression.elements;
}

/** The braces' source as an array literal; the line break ends a trailing line comment. */
export function asList(source: string): string {
  return `[${source}\n]`;
}

/** Every capitalised name that stands first in a JSX tag: `Card`, `Tree` of `Tree.File`. */
export function componentNames(tree: unknown): Set<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    if (node.type !== "JSXOpeningElement") return;
    const root = jsxName(node.name as JsxName).split(".")[0] ?? "";
    if (isComponentName(root)) names.add(root);
  });
  return names;
}

/** Every name that code mentions, defined there or not. */
export function identifierNames(tree: unknown): Set<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    if (node.type === "Identifier") names.add(node.name as string);
    if (node.type === "JSXOpeningElement") names.add(jsxName(node.name as JsxName).split(".")[0] ?? "");
  });
  return names;
}

function visit(tree: unknown, see: (node: { type: string; name?: unknown }) => void): void {
  if (typeof tree !== "object" || tree === null) return;
  if ("type" in tree) see(tree as { type: string });
  for (const value of Object.values(tree)) visit(value, see);
}

/** A tag or attribute name as it is written: `div`, `Tree.File`, `xlink:href`. */
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

/** JSX text as React shows it: lines are trimmed where they break, and blank lines vanish. */
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
