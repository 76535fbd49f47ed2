import { createReadStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { plural } from "../../base/plural.ts";
import { importConversations } from "../../service/conversations/contract.ts";
import { type Command, UsageError } from "../command.ts";
import { errorMessage, serviceClient } from "../service-client.ts";

export const importCommand: Command = {
  name: "import",
  summary: "Import assistant conversations from an NDJSON file.",
  usage: "import conversations FILE --project ID",
  example: "octavo import conversations history.ndjson --project 01KAJ4V7M2Q8R5T9W3X6Y1Z0AB",
  positionals: 2,
  options: {
    project: { type: "string", argument: "ID", description: "ID of the project to import into." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  async run({ positionals: [what, file], values }, terminal) {
    if (what !== "conversations")
      throw new UsageError(
        "The first argument must be `conversations`, the only type of data that can be imported",
      );

    if (file === undefined || !existsSync(file))
      throw new UsageError(file ? `File not found: ${file}` : "Missing file to import");
    if (typeof values.project !== "string")
      throw new UsageError("Missing --project ID, the project to import into");
    const client = serviceClient(terminal, "import", "key");
    try {
      const result = await client(importConversations, {
        params: { projectId: values.project },
        body: Readable.toWeb(createReadStream(file)),
      });
      if (values.json) terminal.out(JSON.stringify(result));
      else {
        for (const { line, message } of result.errors) terminal.note(`${file}:${line}: ${message}`);
        terminal.out(
          `${plural(result.added, "conversation")} added, ${result.existing} already present, ${plural(result.failed, "line")} failed`,
        );
      }
      return result.failed > 0 ? 1 : 0;
    } catch (error) {
      terminal.note(errorMessage(error, terminal));
      return 2;
    }
  },
};
