/** Finds the scripts in the documentation folder that pages load. */

import { parse, tokenizer } from "acorn";
import { type Files, readText } from "../../../base/files.ts";
import { type Problem, problem } from "../../../base/problem.ts";

/** Maximum length of a script that is parsed, in characters. Longer scripts are loaded. */
const parsed_chars = 1_000_000;

/**
 * Returns the paths of the scripts that pages load, and a problem for each script that can't run in a
 * browser.
 */
export function authorScripts(
  served: readonly string[],
  files: Files,
): { scripts: string[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const scripts = served.filter((file) => {
    if (!file.endsWith(".js")) return false;
    const reason = obstacle(readText(files, file) ?? "");
    if (reason)
      problems.push(
        problem("script-not-loaded", { file }, `Pages don't load this script, because it ${reason}`),
      );
    return reason === undefined;
  });
  return { scripts, problems };
}

/** Names that only Node.js defines. */
const nodeNames =
  /\b(?:require\s*\(|module\s*\.\s*exports\b|process\s*\.\s*(?:exit|argv|cwd|stdout|stdin)\b|__dirname\b|__filename\b)/;

/** Returns why a script isn't a classic script for browsers. Undefined if it is. */
function obstacle(text: string): string | undefined {
  if (text.startsWith("#!")) return "starts with #!, so it's a command-line program";
  const isUniversal = /\btypeof\s+(?:module|exports|require|define|process)\b/.test(text);
  if (!isUniversal && nodeNames.test(text) && nodeNames.test(codeOf(text)))
    return "uses names of Node.js, such as require or module.exports";
  if (text.length > parsed_chars) return undefined;
  if (parses(text, "script")) return undefined;
  return parses(text, "module") ? "has a top-level import, export, or await" : "has a syntax error";
}

/**
 * Returns the code of a script without comments and the text of strings. The script itself if it can't be
 * parsed.
 */
function codeOf(text: string): string {
  if (text.length > parsed_chars) return text;
  try {
    const tokens = tokenizer(text, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true });
    return [...tokens]
      .map(({ type, start, end }) =>
        type.label === "string" || type.label === "template" ? '""' : text.slice(start, end),
      )
      .join(" ");
  } catch {
    return text;
  }
}

function parses(text: string, sourceType: "script" | "module"): boolean {
  try {
    parse(text, { ecmaVersion: "latest", sourceType });
    return true;
  } catch {
    return false;
  }
}
