/** Evaluates author code without running it, by walking the syntax tree. */

import type * as acorn from "acorn";
import { type ContentNode, isComponentName } from "../content.ts";
import {
  fromProp,
  isElement,
  isFields,
  isTagName,
  makeElement,
  problemBox,
  toProps,
  valueToContent,
} from "./convert-values.ts";
import type { EvaluationBudget } from "./evaluation-budget.ts";
import { AuthorCodeFailed, NeedsJavaScript, UndefinedName } from "./evaluation-errors.ts";
import { browserNames, hookNames, javascriptNames } from "./javascript-names.ts";
import { type Jsx, type JsxElement, jsxName, jsxText, type Syntax } from "./javascript-syntax.ts";
import { LocalScope } from "./local-scope.ts";
import { binary, text, unary } from "./operators.ts";
import { readerFields, readerTextOf } from "./reader-text.ts";
import {
  Closure,
  type ComponentAddress,
  type Fields,
  Missing,
  Snippet,
  type Value,
  type VariableScope,
} from "./values.ts";

/**
 * Callbacks for components that the evaluator can't expand. Both return the content that replaces the
 * component.
 */
export interface EvaluatorHost {
  /** Renders a component that needs JavaScript. */
  render(name: string, address: ComponentAddress, props: Fields): ContentNode[];
  /** Reports a component that failed, and returns its replacement. */
  failed(name: string, message: string): ContentNode[];
  /** Called with the name of each element that isn't an author's component. */
  onTag(name: string): void;
}

const constants: Fields = { undefined: undefined, NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY };

/**
 * Matches code that could read a context: a consumer, or a hook other than the built-in ones without a
 * context.
 */
const contextConsumer =
  /\.Consumer\b|\buse(?!(?:State|Effect|Ref|Callback|Memo|Reducer|LayoutEffect|Id)\b)[A-Z]/;

const sandboxNames: ReadonlySet<string> = new Set([...javascriptNames, ...browserNames, ...hookNames]);

/**
 * Evaluates the subset of JavaScript that templates use: data, operators, JSX and simple functions.
 * Interprets the syntax tree, so author code can't call functions of this process. Throws `NeedsJavaScript`
 * for other code, `AuthorCodeFailed` or `UndefinedName` for code that fails, and `TooMuchWork` for code that
 * exceeds the budget.
 */
export class Evaluator {
  /** Number of components that are being expanded. */
  private open_count = 0;
  constructor(
    readonly budget: EvaluationBudget,
    private readonly host: EvaluatorHost,
  ) {}

  evaluate(node: acorn.Node, scope: VariableScope): Value {
    this.budget.charge(1);
    return this.budget.deeper(() => this.evaluateNode(node as Syntax, scope));
  }

  /** Evaluates code whose value is shown. A value of `user` becomes an element that a script fills. */
  child(node: acorn.Node, scope: VariableScope): Value {
    const text = readerTextOf(node, scope);
    if (!text) return this.evaluate(node, scope);
    return makeElement(
      "span",
      { "data-reader": text.path },
      text.fallback ? [text.fallback] : [],
      this.budget,
    );
  }

  private evaluateNode(node: Syntax, scope: VariableScope): Value {
    switch (node.type) {
      case "Literal":
        return literal(node);
      case "TemplateLiteral":
        return this.template(node, scope);
      case "Identifier":
        return this.identifier(node.name, scope);
      case "ParenthesizedExpression":
        return this.evaluate(node.expression, scope);
      case "ChainExpression":
        return this.evaluate(node.expression, scope);
      case "MemberExpression":
        return this.memberExpression(node, scope);
      case "UnaryExpression":
        return unary(node.operator, this.evaluate(node.argument, scope));
      case "BinaryExpression":
        return this.chargedText(
          binary(node.operator, this.evaluate(node.left, scope), this.evaluate(node.right, scope)),
        );
      case "LogicalExpression":
        return this.logical(node, scope);
      case "ConditionalExpression":
        return this.evaluate(this.evaluate(node.test, scope) ? node.consequent : node.alternate, scope);
      case "SequenceExpression":
        return node.expressions.map((expression) => this.evaluate(expression, scope)).at(-1);
      case "ArrayExpression":
        return this.list(node.elements, scope);
      case "ObjectExpression":
        return this.object(node, scope);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
      case "FunctionDeclaration":
        return new Closure(node, scope);
      case "CallExpression":
        return this.callExpression(node, scope);
      case "JSXElement":
        return this.element(node, scope);
      case "JSXFragment":
        return this.one(valueToContent(this.children(node.children, scope), this.budget));
      default:
        throw new NeedsJavaScript();
    }
  }

