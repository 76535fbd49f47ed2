import { cutText } from "./cut-text.ts";
import { limits } from "./limits.ts";
import { oneLine } from "./one-line.ts";
import type { ProblemCode } from "./problem-codes.ts";
import { problemCodes } from "./problem-codes.ts";

/**
 * Location of a problem. Lines and columns start at 1. If there is no line, the problem is about the whole
 * file.
 */
export interface SourcePosition {
  /** Path inside the documentation folder, with forward slashes. */
  file: string;
  line?: number;
  column?: number;
  /** Number of characters to underline in the code frame. Default: 1. */
  length?: number;
}

/** An error or warning for the author, with its position and, if known, a way to fix it. */
export interface Problem extends SourcePosition {
  code: ProblemCode;
  severity: "error" | "warning";
  /** One sentence that describes the problem, without a period at the end. */
  message: string;
  /** How to fix the problem, in one or more sentences. */
  hint?: string;
  /** A few source lines with the location marked, for a monospaced font. */
  frame?: string;
}

/**
 * Creates a problem with the severity of its code. Truncates long texts and removes line breaks from the
 * message, because they can quote what an author wrote.
 */
export function problem(code: ProblemCode, place: SourcePosition, message: string, hint?: string): Problem {
  const cut = (text: string) => cutText(text, limits.problemText_chars);
  return {
    code,
    severity: problemCodes[code].severity,
    message: cut(oneLine(message)),
    ...(hint ? { hint: cut(hint) } : {}),
    ...place,
    file: cut(place.file),
  };
}

/** Callback that receives each problem when it is found. */
export type Report = (problem: Problem) => void;
