/**
 * Adapts the elements of the panel's components to other websites. Their policies can block the images that
 * the style sheets of a documentation site use as icons, so icons become SVG elements. Links open in a new
 * tab, so that the conversation stays open.
 */

import { h, options, type VNode } from "preact";

/** Elements of the icons, by name. The build replaces this constant. */
declare const octavoWidgetIcons: Record<string, [element: string, attributes: Record<string, string>][]>;

type Props = Record<string, unknown> & { class?: string };

/** Changes the elements that Preact creates from now on. */
export function adaptElements(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    before?.(node);
    adapt(node as VNode<Props>);
  };
}

function adapt(node: VNode<Props>): void {
  const { props } = node;
  if (node.type === "i" && props.class?.startsWith("o-c ")) {
    node.type = "svg";
    Object.assign(props, svgOf(props.class));
  } else if (node.type === "button" && props.class === "o-copy") {
    const name = props["data-copied"] === undefined ? "copy" : "check";
    props.children = h("i", { class: `o-c o-c-${name}` });
  } else if (node.type === "a" && !String(props.href).startsWith("mailto:"))
    Object.assign(props, { target: "_blank", rel: "noopener" });
}

function svgOf(names: string): Props {
  const name = /o-c-(\w+)/.exec(names)?.[1] ?? "";
  return {
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "1.8",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
    children: (octavoWidgetIcons[name] ?? []).map(([element, attributes]) => h(element, attributes)),
  };
}
