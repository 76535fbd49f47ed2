import { useRenderContext } from "../render/render-context.ts";
import type { ComponentDefinition } from "./component.ts";
import type { AuthorProps } from "./prop-values.ts";
import { flag, shown } from "./prop-values.ts";
import { titledMarkdown } from "./titled-block.ts";
import { outsideToc } from "./toc-context.ts";

/** The nested fields of a field. */
function Expandable({ title, defaultOpen, children }: AuthorProps) {
  const { strings } = useRenderContext();
  return (
    <details class="o-expandable" open={flag(defaultOpen)}>
      <summary>{shown(title) ?? strings.showFields}</summary>
      <div class="o-expandable-body o-flow">{children}</div>
    </details>
  );
}

export const expandable: ComponentDefinition = {
  render: Expandable,
  wrapsText: true,
  anchors: { inside: outsideToc },
  markdown: { block: titledMarkdown },
};
