import { problem, type SourcePosition } from "../../base/problem.ts";
import { textOf } from "../content.ts";
import { parseCodeMeta } from "../highlight/code-meta.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { flag, text, textBelow } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { fence } from "../write-markdown.ts";
import type { ComponentDefinition } from "./component.ts";
import { diagram_chars } from "./parse-diagrams.ts";

const placements = new Set(["top-left", "top-right", "bottom-left", "bottom-right"]);

/**
 * The source of a diagram, which a script draws in the browser. A source that Mermaid can't read is shown as
 * text and reported.
 */
function Mermaid({ chart, meta, actions, placement, place, children }: AuthorProps) {
  const { messages, report, diagramErrors } = useRenderContext();
  const source = text(chart) ?? textBelow(children).trim();
  const { length } = source;
  const error =
    length > diagram_chars
      ? `The diagram is ${length} characters long (limit: ${diagram_chars})`
      : diagramErrors?.get(source);

  if (error !== undefined) {
    report?.(
      problem(
        length > diagram_chars ? "diagram-too-large" : "diagram-invalid",
        place as SourcePosition,
        error,
      ),
    );
    return <pre tabIndex={0}>{source}</pre>;
  }

  const options = parseCodeMeta("mermaid", text(meta) ?? "");
  const corner = text(placement) ?? options.placement ?? "";
  return (
    <div
      class="o-diagram"
      data-label={messages.diagram}
      data-zoom-in={messages.zoomIn}
      data-zoom-out={messages.zoomOut}
      data-reset={messages.resetView}
    >
      <pre
        class="o-mermaid"
        tabIndex={0}
        data-actions={
          actions === undefined && options.actions === undefined
            ? undefined
            : String(flag(actions, options.actions))
        }
        data-placement={placements.has(corner) ? corner : undefined}
      >
        {source}
      </pre>
    </div>
  );
}

export const mermaid: ComponentDefinition = {
  render: Mermaid,
  isPageOnly: true,
  derivedProps: (_, { place }) => ({ place }),
  markdown: { block: ({ props, children }) => fence("mermaid", text(props.chart) ?? textOf(children)) },
};
