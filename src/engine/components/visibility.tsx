import type { AuthorProps } from "../html/prop-values.ts";
import { text } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";
import { below, outsideToc } from "./toc-context.ts";

/** Content for people or for AI agents: the page shows one, its Markdown twin the other. */
function Visibility({ for: audience, children }: AuthorProps) {
  return text(audience) === "agents" ? null : <>{children}</>;
}

export const visibility: ComponentDefinition = {
  render: Visibility,
  display: "transparent",
  wrapsText: true,
  isPageOnly: true,
  anchors: { inside: (node, around) => (node.props.for === "agents" ? outsideToc(node, around) : below(around)) },
  markdown: {
    block: ({ props, children }, writer, depth) =>
      // The page doesn't show it, so it has no section there.
      props.for === "agents" ? writer.unmarked().blocks(children, depth) : props.for === "humans" ? "" : writer.blocks(children, depth),
    inline: ({ props, children }, writer, depth) => (props.for === "humans" ? "" : writer.inline(children, depth)),
  },
};
