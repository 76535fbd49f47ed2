/** Converts problems to the diagnostics of an editor. */

import { type Diagnostic, DiagnosticSeverity, type Range } from "vscode-languageserver";
import type { Problem } from "../../base/problem.ts";

/** What quick fixes need to know about a problem. */
export interface DiagnosticData {
  message: string;
  hint?: string;
}

export interface DiagnosticContext {
  /** The file's text. Undefined if it can't be read. */
  text: string | undefined;
  /** URL of a service, whose dashboard explains the problems. */
  serviceUrl: string | undefined;
}

/** Converts a problem of a file. */
export function diagnosticOf(problem: Problem, { text, serviceUrl }: DiagnosticContext): Diagnostic {
  const { code, severity, message, hint } = problem;
  const data: DiagnosticData = { message, ...(hint === undefined ? {} : { hint }) };
  return {
    source: "octavo",
    code,
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    message: hint === undefined ? message : `${message}\n${hint}`,
    range: rangeOf(problem, text?.split(/\r\n?|\n/, problem.line ?? 1)[(problem.line ?? 1) - 1] ?? ""),
    ...(serviceUrl === undefined
      ? {}
      : { codeDescription: { href: `${serviceUrl.replace(/\/+$/, "")}/dashboard/problems/${code}` } }),
    data,
  };
}

/** Returns the marked characters: those that the problem names, or else the rest of the word. */
function rangeOf({ line = 1, column = 1, length }: Problem, text: string): Range {
  const bom_chars = line === 1 && text.startsWith("\uFEFF") ? 1 : 0;
  const start = column - 1 + bom_chars;
  const word_chars = /^(?:[\w$-]+|.)/u.exec(text.slice(start))?.[0].length ?? 0;
  return {
    start: { line: line - 1, character: start },
    end: { line: line - 1, character: start + Math.max(length ?? 0, word_chars) },
  };
}
