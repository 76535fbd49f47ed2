import type { AuthorProps } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";
import { belowElement, withoutToc } from "./toc-context.ts";

/**
 * Content that is shown only on the page (`for="humans"`) or only in the page's Markdown (`for="agents"`).
 * Content for other audiences has been chosen before. If there still is any, it's shown to no one.
 */
function Visibility({ for: audience, children }: AuthorProps) {
  return audience === "humans" ? <>{children}</> : null;
}

export const visibility: ComponentDefinition = {
  render: Visibility,
  display: "transparent",
  wrapsText: true,
  isPageOnly: true,
  anchors: {
    inside: (node, around) => (node.props.for === "agents" ? withoutToc(node, around) : belowElement(around)),
  },
  markdown: {
    block: ({ props, children }, writer, depth) =>
      // The page doesn't show this content, so its headings get no section marks.
      props.for === "agents" ? writer.unmarked().blocks(children, depth) : "",
    inline: ({ props, children }, writer, depth) =>
      props.for === "agents" ? writer.inline(children, depth) : "",
  },
};
