/** Finds props that a built-in component doesn't have. */

import { nearest } from "../../base/nearest.ts";
import type { ComponentDefinition } from "./component.ts";

/** Props of all components. Those with a hyphen, such as `data-x`, and event handlers are allowed, too. */
const common = new Set("id key ref className class style children dir lang".split(" "));

/** Returns the props that a component doesn't have, each with the name that was probably meant. */
export function unknownProps(
  component: Pick<ComponentDefinition, "props">,
  props: Iterable<string>,
): { prop: string; near?: string }[] {
  if (component.props === undefined) return [];
  const own = new Set(component.props.split(" "));
  const found: { prop: string; near?: string }[] = [];
  for (const prop of props) {
    if (own.has(prop) || common.has(prop) || prop.includes("-") || /^on[A-Z]/.test(prop)) continue;
    const near = nearest(prop, own);
    found.push({ prop, ...(near ? { near } : {}) });
  }
  return found;
}