  /**
   * Expands a component. `read` returns the component's value. If the component has an address, and needs
   * JavaScript or uses an undefined name, the host renders it. If its code fails, the host reports the error.
   */
  component(
    name: string,
    read: () => Value,
    address: ComponentAddress | undefined,
    props: Fields,
  ): ContentNode[] {
    this.open_count++;

    try {
      return this.expand(name, read(), props);
    } catch (error) {
      if (address && (error instanceof NeedsJavaScript || error instanceof UndefinedName)) {
        // The sandbox then also runs the components around it, which can provide the context.
        if (this.open_count > 1 && contextConsumer.test(address.file.source)) throw new NeedsJavaScript();
        return this.host.render(name, address, props);
      }
      if (error instanceof AuthorCodeFailed)
        return [...this.host.failed(name, error.message), ...valueToContent(props.children, this.budget)];
      throw error;
    } finally {
      this.open_count--;
    }
  }

  private expand(name: string, value: Value, props: Fields): ContentNode[] {
    const { children, ...rest } = props;
    if (value instanceof Closure) return valueToContent(this.call(value, [props]), this.budget);
    if (value instanceof Snippet)
      return value.expand(toProps(rest, this.budget), valueToContent(children, this.budget));
    if (value instanceof Missing)
      return [problemBox(value.message), ...valueToContent(children, this.budget)];
    if (typeof value === "string" && isTagName(value))
      return [
        makeElement(value, toProps(rest, this.budget), valueToContent(children, this.budget), this.budget),
      ];
    throw new AuthorCodeFailed(`\`${name}\` isn't a component.`);
  }

  /**
   * Reads a property. Only own properties can be read, so that prototypes are not accessible; other
   * properties are undefined. Throws `AuthorCodeFailed` for null and undefined, and `NeedsJavaScript` for
   * functions and elements.
   */
  member(object: Value, key: string): Value {
    if (object === null || object === undefined)
      throw new AuthorCodeFailed(`Can't read \`${key}\` of ${object}.`);
    if (object instanceof Closure || isElement(object)) throw new NeedsJavaScript();
    const holder: unknown = object;
    if (typeof object === "string" || Array.isArray(object) || isFields(object)) {
      return Object.hasOwn(Object(holder), key) ? (Object(holder) as Fields)[key] : undefined;
    }
    return undefined;
  }

  /** Defines the names in the pattern of a parameter or a declaration. */
  bind(pattern: acorn.Pattern, value: Value, scope: LocalScope): void {
    switch (pattern.type) {
      case "Identifier":
        return scope.define(pattern.name, value);
      case "AssignmentPattern":
        return this.bind(
          pattern.left,
          value === undefined ? this.evaluate(pattern.right, scope) : value,
          scope,
        );
      case "ObjectPattern":
        return this.bindFields(pattern, value, scope);
      case "ArrayPattern":
        return this.bindItems(pattern, value, scope);
      default:
        throw new NeedsJavaScript();
    }
  }

  private bindFields(pattern: acorn.ObjectPattern, value: Value, scope: LocalScope): void {
    const taken = new Set<string>();
    for (const property of pattern.properties) {
      if (property.type === "RestElement") {
        if (!isFields(value)) throw new NeedsJavaScript();
        const rest = Object.entries(value).filter(([key]) => !taken.has(key));
        this.budget.charge(rest.length);
        this.bind(property.argument, fieldsFrom(rest), scope);
      } else {
        const key = this.key(property, scope);
        taken.add(key);
        this.bind(property.value, this.member(value, key), scope);
      }
    }
  }

  private bindItems(pattern: acorn.ArrayPattern, value: Value, scope: LocalScope): void {
    if (!Array.isArray(value)) throw new NeedsJavaScript();
    pattern.elements.forEach((item, index) => {
      if (item?.type === "RestElement") this.bind(item.argument, value.slice(index), scope);
      else if (item) this.bind(item, value[index], scope);
    });
  }

