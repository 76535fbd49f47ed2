import path from "node:path";
import { type Command, UsageError } from "../command.ts";
import { plural } from "../plural.ts";

export const backup: Command = {
  name: "backup",
  summary: "Writes a service's database and stored objects into one archive.",
  usage: "backup --output FILE",
  example: "octavo backup --output octavo-2026-11-21.tar.gz   (with the settings that the service is started with)",
  positionals: 0,
  options: {
    output: { type: "string", short: "o", argument: "FILE", description: "The archive to write. It doesn't hold the service's secret." },
  },
  async run({ values }, terminal) {
    if (typeof values.output !== "string") throw new UsageError("backup needs --output FILE, the archive to write");
    const result = await terminal.backup(path.resolve(values.output));
    if (typeof result === "string") terminal.note(result);
    else terminal.out(`${plural(result.rows, "row")} and ${plural(result.objects, "object")} → ${values.output}`);
    return typeof result === "string" ? 2 : 0;
  },
};
