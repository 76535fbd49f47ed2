/** Renders formulas with KaTeX. Limits the expansion of macros. */

import { createRequire } from "node:module";
import type { default as Katex } from "katex";
import { escapeHtml } from "../../base/html-text.ts";
import { limits } from "../../base/limits.ts";

/**
 * Maximum number of macro expansions per formula. If a formula exceeds this number, the formula's source is
 * shown.
 */
const formulaExpansions_count = 1_000;
/** Maximum number of tokens that the macros of a formula expand to. */
const formulaTokens_count = 20_000;

const require = createRequire(import.meta.url);
let katex: typeof Katex | undefined;

/**
 * Loads KaTeX when the first formula is rendered, since most sites have none. Limits KaTeX's macros in the
 * whole process.
 */
function loadKatex(): typeof Katex {
  if (!katex) {
    katex = require("katex") as typeof Katex;
    limitMacros(katex);
  }
  return katex;
}

/**
 * A formula as MathML. If the formula can't be rendered, `html` shows its source, and `error` is the reason.
 */
export interface RenderedFormula {
  html: string;
  error?: string;
}

export function renderFormula(formula: string, display: boolean): RenderedFormula {
  if (formula.length > limits.formula_chars)
    return {
      html: sourceHtml(formula, display),
      error: `It's longer than ${limits.formula_chars} characters`,
    };

  try {
    const html = loadKatex().renderToString(formula, {
      displayMode: display,
      output: "mathml",
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxExpand: formulaExpansions_count,
      maxSize: 50,
    });
    if (html.length > limits.formulaOutput_chars)
      return { html: sourceHtml(formula, display), error: "Its output is too large" };
    // The wrapper has a class of KaTeX's style sheet, which is not used.
    return { html: html.replace(/^<span class="katex">|<\/span>$/g, "") };
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^KaTeX parse error:\s*/, "") : "It couldn't be parsed";
    return { html: sourceHtml(formula, display), error: reason.slice(0, 300) };
  }
}

interface Token {
  text: string;
}

/** The part of KaTeX's `MacroExpander` that `boundExpansions` changes. */
interface Expander {
  pushTokens(tokens: Token[]): void;
  _getExpansion(name: string): { tokens: Token[] } | null;
  consumeArgs(count: number, delimiters?: string[][]): Token[][];
}

/**
 * Replaces methods of KaTeX's `MacroExpander`, to limit the length of expansions. KaTeX only limits the
 * number of expansions, so a few kilobytes could become gigabytes.
 */
function boundExpansions(expander: Expander): void {
  const { pushTokens, _getExpansion, consumeArgs } = expander;
  const pushed = new WeakMap<Expander, number>();
  const placeholders = new WeakMap<Expander, number>();
  const requireAtMost = (count: number) => {
    if (count > formulaTokens_count) throw new Error("Its macros expand too much");
  };

  expander.pushTokens = function (tokens) {
    const count = (pushed.get(this) ?? 0) + tokens.length;
    requireAtMost(count);
    pushed.set(this, count);
    pushTokens.call(this, tokens);
  };

  expander._getExpansion = function (name) {
    const expansion = _getExpansion.call(this, name);
    placeholders.set(this, expansion?.tokens.filter(({ text }) => text === "#").length ?? 0);
    return expansion;
  };

  // The check runs before arguments are copied to their placeholders.
  expander.consumeArgs = function (count, delimiters) {
    const copies = placeholders.get(this) ?? 0;
    const taken = consumeArgs.call(this, count, delimiters);
    requireAtMost(copies * Math.max(0, ...taken.map((argument) => argument.length)));
    return taken;
  };
}

/**
 * Limits the macros of KaTeX. `MacroExpander` isn't exported, so this defines a macro that receives an
 * instance.
 */
function limitMacros({ renderToString }: typeof Katex): void {
  renderToString("\\expander", {
    macros: {
      "\\expander": ((expander: Expander) => {
        boundExpansions(Object.getPrototypeOf(expander) as Expander);
        return "";
      }) as never,
    },
  });
}

function sourceHtml(formula: string, display: boolean): string {
  const mark = display ? "$$" : "$";
  return `<code class="o-formula-source">${escapeHtml(mark + formula + mark)}</code>`;
}
