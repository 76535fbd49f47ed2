import { problem, type SourcePosition } from "../../base/problem.ts";
import { textOf } from "../content.ts";
import { renderFormula } from "../html/formulas.ts";
import type { AuthorProps } from "../html/prop-values.ts";
import { flag, text, textBelow } from "../html/prop-values.ts";
import { useRenderContext } from "../html/render-context.ts";
import type { ComponentDefinition } from "./component.ts";

/** A formula. If it can't be rendered, its source is shown and the problem is reported. */
function Latex({ formula, display, place, children }: AuthorProps) {
  const { report } = useRenderContext();
  const source = text(formula) ?? textBelow(children).trim();
  const block = flag(display);
  const { html, error } = renderFormula(source, block);
  if (error)
    report?.(
      problem(
        "formula-failed",
        place as SourcePosition,
        `The formula \`${source.slice(0, 60)}\` is invalid: ${error}`,
      ),
    );

  return (
    <span
      class={block ? "o-math o-math-block" : "o-math"}
      tabIndex={block ? 0 : undefined}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

export const latex: ComponentDefinition = {
  render: Latex,
  display: "inline",
  derivedProps: (_, { place }) => ({ place }),
  markdown: {
    isInline: ({ props }) => props.display !== true,
    block: ({ props, children }) => `$$\n${text(props.formula) ?? textOf(children).trim()}\n$$`,
    inline: ({ props, children }) => `$${text(props.formula) ?? textOf(children)}$`,
  },
};
