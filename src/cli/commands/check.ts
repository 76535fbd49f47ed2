import { plural } from "../../base/plural.ts";
import type { Command } from "../command.ts";
import { cacheFolder, docsFolder } from "../docs-folder.ts";
import { countProblems, formatProblems, problemJson, problemSummary } from "../format-problems.ts";

export const check: Command = {
  name: "check",
  summary: "List all problems in a documentation folder.",
  usage: "check [DIR] [--json] [--strict]",
  example: "octavo check docs --strict",
  positionals: 1,
  options: {
    json: { type: "boolean", description: "Print the result as JSON." },
    strict: { type: "boolean", description: "Also fail on warnings." },
    "no-cache": { type: "boolean", description: "Ignore cached pages." },
  },
  async run({ positionals, values }, terminal) {
    const folder = docsFolder(positionals[0]);
    const builder = terminal.startBuildProcess((_, done, total) => terminal.progress("Checking pages", done, total));
    try {
      const { pages, problems } = await builder.build({
        folder,
        output: { kind: "none" },
        ...(values["no-cache"] ? {} : { cacheFolder: cacheFolder(folder) }),
      });
      if (values.json) terminal.out(JSON.stringify({ pages, problems: problems.map(problemJson) }));
      else {
        if (problems.length) terminal.out(`${formatProblems(problems, terminal)}\n\n`);
        terminal.out(`${plural(pages, "page")}, ${problemSummary(problems)}`);
      }
      const { error, warning } = countProblems(problems);
      return error > 0 || (values.strict && warning > 0) ? 1 : 0;
    } finally {
      builder.end();
    }
  },
};
