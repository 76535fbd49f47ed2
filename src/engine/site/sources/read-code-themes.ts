import type { DocsConfig } from "../../config/docs-json.ts";
import type { CodeThemes } from "../../highlight/highlight.ts";

type Codeblocks = NonNullable<DocsConfig["settings"]["styling"]>["codeblocks"];

/**
 * Returns the Shiki themes in the settings. Undefined if no theme is set, and for `system`, `dark` and
 * `css-variables`, which use Octavo's colors.
 */
export function readCodeThemes(codeblocks: Codeblocks): CodeThemes | undefined {
  const theme = typeof codeblocks === "object" ? codeblocks.theme : codeblocks;
  if (theme === undefined || theme === "system" || theme === "dark" || theme === "css-variables")
    return undefined;
  return typeof theme === "string" ? { light: theme, dark: theme } : theme;
}
