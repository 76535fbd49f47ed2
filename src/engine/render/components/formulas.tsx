import { type Place, problem } from "../../../base/problem.ts";
import { renderFormula } from "../math.ts";
import { useRenderContext } from "../render-context.ts";
import type { AuthorProps } from "./prop-values.ts";
import { flag, text, textBelow } from "./prop-values.ts";

/** A formula. One that cannot be read is shown as it was written, and reported. */
export function Latex({ formula, display, place, children }: AuthorProps) {
  const { report } = useRenderContext();
  const source = text(formula) ?? textBelow(children).trim();
  const block = flag(display);
  const { html, error } = renderFormula(source, block);
  if (error) report?.(problem("formula-failed", place as Place, `The formula \`${source.slice(0, 60)}\` cannot be typeset: ${error}`));
  return (
    <span class={block ? "o-math o-math-block" : "o-math"} tabIndex={block ? 0 : undefined} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
