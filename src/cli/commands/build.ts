import { isWritableOutput } from "../../builder/output-folder.ts";
import { type Command, UsageError } from "../command.ts";
import { outputPath } from "../output-path.ts";
import { siteOptions, writeSite } from "../write-site.ts";

export const build: Command = {
  name: "build",
  summary: "Build the site as a folder of static files.",
  usage: "build [DIR] --output DIR [--kind KIND] [--url URL] [--audience GROUPS]",
  example: "octavo build docs --output site",
  positionals: 1,
  options: {
    output: {
      type: "string",
      short: "o",
      alias: "out",
      argument: "DIR",
      description: "Output folder. All other files in it are deleted.",
    },
    ...siteOptions,
  },
  run(args, terminal) {
    const out = args.values.output;
    if (typeof out !== "string") throw new UsageError("Missing --output DIR, the output folder");
    const folder = outputPath(out);
    if (!isWritableOutput(folder))
      throw new UsageError(
        `${out} isn't an empty folder or the output of an earlier build. Choose an empty folder.`,
      );
    return writeSite(args, terminal, { kind: "folder", path: folder });
  },
};
