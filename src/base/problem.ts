import type { ProblemCode } from "./problem-codes.ts";
import { problemCodes } from "./problem-codes.ts";

/** Location of a problem. Lines and columns start at 1. */
export interface SourcePosition {
  /** Path inside the documentation folder, with forward slashes. */
  file: string;
  line?: number;
  column?: number;
  /** Number of characters to underline in the frame. Absent means 1. */
  length?: number;
}

/** An error or warning for the author, with its position and a way to fix it. */
export interface Problem extends SourcePosition {
  code: ProblemCode;
  severity: "error" | "warning";
  /** One sentence that describes the problem. */
  message: string;
  /** One sentence that describes how to fix the problem. */
  hint?: string;
  /** A few source lines with the location marked, for printing. */
  frame?: string;
}

/** Creates a problem with the severity of its code. */
export function problem(code: ProblemCode, place: SourcePosition, message: string, hint?: string): Problem {
  return { code, severity: problemCodes[code].severity, message, ...(hint ? { hint } : {}), ...place };
}

/** Receives problems as they are found. If a problem already has a frame, the frame is kept. */
export type Report = (problem: Problem) => void;
