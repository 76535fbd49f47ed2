/** Generates the CSS of the Tailwind utility classes that a site uses. */

import { byCodeUnit } from "../../base/files.ts";

/** Maximum number of class names that are looked up as utility classes. Further names are ignored. */
const tokens_count = 5_000;
/** Maximum length of a class name that is looked up, in characters. */
const token_chars = 120;

/**
 * Matches names that can be supported utility classes, with arbitrary values such as `w-[calc(100%-2rem)]`
 * and variants such as `[&>p]:mt-4`. Without quotes, backslashes, semicolons and braces, a class can't end
 * its rule.
 */
const utility = /^(?:[!-]?[@a-z]|\[)[\w@:./%!#,()+*&>~=[\]-]*$/;

function isUtility(name: string): boolean {
  if (name.length > token_chars || !utility.test(name)) return false;
  return !/[[(]/.test(name) || isSafeValue(name);
}

/**
 * Whether the brackets and parentheses of a name are balanced, and it has no comment and no function that
 * loads a file. Parentheses are only allowed inside brackets.
 */
function isSafeValue(name: string): boolean {
  if (/\/\*|\*\/|(?:url|image|image-set|src|element|cross-fade|expression)\(|@import/i.test(name))
    return false;
  const open: string[] = [];
  for (const character of name) {
    if (character === "[" || character === "(") {
      if (character === "(" && open.length === 0) return false;
      open.push(character === "[" ? "]" : ")");
    } else if ((character === "]" || character === ")") && open.pop() !== character) return false;
  }
  return open.length === 0;
}

/**
 * Returns the tokens in an island's script that can be class names, since the island can set class names at
 * runtime.
 */
export function classNamesIn(script: string): Set<string> {
  const words = script.match(/(?:[^\s"'`;{}()<>,=[]|\[[^\s"'`;{}\]]*\])+/g) ?? [];
  return new Set(words.filter(isUtility));
}

/**
 * Returns the CSS of the utility classes among the names. Empty if there are none. `dark:` applies inside an
 * element with the class `dark`. `colors`: the site's own colors by name, as hex values, such as `primary`
 * for `bg-primary`.
 */
export async function utilitiesCss(
  classNames: Iterable<string>,
  colors: Readonly<Record<string, string>> = {},
): Promise<string> {
  const tokens = new Set<string>();
  for (const name of classNames) if (isUtility(name)) tokens.add(name);
  const sorted = [...tokens].sort(byCodeUnit).slice(0, tokens_count);
  if (sorted.length === 0) return "";

  // Loaded on demand, because few sites use these classes.
  const [{ createGenerator }, { presetWind3 }] = await Promise.all([
    import("@unocss/core"),
    import("@unocss/preset-wind3"),
  ]);

  // `on-demand` adds only the CSS variables that these classes use.
  const generator = await createGenerator({
    presets: [presetWind3({ dark: "class", preflight: "on-demand" })],
    theme: { colors },
  });

  const { css, matched } = await generator.generate(new Set(sorted), { minify: true });
  return matched.size === 0 ? "" : css;
}
