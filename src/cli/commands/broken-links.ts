import { linkCodes } from "../../base/problem-codes.ts";
import { checkOptions, runCheck } from "../check-command.ts";
import type { Command } from "../command.ts";

const { accessibility, ...options } = checkOptions;

export const brokenLinks: Command = {
  name: "broken-links",
  summary: "List broken links, anchors, and images in a documentation folder.",
  usage: "broken-links [DIR] [--format FORMAT] [--files LIST] [--since REV] [--external]",
  example: "octavo broken-links docs",
  positionals: 1,
  options,
  run: (args, terminal) => runCheck(args, { codes: linkCodes, isStrict: true }, terminal),
};
