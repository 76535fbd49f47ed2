import path from "node:path";
import { plural } from "../../base/plural.ts";
import { type Command, UsageError } from "../command.ts";
import { cacheFolder, docsFolder } from "../docs-folder.ts";
import { countProblems, formatProblems, githubAnnotations, problemJson, problemSummary } from "../format-problems.ts";

const formats = ["text", "json", "github"] as const;

export const check: Command = {
  name: "check",
  summary: "List all problems in a documentation folder.",
  usage: "check [DIR] [--format FORMAT] [--strict]",
  example: "octavo check docs --strict",
  positionals: 1,
  options: {
    format: { type: "string", argument: formats.join("|"), description: "Format of the problems. Default: text." },
    json: { type: "boolean", description: "Print the result as JSON, like --format json." },
    strict: { type: "boolean", description: "Also fail on warnings." },
    "no-cache": { type: "boolean", description: "Ignore cached pages." },
  },
  async run({ positionals, values }, terminal) {
    const format = formats.find((name) => name === (values.format ?? (values.json ? "json" : "text")));
    if (!format) throw new UsageError(`--format must be one of ${formats.join(", ")}`);
    const folder = docsFolder(positionals[0]);
    const builder = terminal.startBuildProcess((_, done, total) => terminal.progress("Checking pages", done, total));
    try {
      const { pages, problems } = await builder.build({
        folder,
        output: { kind: "none" },
        ...(values["no-cache"] ? {} : { cacheFolder: cacheFolder(folder) }),
      });
      if (format === "json") terminal.out(JSON.stringify({ pages, problems: problems.map(problemJson) }));
      else {
        const shown = format === "github" ? githubAnnotations(problems, relativeFolder(folder)) : formatProblems(problems, terminal);
        if (problems.length) terminal.out(format === "github" ? shown : `${shown}\n\n`);
        terminal.out(`${plural(pages, "page")}, ${problemSummary(problems)}`);
      }
      const { error, warning } = countProblems(problems);
      return error > 0 || (values.strict && warning > 0) ? 1 : 0;
    } finally {
      builder.end();
    }
  },
};

/** Path of a folder, relative to the current folder, with forward slashes. */
function relativeFolder(folder: string): string {
  return path.relative(process.cwd(), folder).split(path.sep).join("/");
}
