import katex from "katex";
import { limits } from "../../base/limits.ts";
import { escapeHtml } from "../../base/text.ts";

/** A formula as MathML, which browsers lay out themselves; `error` says why the source is shown instead. */
export interface RenderedFormula {
  html: string;
  error?: string;
}

export function renderFormula(formula: string, display: boolean): RenderedFormula {
  if (formula.length > limits.formula_chars) return { html: sourceHtml(formula, display), error: "The formula is too long to typeset." };
  try {
    const html = katex.renderToString(formula, {
      displayMode: display,
      output: "mathml",
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxExpand: 1_000,
      maxSize: 50,
    });
    // The wrapper holds nothing but the class of a style sheet that is not used here.
    return { html: html.replace(/^<span class="katex">|<\/span>$/g, "") };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^KaTeX parse error:\s*/, "") : "It cannot be read.";
    return { html: sourceHtml(formula, display), error: reason.slice(0, 300) };
  }
}

function sourceHtml(formula: string, display: boolean): string {
  const mark = display ? "$$" : "$";
  return `<code class="o-formula-source">${escapeHtml(mark + formula + mark)}</code>`;
}
