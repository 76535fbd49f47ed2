import path from "node:path";
import { isWritableOutput } from "../../builder/output-folder.ts";
import { type Command, UsageError } from "../command.ts";
import { siteOptions, writeSite } from "../write-site.ts";

export const build: Command = {
  name: "build",
  summary: "Build the site as a folder of static files.",
  usage: "build [dir] --out DIR [--kind KIND] [--url URL]",
  example: "octavo build docs --out site",
  positionals: 1,
  options: {
    out: {
      type: "string",
      short: "o",
      argument: "DIR",
      description: "Output folder. Outdated files from earlier builds are removed.",
    },
    ...siteOptions,
  },
  run(args, terminal) {
    const out = args.values.out;
    if (typeof out !== "string") throw new UsageError("Missing --out DIR, the output folder");
    if (!isWritableOutput(out)) throw new UsageError(`${out} contains files that aren't from a build. Choose an empty folder`);
    return writeSite(args, terminal, { kind: "folder", path: path.resolve(out) });
  },
};
