import path from "node:path";
import { isWritableOutput } from "../../builder/output-folder.ts";
import { type Command, UsageError } from "../command.ts";
import { siteOptions, writeSite } from "../write-site.ts";

export const build: Command = {
  name: "build",
  summary: "Writes the site as a folder that any web server serves and any browser opens.",
  usage: "build [dir] --out DIR [--kind KIND] [--url URL]",
  example: "octavo build docs --out site",
  positionals: 1,
  options: {
    out: {
      type: "string",
      short: "o",
      argument: "DIR",
      description: "The folder to write. Files of an earlier build that are gone are removed.",
    },
    ...siteOptions,
  },
  run(args, terminal) {
    const out = args.values.out;
    if (typeof out !== "string") throw new UsageError("build needs --out DIR, the folder to write");
    if (!isWritableOutput(out)) throw new UsageError(`${out} holds something else than a site; choose an empty folder`);
    return writeSite(args, terminal, { kind: "folder", path: path.resolve(out) });
  },
};
