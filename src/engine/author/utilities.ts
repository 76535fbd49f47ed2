import { createGenerator } from "@unocss/core";
import { presetWind3 } from "@unocss/preset-wind3";
import { byCodePoint } from "../../base/files.ts";

/** A page with more classes than this is a machine's; the rest stays without style. */
const tokensCount = 5_000;
const tokenChars = 80;

/**
 * What a utility class is made of. Arbitrary values (`[…]`) are not supported, and with brackets, quotes,
 * backslashes, semicolons and braces refused, no class can leave its rule or name a foreign address.
 */
const utility = /^[!-]?[@a-z][\w@:./%!-]*$/;

/** Every word in a script that may be a class: an island changes its classes when the reader acts. */
export function classNamesIn(script: string): Set<string> {
  return new Set(script.split(/[\s"'`;{}()<>,=]+/).filter((word) => word.length <= tokenChars && utility.test(word)));
}

/**
 * The CSS of the Tailwind utility classes among the tokens, without a reset; empty when there is none.
 * `dark:` means below an element with the class `dark`.
 */
export async function utilitiesCss(classNames: Iterable<string>): Promise<string> {
  const tokens = new Set<string>();
  for (const name of classNames) if (name.length <= tokenChars && utility.test(name)) tokens.add(name);
  const sorted = [...tokens].sort(byCodePoint).slice(0, tokensCount);
  if (sorted.length === 0) return "";
  // On demand: only the variables that the classes found rely on.
  const generator = await createGenerator({ presets: [presetWind3({ dark: "class", preflight: "on-demand" })] });
  const { css, matched } = await generator.generate(new Set(sorted), { minify: true });
  return matched.size === 0 ? "" : css;
}
