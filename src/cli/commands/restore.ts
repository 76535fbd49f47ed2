import { existsSync } from "node:fs";
import path from "node:path";
import { plural } from "../../base/plural.ts";
import { type Command, UsageError } from "../command.ts";

export const restore: Command = {
  name: "restore",
  summary: "Restore a backup into a new, empty service.",
  usage: "restore FILE",
  example: "octavo restore octavo-2026-11-21.tar.gz   (with the new service's settings in the environment)",
  positionals: 1,
  options: {},
  async run({ positionals: [file] }, terminal) {
    if (file === undefined || !existsSync(file))
      throw new UsageError(file ? `File not found: ${file}` : "Missing archive to restore");
    const result = await terminal.restore(path.resolve(file));
    if (typeof result === "string") terminal.note(result);
    else terminal.out(`${plural(result.rows, "row")} and ${plural(result.objects, "object")} restored`);
    return typeof result === "string" ? 2 : 0;
  },
};
