import { parseCodeMeta } from "../code-meta.ts";
import { useRenderContext } from "../render-context.ts";
import type { AuthorProps } from "./prop-values.ts";
import { flag, text, textBelow } from "./prop-values.ts";

const placements = new Set(["top-left", "top-right", "bottom-left", "bottom-right"]);

/** A diagram: its source, which a script of its own draws. */
export function Mermaid({ chart, meta, actions, placement, children }: AuthorProps) {
  const { strings } = useRenderContext();
  const source = text(chart) ?? textBelow(children).trim();
  const options = parseCodeMeta("mermaid", text(meta) ?? "");
  const corner = text(placement) ?? options.placement ?? "";
  return (
    <div
      class="o-diagram"
      data-label={strings.diagram}
      data-zoom-in={strings.zoomIn}
      data-zoom-out={strings.zoomOut}
      data-reset={strings.resetView}
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