  private call(closure: Closure, args: Value[]): Value {
    const { node } = closure;
    if (node.async || node.generator) throw new NeedsJavaScript();
    return this.budget.deeper(() => {
      const scope = new LocalScope(closure.scope);
      node.params.forEach((param, index) => this.bind(param, args[index], scope));
      if (node.body.type !== "BlockStatement") return this.evaluate(node.body, scope);
      return this.block(node.body.body, scope)?.returned;
    });
  }

  /** Runs statements up to a `return`. Undefined if none is reached. */
  private block(statements: acorn.Statement[], scope: LocalScope): { returned: Value } | undefined {
    for (const statement of statements) {
      if (statement.type === "FunctionDeclaration")
        scope.define(statement.id.name, new Closure(statement, scope));
    }
    for (const statement of statements) {
      const result = this.statement(statement, scope);
      if (result) return result;
    }
    return undefined;
  }

  private statement(statement: acorn.Statement, scope: LocalScope): { returned: Value } | undefined {
    this.budget.charge(1);

    switch (statement.type) {
      case "ReturnStatement":
        return { returned: statement.argument ? this.evaluate(statement.argument, scope) : undefined };
      case "IfStatement": {
        const taken = this.evaluate(statement.test, scope) ? statement.consequent : statement.alternate;
        return taken ? this.budget.deeper(() => this.statement(taken, scope)) : undefined;
      }
      case "BlockStatement":
        return this.block(statement.body, new LocalScope(scope));
      case "VariableDeclaration":
        for (const { id, init } of statement.declarations)
          this.bind(id, init ? this.evaluate(init, scope) : undefined, scope);
        return undefined;
      case "FunctionDeclaration":
      case "EmptyStatement":
        return undefined;
      default:
        throw new NeedsJavaScript();
    }
  }

  private identifier(name: string, scope: VariableScope): Value {
    if (scope.has(name)) {
      const value = scope.lookup(name);
      // Only the reader's browser knows the value.
      if (value === readerFields) throw new NeedsJavaScript();
      return value;
    }
    if (Object.hasOwn(constants, name)) return constants[name];
    if (sandboxNames.has(name)) throw new NeedsJavaScript();
    throw new UndefinedName(name);
  }

  private memberExpression(node: acorn.MemberExpression, scope: VariableScope): Value {
    const object = this.evaluate(node.object, scope);
    if (node.optional && (object === null || object === undefined)) return undefined;
    if (!node.computed && node.property.type === "Identifier") return this.member(object, node.property.name);
    return this.member(object, text(this.evaluate(node.property, scope)));
  }

  private callExpression(node: acorn.CallExpression, scope: VariableScope): Value {
    if (node.optional || node.callee.type === "MemberExpression") throw new NeedsJavaScript();
    const callee = this.evaluate(node.callee, scope);
    if (!(callee instanceof Closure)) throw new NeedsJavaScript();
    return this.call(callee, this.list(node.arguments, scope));
  }

  private template(node: acorn.TemplateLiteral, scope: VariableScope): Value {
    const parts = node.quasis.flatMap(({ value }, index) => {
      const expression = node.expressions[index];
      return [value.cooked ?? value.raw, expression ? text(this.evaluate(expression, scope)) : ""];
    });
    return this.chargedText(parts.join(""));
  }

  private logical(node: acorn.LogicalExpression, scope: VariableScope): Value {
    const left = this.evaluate(node.left, scope);
    const done =
      node.operator === "&&"
        ? !left
        : node.operator === "||"
          ? Boolean(left)
          : left !== null && left !== undefined;
    return done ? left : this.evaluate(node.right, scope);
  }

  private list(items: (acorn.Expression | acorn.SpreadElement | null)[], scope: VariableScope): Value[] {
    return items.flatMap((item) => {
      if (item === null) return [undefined];
      if (item.type !== "SpreadElement") return [this.evaluate(item, scope)];
      const value = this.evaluate(item.argument, scope);
      if (!Array.isArray(value)) throw new NeedsJavaScript();
      this.budget.charge(value.length);
      return value;
    });
  }

