import type { AuthorProps } from "../html/prop-values.ts";
import { flag, shown } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import type { ComponentDefinition } from "./component.ts";
import { titledMarkdown } from "./titled-block.ts";
import { withoutToc } from "./toc-context.ts";

/** A disclosure, usually for nested fields. */
function Expandable({ title, defaultOpen, children }: AuthorProps) {
  const { messages } = useRenderContext();
  return (
    <details class="o-expandable expandable" open={flag(defaultOpen)}>
      <summary>{shown(title) ?? messages.showFields}</summary>
      <div class="o-expandable-body o-flow">{children}</div>
    </details>
  );
}

export const expandable: ComponentDefinition = {
  render: Expandable,
  props: "title defaultOpen icon iconType",
  wrapsText: true,
  anchors: { inside: withoutToc },
  markdown: { block: titledMarkdown },
};
