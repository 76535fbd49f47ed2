import { plural } from "../../base/plural.ts";
import { ApiError } from "../../service/app/client.ts";
import { type Command, UsageError } from "../command.ts";
import { CopyFailure, copyFeed } from "../feed/copy-feed.ts";
import { feedFormats } from "../feed/feed-file.ts";
import { openFeedFolder } from "../feed/feed-folder.ts";
import { errorMessage, serviceClient } from "../service-client.ts";

export const feed: Command = {
  name: "feed",
  summary: "Copy a project's change feed to files for a data warehouse.",
  usage: "feed FOLDER --project ID [--format ndjson|parquet]",
  example: "octavo feed s3://acme-warehouse/octavo --project 01KAJ4V7M2Q8R5T9W3X6Y1Z0AB --format parquet",
  positionals: 1,
  options: {
    project: { type: "string", argument: "ID", description: "ID of the project." },
    format: { type: "string", argument: "FORMAT", description: "Format of the files. Default: ndjson." },
    json: { type: "boolean", description: "Print the result as JSON." },
  },
  async run({ positionals: [location], values }, terminal) {
    if (location === undefined) throw new UsageError("Missing FOLDER, a folder or an S3 URL to copy to");
    if (typeof values.project !== "string") throw new UsageError("Missing --project ID, the project to copy");
    const format = feedFormats.find((known) => known === (values.format ?? "ndjson"));
    if (!format) throw new UsageError(`--format must be one of ${feedFormats.join(", ")}`);
    const folder = await openFeedFolder(location);
    const client = serviceClient(terminal, "feed", "key");
    const files: string[] = [];
    try {
      const events = await copyFeed(folder, {
        client,
        projectId: values.project,
        format,
        onFile: (name) => files.push(name),
      });
      if (values.json) terminal.out(JSON.stringify({ events, files }));
      else
        terminal.out(events ? `${plural(events, "event")} copied to ${files.join(", ")}` : "No new events");
      return 0;
    } catch (error) {
      if (files.length > 0) terminal.note(`Copied before the error: ${files.join(", ")}`);
      if (error instanceof CopyFailure) terminal.note(error.message);
      else terminal.note(withTime(errorMessage(error, terminal), error));
      return error instanceof CopyFailure ? 1 : 2;
    }
  },
};

function withTime(message: string, error: unknown): string {
  const seconds = error instanceof ApiError ? error.retryAfter_s : undefined;
  return seconds === undefined
    ? message
    : `${message}. Run the command again in ${plural(seconds, "second")}.`;
}
