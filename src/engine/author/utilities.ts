import { createGenerator } from "@unocss/core";
import { presetWind3 } from "@unocss/preset-wind3";
import { byCodePoint } from "../../base/files.ts";

/** Maximum number of class names that get styles. The others are ignored. */
const tokensCount = 5_000;
const tokenChars = 80;

/**
 * Matches a supported utility class. Arbitrary values (`[…]`) are not supported: without brackets, quotes, backslashes,
 * semicolons and braces, a class can't end its rule or contain a URL.
 */
const utility = /^[!-]?[@a-z][\w@:./%!-]*$/;

/** Every token in a script that could be a class name, since islands set classes at runtime. */
export function classNamesIn(script: string): Set<string> {
  return new Set(script.split(/[\s"'`;{}()<>,=]+/).filter((word) => word.length <= tokenChars && utility.test(word)));
}

/**
 * The CSS of the Tailwind utility classes among the names, without a reset; empty if there are none.
 * `dark:` applies below an element with the class `dark`.
 */
export async function utilitiesCss(classNames: Iterable<string>): Promise<string> {
  const tokens = new Set<string>();
  for (const name of classNames) if (name.length <= tokenChars && utility.test(name)) tokens.add(name);
  const sorted = [...tokens].sort(byCodePoint).slice(0, tokensCount);
  if (sorted.length === 0) return "";
  // `on-demand` adds only the CSS variables that these classes use.
  const generator = await createGenerator({ presets: [presetWind3({ dark: "class", preflight: "on-demand" })] });
  const { css, matched } = await generator.generate(new Set(sorted), { minify: true });
  return matched.size === 0 ? "" : css;
}
