import { checkOptions, runCheck } from "../check-command.ts";
import type { Command } from "../command.ts";

const { threads, "no-cache": noCache, ...selection } = checkOptions;

export const check: Command = {
  name: "check",
  summary: "List all problems in a documentation folder.",
  usage:
    "check [DIR] [--format FORMAT] [--files LIST] [--since REV] [--accessibility] [--external] [--questions FILE] [--strict]",
  example: "octavo check docs --strict",
  positionals: 1,
  options: {
    ...selection,
    questions: {
      type: "string",
      argument: "FILE",
      description: "Also list questions in FILE, one per line, that the pages don't cover.",
    },
    strict: { type: "boolean", description: "Also fail on warnings and on questions that aren't covered." },
    threads,
    "no-cache": noCache,
  },
  run: (args, terminal) => runCheck(args, { isStrict: args.values.strict === true }, terminal),
};
