/** Reads props that authors wrote, and the children of rendered elements. */

import type { ComponentChildren, VNode } from "preact";
import { Fragment, isValidElement, toChildArray } from "preact";

/** Unchecked props from an author: any attribute with any value. */
export type AuthorProps = Record<string, unknown> & { children?: ComponentChildren };

/** Returns a text or number as trimmed text. Undefined for blank text and other values. */
export function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Returns a prop as content: an element, a list or a text. Undefined if there is nothing to show. */
export function shown(value: unknown): ComponentChildren | undefined {
  if (isValidElement(value) || (Array.isArray(value) && value.length > 0)) return value as ComponentChildren;
  return text(value);
}

/**
 * Reads a boolean prop. `<Step noAnchor>`, `noAnchor={true}` and `noAnchor="true"` are all true. `otherwise`:
 * value if the prop is missing.
 */
export function flag(value: unknown, otherwise = false): boolean {
  if (value === undefined || value === null) return otherwise;
  return value === true || value === 1 || (typeof value === "string" && value !== "false" && value !== "0");
}

/** Reads a prop as an integer between two bounds. `otherwise`: value if the prop is missing or invalid. */
export function count(value: unknown, otherwise: number, least: number, most: number): number {
  const number = Math.round(Number(text(value) ?? otherwise));
  return Number.isFinite(number) ? Math.min(most, Math.max(least, number)) : otherwise;
}

/** Reads a prop as a list of texts: from an array, or from a comma-separated text. Empty for other values. */
export function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  return list.map(text).filter((item) => item !== undefined);
}

/** Returns the elements among the children, including those inside fragments. */
export function childElements(children: ComponentChildren): VNode<AuthorProps>[] {
  return toChildArray(children).flatMap((child) => {
    if (!isValidElement(child)) return [];
    const element = child as VNode<AuthorProps>;
    return element.type === Fragment ? childElements(element.props.children) : [element];
  });
}

/** Returns the text in rendered children, including the text in nested elements. */
export function textBelow(children: ComponentChildren): string {
  return toChildArray(children)
    .map((child) => {
      if (typeof child === "string" || typeof child === "number") return String(child);
      return isValidElement(child) ? textBelow((child as VNode<AuthorProps>).props.children) : "";
    })
    .join("");
}
