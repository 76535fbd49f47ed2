import path from "node:path";
import { plural } from "../../base/plural.ts";
import { type Command, UsageError } from "../command.ts";

export const backup: Command = {
  name: "backup",
  summary: "Back up the database and stored objects to an archive.",
  usage: "backup --output FILE",
  example:
    "octavo backup --output octavo-2026-11-21.tar.gz   (with the service's settings in the environment)",
  positionals: 0,
  options: {
    output: {
      type: "string",
      short: "o",
      argument: "FILE",
      description: "Archive to write. It doesn't contain OCTAVO_SECRET.",
    },
  },
  async run({ values }, terminal) {
    if (typeof values.output !== "string")
      throw new UsageError("Missing --output FILE, the archive to write");
    const result = await terminal.backup(path.resolve(values.output));
    if (typeof result === "string") terminal.note(result);
    else
      terminal.out(
        `${plural(result.rows, "row")} and ${plural(result.objects, "object")} → ${values.output}`,
      );
    return typeof result === "string" ? 2 : 0;
  },
};
