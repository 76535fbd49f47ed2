/** Converts between values of evaluated code, property values and content. */

import { type ContentElement, type ContentNode, element, type Props, type PropValue } from "../content.ts";
import type { EvaluationBudget } from "./evaluation-budget.ts";
import { AuthorCodeFailed, NeedsJavaScript } from "./evaluation-errors.ts";
import { Closure, type Fields, Missing, Snippet, type Value } from "./values.ts";

/**
 * The size of each element, as counted by `nodeCount`. Each use of an element is charged at its full size,
 * since thirty lines of `<>{a}{a}</>` would create 2^30 nodes. Also distinguishes elements from other objects
 * with the same keys, which have no entry.
 */
const nodeCounts = new WeakMap<object, number>();

export function isElement(value: unknown): value is ContentElement {
  return typeof value === "object" && value !== null && nodeCounts.has(value);
}

export function isFields(value: Value): value is Fields {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !isElement(value) &&
    !isOpaque(value)
  );
}

function isOpaque(value: Value): boolean {
  return value instanceof Closure || value instanceof Snippet || value instanceof Missing;
}

/** Creates an element and charges its size to the budget. */
export function makeElement(
  name: string,
  props: Props,
  children: ContentNode[],
  budget: EvaluationBudget,
): ContentElement {
  const created = element(name, props, children);
  budget.charge(nodeCount(created));
  return created;
}

/**
 * Returns the number of values in a content node or property value, including the node or value itself.
 * Memoized for elements.
 */
export function nodeCount(value: PropValue | ContentNode): number {
  if (typeof value !== "object" || value === null) return 1;
  const known = nodeCounts.get(value);
  if (known !== undefined) return known;
  const weight =
    1 +
    Object.values(value).reduce(
      (sum: number, item: PropValue) => sum + (typeof item === "object" ? nodeCount(item) : 1),
      0,
    );
  if (looksLikeElement(value)) nodeCounts.set(value, weight);
  return weight;
}

function looksLikeElement(value: object): value is ContentElement {
  const { name, props, children } = value as Partial<ContentElement>;
  return typeof name === "string" && typeof props === "object" && Array.isArray(children);
}

/** Returns a property value from the page unchanged, after registering its elements in `nodeCounts`. */
export function fromProp(value: PropValue): Value {
  nodeCount(value);
  if (Array.isArray(value)) value.forEach(fromProp);
  else if (typeof value === "object" && value !== null && !isElement(value))
    Object.values(value).forEach(fromProp);
  return value as Value;
}

/**
 * Converts children to the `children` prop: undefined if all children are blank, and otherwise a text, an
 * element or a fragment.
 */
export function fromChildren(children: ContentNode[]): Value {
  const notBlank = children.filter((child) => typeof child !== "string" || child.trim() !== "");
  if (notBlank.length === 0) return undefined;
  const whole = notBlank.length === 1 ? notBlank[0] : element("", {}, children);
  return fromProp(whole);
}

/**
 * Converts a value to content, as JSX does. Ignores functions, snippets and missing imports. Throws
 * `AuthorCodeFailed` for plain objects.
 */
export function valueToContent(value: Value, budget: EvaluationBudget): ContentNode[] {
  const nodes: ContentNode[] = [];
  collect(value, nodes, budget);
  return nodes;
}

function collect(value: Value, nodes: ContentNode[], budget: EvaluationBudget): void {
  if (value === null || value === undefined || typeof value === "boolean" || value === "") return;
  budget.charge(1);
  if (typeof value === "string" || typeof value === "number") appendText(nodes, String(value), budget);
  else if (Array.isArray(value)) for (const item of value) budget.deeper(() => collect(item, nodes, budget));
  else if (isElement(value)) {
    budget.charge(nodeCount(value));
    for (const node of value.name === "" ? value.children : [value]) append(nodes, node, budget);
  } else if (isFields(value)) throw new AuthorCodeFailed("Objects can't be shown as text.");
}

/** Appends a node. Joins adjacent texts. */
export function append(nodes: ContentNode[], node: ContentNode, budget: EvaluationBudget): void {
  if (typeof node === "string") appendText(nodes, node, budget);
  else nodes.push(node);
}

function appendText(nodes: ContentNode[], text: string, budget: EvaluationBudget): void {
  budget.chargeText(text);
  const last = nodes.at(-1);
  if (typeof last === "string") nodes[nodes.length - 1] = last + text;
  else nodes.push(text);
}

/**
 * Converts a value to a property of an element. Undefined for snippets and missing imports. Throws
 * `NeedsJavaScript` for functions, and `AuthorCodeFailed` for objects with the keys of an element.
 */
export function toProp(value: Value, budget: EvaluationBudget): PropValue {
  budget.charge(1);
  if (value instanceof Closure) throw new NeedsJavaScript();
  if (value instanceof Snippet || value instanceof Missing) return undefined;
  if (Array.isArray(value)) return value.map((item) => toProp(item, budget));
  if (isElement(value)) {
    budget.charge(nodeCount(value));
    return value;
  }
  if (isFields(value)) return toProps(value, budget);
  return value;
}

/**
 * Throws `AuthorCodeFailed` if an object has the keys of an element, since later stages identify elements by
 * their keys.
 */
export function rejectLookalike(fields: object): void {
  if (looksLikeElement(fields))
    throw new AuthorCodeFailed("An object with `name`, `props`, and `children` can't be used as a prop.");
}

/**
 * Converts the values of an object to properties of an element. Throws the errors of `rejectLookalike` and
 * `toProp`.
 */
export function toProps(fields: Fields, budget: EvaluationBudget): Props {
  rejectLookalike(fields);
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, toProp(value, budget)]));
}

/** Whether a computed tag name is valid. */
export function isTagName(name: string): boolean {
  return /^[A-Za-z][\w.:-]*$/.test(name);
}

/** Creates the element that replaces a failed component. */
export function problemBox(message: string): ContentElement {
  return element("ProblemBox", { message });
}
