import type { ProblemCode } from "./problem-codes.ts";
import { problemCodes } from "./problem-codes.ts";

/** Where a problem lies. Lines and columns count from 1, as editors do. */
export interface Place {
  /** Path inside the documentation folder, with forward slashes. */
  file: string;
  line?: number;
  column?: number;
  /** Characters to underline in the frame; 1 when unknown. */
  length?: number;
}

/** A mistake that somebody made, told kindly: what, where, and how to mend it. */
export interface Problem extends Place {
  code: ProblemCode;
  severity: "error" | "warning";
  /** One sentence: what is wrong. */
  message: string;
  /** One sentence: what to do about it. */
  hint?: string;
  /** A few source lines with the place marked, ready to print. */
  frame?: string;
}

/** Makes a problem; its severity comes from the ledger. */
export function problem(code: ProblemCode, place: Place, message: string, hint?: string): Problem {
  return { code, severity: problemCodes[code].severity, message, ...(hint ? { hint } : {}), ...place };
}

/** Reports problems as they are found; what was given a frame elsewhere keeps it. */
export type Report = (problem: Problem) => void;
