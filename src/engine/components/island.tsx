import type { VNode } from "preact";
import { createElement } from "preact";
import type { IconLibrary } from "../config/icon-schema.ts";
import { type ContentElement, visitElements } from "../content.ts";
import { icon } from "../html/icons.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { text } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";

/**
 * Part of a page that an author's component renders in the browser. Shows its children until the component
 * has rendered.
 */
function Island({ code, component, data, icons, children }: AuthorProps): VNode {
  const attributes = {
    "data-code": text(code),
    "data-component": text(component),
    "data-props": text(data) ?? "{}",
    "data-icons": text(icons),
  };
  return createElement("octavo-island", attributes, children) as VNode;
}

/** Returns the HTML of the icons in an island by name, as JSON. Undefined if there are none. */
function iconsIn(island: ContentElement, library: IconLibrary): string | undefined {
  const drawings: Record<string, string> = {};
  visitElements(island.children, ({ name, props }) => {
    if (name !== "Icon" || typeof props.icon !== "string") return;
    const svg = icon(props.icon, { library });
    if (svg) drawings[props.icon] = svg;
  });
  return Object.keys(drawings).length ? JSON.stringify(drawings) : undefined;
}

export const island: ComponentDefinition = {
  render: Island,
  isPageOnly: true,
  derivedProps: (node, { iconLibrary }) => ({ icons: iconsIn(node, iconLibrary) }),
};
