import { problem, type SourcePosition } from "../../base/problem.ts";
import { textOf } from "../content.ts";
import { parseCodeMeta } from "../highlight/code-meta.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { flag, text, textBelow } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import { fence } from "../html/write-markdown.ts";
import type { ComponentDefinition } from "./component.ts";

/** Maximum length of a diagram's source, in characters. This is Mermaid's default. */
const diagram_chars = 50_000;

const placements = new Set(["top-left", "top-right", "bottom-left", "bottom-right"]);

/** First words of diagrams in lowercase, without `-beta` and `-v2`. */
const types = new Set(
  "architecture block c4component c4container c4context c4deployment c4dynamic classdiagram erdiagram flowchart flowchart-elk gantt gitgraph graph info journey kanban mindmap packet pie quadrantchart radar requirement requirementdiagram sankey sequencediagram statediagram timeline treemap xychart zenuml".split(
    " ",
  ),
);

/** Returns the first word of a diagram, after its configuration and comments. */
function typeOf(source: string): string {
  const body = source.replace(/^\s*---\s*\n[\s\S]*?\n\s*---\s*\n/, "").replace(/^(?:\s*%%[^\n]*(?:\n|$))+/, "");
  return /^\s*([\w-]*)/.exec(body)![1]!;
}

/** The source of a diagram, which a script draws in the browser. A source that is too long or has no known type is shown as text and reported. */
function Mermaid({ chart, meta, actions, placement, place, children }: AuthorProps) {
  const { messages, report } = useRenderContext();
  const source = text(chart) ?? textBelow(children).trim();
  if (source.length > diagram_chars) {
    report?.(
      problem("diagram-too-large", place as SourcePosition, `The diagram is ${source.length} characters long (limit: ${diagram_chars})`),
    );
    return <pre tabIndex={0}>{source}</pre>;
  }
  const type = typeOf(source);
  if (!types.has(type.toLowerCase().replace(/-(?:beta|v2)$/, ""))) {
    const message = type ? `Mermaid has no diagram type ${JSON.stringify(type.slice(0, 40))}` : "The diagram doesn't start with its type";
    report?.(problem("diagram-invalid", place as SourcePosition, message, "Start the diagram with its type, such as flowchart LR."));
    return <pre tabIndex={0}>{source}</pre>;
  }
  const options = parseCodeMeta("mermaid", text(meta) ?? "");
  const corner = text(placement) ?? options.placement ?? "";
  return (
    <div
      class="o-diagram mermaid"
      data-label={messages.diagram}
      data-zoom-in={messages.zoomIn}
      data-zoom-out={messages.zoomOut}
      data-reset={messages.resetView}
    >
      <pre
        class="o-mermaid"
        tabIndex={0}
        data-actions={actions === undefined && options.actions === undefined ? undefined : String(flag(actions, options.actions))}
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
