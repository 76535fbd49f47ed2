/** Generates the CSS of the Tailwind utility classes that a site uses. */

import { byCodeUnit } from "../../base/files.ts";

/** Maximum number of class names that are looked up as utility classes. Further names are ignored. */
const tokens_count = 5_000;
/** Maximum length of a class name that is looked up, in characters. */
const token_chars = 80;

/**
 * Matches names that can be supported utility classes. Arbitrary values (`[…]`) are not supported: without brackets,
 * parentheses, quotes, backslashes, semicolons and braces, a class can't end its rule or contain a URL.
 */
const utility = /^[!-]?[@a-z][\w@:./%!-]*$/;

/** Returns the tokens in an island's script that can be class names, since the island can set class names at runtime. */
export function classNamesIn(script: string): Set<string> {
  return new Set(script.split(/[\s"'`;{}()<>,=]+/).filter((word) => word.length <= token_chars && utility.test(word)));
}

/**
 * Returns the CSS of the utility classes among the names. Empty if there are none. `dark:` applies inside an element with the class
 * `dark`.
 */
export async function utilitiesCss(classNames: Iterable<string>): Promise<string> {
  const tokens = new Set<string>();
  for (const name of classNames) if (name.length <= token_chars && utility.test(name)) tokens.add(name);
  const sorted = [...tokens].sort(byCodeUnit).slice(0, tokens_count);
  if (sorted.length === 0) return "";
  // Loaded on demand, because few sites use these classes.
  const [{ createGenerator }, { presetWind3 }] = await Promise.all([import("@unocss/core"), import("@unocss/preset-wind3")]);
  // `on-demand` adds only the CSS variables that these classes use.
  const generator = await createGenerator({ presets: [presetWind3({ dark: "class", preflight: "on-demand" })] });
  const { css, matched } = await generator.generate(new Set(sorted), { minify: true });
  return matched.size === 0 ? "" : css;
}
