/** Creates highlighters with Shiki. Loaded with the first language that a build highlights. */

import { createHighlighterCore, type HighlighterCore, type LanguageInput, type ThemeInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { tokenTheme } from "./code-theme.ts";
import { ConvertedPatterns } from "./converted-patterns.ts";

/** Cache of the regular expressions of all patterns that have been used. */
export const patterns = new ConvertedPatterns();
const engine = createJavaScriptRegexEngine({ forgiving: true, cache: patterns, target: "ES2024" });

/**
 * Creates a highlighter with its own registry of grammars. It has the token theme in addition to `themes`.
 */
export function createHighlighter(
  langs: LanguageInput[],
  themes: ThemeInput[] = [],
): Promise<HighlighterCore> {
  // The warning about several highlighters is for applications that create one per use.
  return createHighlighterCore({ themes: [tokenTheme, ...themes], langs, engine, warnings: false });
}