  private object(node: acorn.ObjectExpression, scope: VariableScope): Fields {
    return fieldsFrom(
      node.properties.flatMap((property): [string, Value][] => {
        if (property.type === "SpreadElement") return this.spread(property.argument, scope);
        if (property.kind !== "init") throw new NeedsJavaScript();
        return [[this.key(property, scope), this.evaluate(property.value, scope)]];
      }),
    );
  }

  private spread(node: acorn.Node, scope: VariableScope): [string, Value][] {
    const value = this.evaluate(node, scope) ?? {};
    if (!isFields(value)) throw new NeedsJavaScript();
    const entries = Object.entries(value);
    this.budget.charge(entries.length);
    return entries;
  }

  private key(property: acorn.Property | acorn.AssignmentProperty, scope: VariableScope): string {
    if (property.computed) return text(this.evaluate(property.key, scope));
    if (property.key.type === "Identifier") return property.key.name;
    if (property.key.type === "Literal") return String(property.key.value);
    throw new NeedsJavaScript();
  }

  private element(node: JsxElement, scope: VariableScope): Value {
    const name = jsxName(node.openingElement.name);
    const [root = "", ...path] = name.split(".");
    if (path.at(-1) === "Provider" || path.at(-1) === "Consumer") throw new NeedsJavaScript();

    const fields = this.attributes(node, scope);
    const children = this.children(node.children, scope);
    const isHtml = path.length === 0 && !isComponentName(name) && !isSnippet(name, scope);
    if (isHtml || !scope.has(root)) {
      this.host.onTag(name);
      return makeElement(
        name,
        toProps(fields, this.budget),
        valueToContent(children, this.budget),
        this.budget,
      );
    }

    const props =
      children.length === 0
        ? fields
        : { ...fields, children: children.length === 1 ? children[0] : children };

    const read = () => path.reduce((value, key) => this.member(value, key), scope.lookup(root));
    return this.one(this.component(name, read, addressOf(name, scope), props));
  }

  private attributes(node: JsxElement, scope: VariableScope): Fields {
    return fieldsFrom(
      node.openingElement.attributes
        .flatMap((attribute): [string, Value][] => {
          if (attribute.type === "JSXSpreadAttribute") return this.spread(attribute.argument, scope);
          const { value } = attribute;
          const given = value?.type === "JSXExpressionContainer" ? value.expression : value;
          return [[jsxName(attribute.name), given ? this.evaluate(given, scope) : true]];
        })
        .filter(([key]) => key !== "key"),
    );
  }

  private children(nodes: Jsx[], scope: VariableScope): Value[] {
    return nodes.flatMap((node): Value[] => {
      if (node.type === "JSXText") return jsxText(node.value) === "" ? [] : [jsxText(node.value)];
      if (node.type === "JSXExpressionContainer") {
        return node.expression.type === "JSXEmptyExpression" ? [] : [this.child(node.expression, scope)];
      }
      return [this.evaluate(node, scope)];
    });
  }

  private one(nodes: ContentNode[]): Value {
    const [only] = nodes;
    if (nodes.length === 1) return fromProp(only);
    return makeElement("", {}, nodes, this.budget);
  }

  private chargedText(value: Value): Value {
    if (typeof value === "string") this.budget.chargeText(value);
    return value;
  }
}

/** Returns the address of a component. Undefined if no loaded file defines the component at the top level. */
export function addressOf(name: string, scope: VariableScope): ComponentAddress | undefined {
  const [root = "", ...rest] = name.split(".");
  const found = scope.locate(root);
  return found && { file: found.file, path: [found.path, ...rest].filter(Boolean).join(".") };
}

/** Whether a name is that of an imported Markdown file. Such a name can start with a lowercase letter. */
export function isSnippet(name: string, scope: VariableScope): boolean {
  return scope.has(name) && scope.lookup(name) instanceof Snippet;
}

function literal(node: acorn.Literal): Value {
  if (typeof node.value === "bigint" || node.value instanceof RegExp || node.regex)
    throw new NeedsJavaScript();
  return node.value;
}

/** Creates an object. Drops `__proto__`, since copying that key by assignment would set the prototype. */
function fieldsFrom(entries: [string, Value][]): Fields {
  return Object.fromEntries(entries.filter(([key]) => key !== "__proto__"));
}
