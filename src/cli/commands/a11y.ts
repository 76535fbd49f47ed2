import { accessibilityCodes } from "../../base/problem-codes.ts";
import { checkOptions, runCheck } from "../check-command.ts";
import type { Command } from "../command.ts";

const { accessibility, external, ...options } = checkOptions;

export const a11y: Command = {
  name: "a11y",
  summary: "List accessibility problems in a documentation folder.",
  usage: "a11y [DIR] [--format FORMAT] [--files LIST] [--since REV]",
  example: "octavo a11y docs",
  positionals: 1,
  options,
  run: (args, terminal) =>
    runCheck(args, { codes: accessibilityCodes, isStrict: true, checksAccessibility: true }, terminal),
};
