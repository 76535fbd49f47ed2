/** Formats problems for terminals and for JSON output, and counts them. */

import path from "node:path";
import { plainLine } from "../base/one-line.ts";
import { plural } from "../base/plural.ts";
import type { Problem } from "../base/problem.ts";

/**
 * Formats problems for a terminal: location, message, code frame, hint. `most`: maximum number of problems.
 * Default: all.
 */
export function formatProblems(
  problems: readonly Problem[],
  options: { color: boolean; most?: number },
): string {
  const paint = (code: number, text: string) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const shown = problems.slice(0, options.most ?? problems.length);
  const blocks = shown.map((found) => {
    const location = [plainLine(found.file), found.line, found.column]
      .filter((part) => part !== undefined)
      .join(":");
    const severity = found.severity === "error" ? paint(31, "error") : paint(33, "warning");
    const frame = found.frame?.split("\n").map((line) => {
      const shown = line.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
      return `  ${shown.startsWith(">") ? shown : paint(2, shown)}`;
    });
    return [
      `${paint(1, location)} ${severity} ${plainLine(found.message)} ${paint(2, `(${found.code})`)}`,
      ...(frame ?? []),
      ...(found.hint ? [`  ${paint(36, "→")} ${plainLine(found.hint)}`] : []),
    ].join("\n");
  });

  const rest = problems.length - shown.length;
  return [...blocks, ...(rest > 0 ? [`… and ${rest} more. Run octavo check to list them all.`] : [])].join(
    "\n\n",
  );
}

/**
 * Formats problems as GitHub workflow commands, which annotate the lines of a pull request. `folder`: path of
 * the documentation folder, relative to the repository.
 */
export function githubAnnotations(problems: readonly Problem[], folder: string): string {
  const encoded = (text: string) =>
    text
      .replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "")
      .replace(/[%\r\n]/g, encodeURIComponent);
  return problems
    .map(({ severity, code, file, line, column, length = 1, message, hint }) => {
      const properties = Object.entries({
        file: path.posix.join(folder, file),
        line,
        col: column,
        endLine: line,
        endColumn: column === undefined ? undefined : column + length,
        title: code,
      }).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${encoded(String(value)).replace(/[:,]/g, encodeURIComponent)}`],
      );
      return `::${severity} ${properties.join(",")}::${encoded([message, hint].flatMap((part) => (part ? [plainLine(part)] : [])).join("\n"))}`;
    })
    .join("\n");
}

/** Returns the number of problems by severity. */
export function countProblems(problems: readonly Problem[]): { error: number; warning: number } {
  const error = problems.filter((found) => found.severity === "error").length;
  return { error, warning: problems.length - error };
}

/** Formats the number of problems by severity, such as `2 errors and 1 warning`. */
export function problemSummary(problems: readonly Problem[]): string {
  const { error, warning } = countProblems(problems);
  return error + warning === 0
    ? "no problems"
    : [error && plural(error, "error"), warning && plural(warning, "warning")].filter(Boolean).join(" and ");
}

/** Converts a problem to an object for the output of `--json`. */
export function problemJson(found: Problem) {
  return {
    code: found.code,
    severity: found.severity,
    message: found.message,
    file: found.file,
    line: found.line ?? null,
    column: found.column ?? null,
    hint: found.hint ?? null,
  };
}
