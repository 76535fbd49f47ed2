import type { AuthorProps } from "../html/prop-values.ts";
import { linkProps } from "../html/safe-attributes.ts";
import type { ComponentDefinition } from "./component.ts";

/** A link written as a component, as on other platforms. */
function TextLink({ href, to, children }: AuthorProps) {
  return <a {...linkProps(href ?? to)}>{children}</a>;
}

export const link: ComponentDefinition = {
  render: TextLink,
  display: "inline",
  inside: () => ({ link: true }),
  markdown: { inline: (node, writer, depth) => writer.link(node, depth) },
};
