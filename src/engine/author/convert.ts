import { type ContentElement, type ContentNode, element, type Props, type PropValue } from "../content.ts";
import type { Budget } from "./budget.ts";
import { Failed, NeedsJavaScript } from "./needs-javascript.ts";
import { Closure, type Fields, Missing, Snippet, type Value } from "./values.ts";

/**
 * How many nodes each element holds. The entry also tells elements from objects that an author
 * gave the same keys, and prices sharing: thirty lines of `<>{a}{a}</>` would hold 2^30 nodes.
 */
const weights = new WeakMap<object, number>();

export function isElement(value: unknown): value is ContentElement {
  return typeof value === "object" && value !== null && weights.has(value);
}

export function isFields(value: Value): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isElement(value) && !isOpaque(value);
}

function isOpaque(value: Value): boolean {
  return value instanceof Closure || value instanceof Snippet || value instanceof Missing;
}

/** Makes an element whose size is known and paid for. */
export function makeElement(name: string, props: Props, children: ContentNode[], budget: Budget): ContentElement {
  const made = element(name, props, children);
  budget.charge(weigh(made));
  return made;
}

/** The number of nodes of a content node or property; remembered for elements. */
export function weigh(value: PropValue | ContentNode): number {
  if (typeof value !== "object" || value === null) return 1;
  const known = weights.get(value);
  if (known !== undefined) return known;
  const weight = 1 + Object.values(value).reduce((sum: number, item: PropValue) => sum + (typeof item === "object" ? weigh(item) : 1), 0);
  if (looksLikeElement(value)) weights.set(value, weight);
  return weight;
}

function looksLikeElement(value: object): value is ContentElement {
  const { name, props, children } = value as Partial<ContentElement>;
  return typeof name === "string" && typeof props === "object" && Array.isArray(children);
}

/** Takes in a value that the page made: its elements become known as elements. */
export function fromProp(value: PropValue): Value {
  weigh(value);
  if (Array.isArray(value)) value.forEach(fromProp);
  else if (typeof value === "object" && value !== null && !isElement(value)) Object.values(value).forEach(fromProp);
  return value as Value;
}

/** The children that a component is given: nothing, a text, or content. */
export function fromChildren(children: ContentNode[]): Value {
  const said = children.filter((child) => typeof child !== "string" || child.trim() !== "");
  if (said.length === 0) return undefined;
  const whole = said.length === 1 ? said[0] : element("", {}, children);
  return fromProp(whole);
}

/** A value as content, as JSX shows it. */
export function toContent(value: Value, budget: Budget): ContentNode[] {
  const nodes: ContentNode[] = [];
  collect(value, nodes, budget);
  return nodes;
}

function collect(value: Value, nodes: ContentNode[], budget: Budget): void {
  if (value === null || value === undefined || typeof value === "boolean" || value === "") return;
  budget.charge(1);
  if (typeof value === "string" || typeof value === "number") appendText(nodes, String(value), budget);
  else if (Array.isArray(value)) for (const item of value) budget.deeper(() => collect(item, nodes, budget));
  else if (isElement(value)) {
    budget.charge(weigh(value));
    for (const node of value.name === "" ? value.children : [value]) append(nodes, node, budget);
  } else if (isFields(value)) throw new Failed("An object cannot be shown as text.");
}

/** Adds a node; neighbouring texts become one. */
export function append(nodes: ContentNode[], node: ContentNode, budget: Budget): void {
  if (typeof node === "string") appendText(nodes, node, budget);
  else nodes.push(node);
}

function appendText(nodes: ContentNode[], text: string, budget: Budget): void {
  budget.chargeText(text);
  const last = nodes.at(-1);
  if (typeof last === "string") nodes[nodes.length - 1] = last + text;
  else nodes.push(text);
}

/** A value as an attribute of an element that stays in the page. Functions cannot stay there. */
export function toProp(value: Value, budget: Budget): PropValue {
  budget.charge(1);
  if (value instanceof Closure) throw new NeedsJavaScript();
  if (value instanceof Snippet || value instanceof Missing) return undefined;
  if (Array.isArray(value)) return value.map((item) => toProp(item, budget));
  if (isElement(value)) {
    budget.charge(weigh(value));
    return value;
  }
  if (isFields(value)) return toProps(value, budget);
  return value;
}

/** Later stages tell elements by their keys, so author data may not wear them. */
export function refuseLookalike(fields: object): void {
  if (looksLikeElement(fields)) throw new Failed("An object with `name`, `props` and `children` cannot be a property.");
}

export function toProps(fields: Fields, budget: Budget): Props {
  refuseLookalike(fields);
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, toProp(value, budget)]));
}

/** Author code may compute a tag's name; it has to look like one. */
export function isTagName(name: string): boolean {
  return /^[A-Za-z][\w.:-]*$/.test(name);
}

/** What stands in the page where a component failed. */
export function problemBox(message: string): ContentElement {
  return element("ProblemBox", { message });
}
