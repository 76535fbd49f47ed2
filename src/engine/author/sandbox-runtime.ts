import { limits } from "../../base/limits.ts";
import { browserNames } from "./javascript-names.ts";

/**
 * JavaScript source of the runtime inside the sandbox. The runtime renders components to plain trees. Its
 * hooks behave as in a first render, and time and randomness are fixed. The source evaluates to a function
 * `(program, path, kind, input) => text`. `program` is the function of a `Program`, and the other parameters
 * are fields of `Run`. The text is an `Outcome` as JSON, and is untrusted.
 */
export const sandboxRuntime = String.raw`(() => {
"use strict";
const { stringify, parse } = JSON;
const noted = { interactive: false, browser: false, functions: false, reader: false };
const live = () => { noted.interactive = true; };

// Time and randomness are fixed, so that builds are reproducible. Components that use them are rendered again in the browser.
const epoch = Date.UTC(2026, 0, 1);
globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) { live(); parts = [epoch]; }
    super(...parts);
  }
  static now() { live(); return epoch; }
};
let seed = 1;
Math.random = () => { live(); return (seed = (seed * 16807) % 2147483647) / 2147483647; };

for (const name of ${JSON.stringify(browserNames)}) {
  Object.defineProperty(globalThis, name, { configurable: true, get() { noted.browser = true; } });
}
const nothing = () => {};
globalThis.console = new Proxy({}, { get: () => nothing });

class Tag { constructor(type, props) { this.type = type; this.props = props; } }
class Slot { constructor(number) { this.number = number; } }
class Context { constructor(value) { this.value = value; this.Provider = new Provider(this); this.Consumer = (props) => props.children(this.value); } }
class Provider { constructor(context) { this.context = context; } }
class Placed { constructor(number) { this.number = number; } }

const Fragment = Symbol("Fragment");
const h = (type, given, ...children) => {
  const { key, ref, ...props } = given ?? {};
  if (children.length > 0) props.children = children.length === 1 ? children[0] : children;
  return new Tag(type, props);
};
const platformNames = new WeakMap();
const platform = (name) => {
  const component = new Proxy(nothing.bind(), { get: (target, key) => /^[A-Z]/.test(String(key)) ? platform(name + "." + String(key)) : Reflect.get(target, key) });
  platformNames.set(component, name);
  return component;
};

const first = (value) => typeof value === "function" ? value() : value;
const hooks = {
  useState: (initial) => { live(); return [first(initial), nothing]; },
  useReducer: (reducer, initial, start) => { live(); return [start ? start(initial) : initial, nothing]; },
  useRef: (initial) => { live(); return { current: initial }; },
  useEffect: live,
  useLayoutEffect: live,
  useMemo: (make) => make(),
  useCallback: (callback) => callback,
  useContext: (context) => context.value,
  useId: () => "id-" + ++ids,
};
let ids = 0;
const list = (children) => Array.isArray(children) ? children.flat(Infinity).filter((child) => child != null && typeof child !== "boolean") : children == null ? [] : [children];
class Component {
  constructor(props) { this.props = props; this.state = {}; }
  setState() {}
  forceUpdate() {}
}
const React = {
  ...hooks, Fragment, createElement: h, Component, PureComponent: Component,
  createContext: (value) => new Context(value),
  isValidElement: (value) => value instanceof Tag,
  cloneElement: (tag, props, ...children) => h(tag.type, { ...tag.props, ...props }, ...children),
  memo: (component) => component,
  forwardRef: (component) => (props) => component(props, null),
  Children: {
    toArray: list,
    map: (children, change) => list(children).map(change),
    forEach: (children, see) => list(children).forEach(see),
    count: (children) => list(children).length,
    only: (child) => child,
  },
};

const within = (depth) => {
  if (depth > ${limits.nesting_levels}) throw new Error("Components are nested too deeply.");
  return depth + 1;
};
const render = (node, out, depth) => {
  if (node == null || typeof node === "boolean" || typeof node === "function") return out;
  if (typeof node !== "object") out.push(String(node));
  else if (node instanceof Slot) out.push({ slot: node.number });
  else if (node instanceof Tag) renderTag(node.type, node.props, out, within(depth));
  else if (typeof node[Symbol.iterator] === "function") for (const item of node) render(item, out, within(depth));
  else throw new Error("Objects can't be shown as text.");
  return out;
};
const renderTag = (type, props, out, depth) => {
  const { children, ...rest } = props;
  if (type === Fragment) return render(children, out, depth);
  if (type instanceof Provider) {
    const { context } = type, before = context.value;
    context.value = rest.value;
    render(children, out, depth);
    context.value = before;
    return;
  }
  if (type.prototype instanceof Component) {
    live();
    return render(new type(props).render(), out, depth);
  }
  if (typeof type === "function" && !platformNames.has(type)) return render(type(props), out, depth);
  const content = render(children, [], depth);
  if (type instanceof Placed) out.push({ snippet: type.number, props: encode(rest, depth), children: content });
  else if (typeof type === "string" || platformNames.has(type)) out.push({ tag: platformNames.get(type) ?? type, props: encode(rest, depth), children: content });
  else throw new Error("This isn't a component: " + String(type));
};
const encode = (value, depth) => {
  if (typeof value === "function") {
    noted.functions = true;
    return void live();
  }
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : typeof value === "symbol" ? undefined : value;
  if (value instanceof Tag || value instanceof Slot) return { nodes: render(value, [], within(depth)) };
  if (Array.isArray(value)) return value.map((item) => encode(item, within(depth)));
  return { fields: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item, within(depth))])) };
};
const decode = (value) => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  if ("slot" in value) return new Slot(value.slot);
  return Object.fromEntries(Object.entries(value.fields).map(([key, item]) => [key, decode(item)]));
};
const describe = (error) => {
  try {
    if (error instanceof Error) return error.message ? String(error.message) : "The code threw an error without a message";
    return "The code threw " + (stringify(error) ?? String(error)).slice(0, 200);
  } catch {
    return "The code threw a value that can't be shown";
  }
};

return (program, path, kind, input) => {
  try {
    const { props } = parse(input);
    const note = (of) => (...args) => { noted.reader = true; return of(...args); };
    const user = new Proxy({}, { get: note(Reflect.get), has: note(Reflect.has), ownKeys: note(Reflect.ownKeys) });
    const provided = { ...React, default: React, __esModule: true };
    const $o = {
      ...hooks, h, Fragment, React, platform, user,
      provided: (name) => /^(react|preact)(\/(hooks|compat))?$/.test(name) ? provided : undefined,
      snippet: (number) => new Placed(number),
    };
    const component = path.split(".").reduce((value, key) => value[key], program($o));
    const result = kind === "value" ? encode(component(decode(props)), 0) : render(h(component, decode(props)), [], 0);
    return stringify({ result, ...noted });
  } catch (error) {
    return stringify({ error: describe(error), undefinedName: error instanceof ReferenceError, ...noted });
  }
};
})()`;
