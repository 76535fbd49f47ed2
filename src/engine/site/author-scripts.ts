/** Finds the scripts in the documentation folder that pages load. */

import { parse } from "acorn";
import { type Files, readText } from "../../base/files.ts";
import { type Problem, problem } from "../../base/problem.ts";

/** Maximum length of a script that is parsed, in characters. Longer scripts are loaded. */
const parsed_chars = 1_000_000;

/** Returns the paths of the scripts that pages load, and a problem for each script that can't run in a browser. */
export function authorScripts(served: readonly string[], files: Files): { scripts: string[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const scripts = served.filter((file) => {
    if (!file.endsWith(".js")) return false;
    const reason = obstacle(readText(files, file) ?? "");
    if (reason) problems.push(problem("script-not-loaded", { file }, `Pages don't load this script, because it ${reason}`));
    return reason === undefined;
  });
  return { scripts, problems };
}

/** Returns why a script isn't a classic script for browsers. Undefined if it is. */
function obstacle(text: string): string | undefined {
  if (text.startsWith("#!")) return "starts with #!, so it's a command-line program";
  const isUniversal = /\btypeof\s+(?:module|exports|require|define)\b/.test(text);
  if (!isUniversal && /\brequire\s*\(|\bmodule\s*\.\s*exports\b/.test(text)) return "uses require or module.exports";
  if (!/\b(?:import|export)\b/.test(text) || text.length > parsed_chars) return undefined;
  return !parses(text, "script") && parses(text, "module") ? "has a top-level import or export" : undefined;
}

function parses(text: string, sourceType: "script" | "module"): boolean {
  try {
    parse(text, { ecmaVersion: "latest", sourceType });
    return true;
  } catch {
    return false;
  }
}
