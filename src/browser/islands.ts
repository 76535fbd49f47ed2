/**
 * Renders the islands of a page: interactive components that the documentation's authors wrote. A classic
 * script. The scripts of the islands follow this script and call `octavoIslands.add`.
 */

import type { ComponentType, VNode } from "preact";
import * as React from "preact/compat";
import { readReaderData } from "./reader-data.ts";

/** The compiled module of an author's component: `($o) => exports`. */
type Program = (runtime: object) => Record<string, unknown>;

/**
 * Props as the engine encodes them. Objects are wrapped in `fields`. Rendered content is encoded as the
 * number of a slot.
 */
type Encoded =
  | string
  | number
  | boolean
  | null
  | Encoded[]
  | { fields: Record<string, Encoded> }
  | { slot: number };

const { createElement, Fragment } = React;
const Island = React.createContext<Element | undefined>(undefined);

Object.assign(globalThis, { octavoIslands: { add } });

function add(code: string, program: Program): void {
  for (const island of document.querySelectorAll<HTMLElement>("octavo-island[data-code]")) {
    if (island.dataset.code === code) mount(island, program);
  }
}

/** Replaces the prerendered HTML with the component. Restores the HTML if the component fails. */
function mount(island: HTMLElement, program: Program): void {
  const slots = new Map(
    [...island.querySelectorAll<HTMLElement>("octavo-slot")].map((holder) => [
      Number(holder.dataset.slot),
      { holder, nodes: [...holder.childNodes] },
    ]),
  );

  const first = [...island.childNodes];
  const giveUp = (error: unknown) => {
    React.render(null, island);
    for (const { holder, nodes } of slots.values()) holder.replaceChildren(...nodes);
    island.replaceChildren(...first);
    console.warn(`The component ${island.dataset.component} failed. Its initial state is shown.`, error);
  };

  const Slot = ({ number }: { number: number }) => {
    const element = React.useRef<HTMLElement>(null);
    React.useLayoutEffect(() => element.current?.replaceChildren(...(slots.get(number)?.nodes ?? [])), []);
    return createElement("octavo-slot", { ref: element, "data-slot": number });
  };

  try {
    const component = (island.dataset.component ?? "")
      .split(".")
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], program(runtime));
    const props = decode(
      JSON.parse(island.dataset.props ?? '{"fields":{}}'),
      (number) => createElement(Slot, { number }) as VNode,
    );
    const live = createElement(component as ComponentType, props as object);
    island.replaceChildren();
    React.render(
      createElement(Island.Provider, { value: island }, createElement(Boundary, { giveUp }, live)),
      island,
    );
  } catch (error) {
    giveUp(error);
  }
}

/** Catches errors from rendering the component and from its effects. */
class Boundary extends React.Component<
  { giveUp(error: unknown): void; children?: unknown },
  { failed: boolean }
> {
  override state = { failed: false };

  override componentDidCatch(error: unknown): void {
    if (this.state.failed) return;
    this.setState({ failed: true });
    // Deferred because the failed tree is still being rendered.
    queueMicrotask(() => this.props.giveUp(error));
  }

  override render(): VNode | null {
    return this.state.failed ? null : (this.props.children as VNode);
  }
}

function decode(value: Encoded, slot: (number: number) => VNode): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => decode(item, slot));
  if ("slot" in value) return slot(value.slot);
  return Object.fromEntries(Object.entries(value.fields).map(([key, item]) => [key, decode(item, slot)]));
}

/** Returns a simple version of a built-in component, styled by its class name. */
function platform(name: string): ComponentType {
  const component = name === "Icon" ? Icon : plain(name);
  return new Proxy(component, {
    get: (target, key) =>
      /^[A-Z]/.test(String(key)) ? platform(`${name}.${String(key)}`) : Reflect.get(target, key),
  }) as ComponentType;
}

function plain(name: string): ComponentType<{ title?: unknown; children?: VNode }> {
  const className = `o-${name.toLowerCase().replaceAll(".", "-")}`;
  return ({ title, children }) =>
    createElement(
      "div",
      { className },
      title ? createElement("strong", null, title as VNode) : null,
      children,
    );
}

/** An icon of the site. The `data-icons` attribute of the island contains the SVG of its icons, by name. */
function Icon({ icon = "" }: { icon?: string }): VNode {
  const icons: Record<string, string> = JSON.parse(
    React.useContext(Island)?.getAttribute("data-icons") ?? "{}",
  );
  return createElement("span", {
    className: "o-icon",
    "aria-hidden": true,
    dangerouslySetInnerHTML: { __html: (Object.hasOwn(icons, icon) && icons[icon]) || "" },
  }) as VNode;
}

const provided = { ...React, default: React, __esModule: true };

const runtime = {
  ...React,
  React,
  Fragment,
  h: createElement,
  platform,
  user: readReaderData()?.user ?? {},
  provided: (name: string) => (/^(react|preact)(\/(hooks|compat))?$/.test(name) ? provided : undefined),
  /** Returns an empty component, since snippets are only rendered at build time. */
  snippet: () => Fragment,
};
