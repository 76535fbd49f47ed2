import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { plural } from "../../base/plural.ts";
import { checkQuestions, describeQuestions, readQuestions } from "../check-questions.ts";
import { type Command, UsageError } from "../command.ts";
import { docsFolder } from "../docs-folder.ts";
import {
  countProblems,
  formatProblems,
  githubAnnotations,
  problemJson,
  problemSummary,
} from "../format-problems.ts";
import { describeMissing } from "../missing-pages.ts";
import { pageCache } from "../page-cache.ts";
import { readThreads, threadsOption } from "../threads-option.ts";

const formats = ["text", "json", "github"] as const;

export const check: Command = {
  name: "check",
  summary: "List all problems in a documentation folder.",
  usage: "check [DIR] [--format FORMAT] [--questions FILE] [--strict]",
  example: "octavo check docs --strict",
  positionals: 1,
  options: {
    format: {
      type: "string",
      argument: formats.join("|"),
      description: "Format of the problems. Default: text.",
    },
    json: { type: "boolean", description: "Print the result as JSON, like --format json." },
    questions: {
      type: "string",
      argument: "FILE",
      description: "Also list questions in FILE, one per line, that the pages don't cover.",
    },
    strict: { type: "boolean", description: "Also fail on warnings and on questions that aren't covered." },
    threads: threadsOption,
    "no-cache": { type: "boolean", description: "Ignore cached pages." },
  },
  async run({ positionals, values }, terminal) {
    const format = formats.find((name) => name === (values.format ?? (values.json ? "json" : "text")));
    if (!format) throw new UsageError(`--format must be one of ${formats.join(", ")}`);
    const folder = docsFolder(positionals[0]);
    const questions = typeof values.questions === "string" ? readQuestions(values.questions) : [];
    const site = questions.length ? mkdtempSync(path.join(tmpdir(), "octavo-check-")) : undefined;

    const builder = terminal.startBuildProcess(
      (_, done, total) => terminal.progress("Checking pages", done, total),
      readThreads(values.threads),
    );

    try {
      const {
        pages,
        problems,
        missing = [],
      } = await builder.build({
        folder,
        output:
          site === undefined
            ? { kind: "none" }
            : { kind: "folder", path: site, target: { kind: "client-hosted", links: "html" } },
        ...(values["no-cache"] ? {} : pageCache(folder, terminal)),
      });
      const results = site === undefined ? [] : await checkQuestions(site, questions);
      if (format === "json") {
        const asked = site === undefined ? {} : { questions: results };
        terminal.out(
          JSON.stringify({
            pages,
            problems: problems.map(problemJson),
            ...(missing.length ? { missing } : {}),
            ...asked,
          }),
        );
      } else {
        const shown =
          format === "github"
            ? githubAnnotations(problems, relativeFolder(folder))
            : formatProblems(problems, terminal);
        if (problems.length) terminal.out(format === "github" ? shown : `${shown}\n\n`);
        if (missing.length && format === "text") terminal.out(`${describeMissing(missing)}\n\n`);
        terminal.out(`${plural(pages, "page")}, ${problemSummary(problems)}`);
        if (results.length) terminal.out(describeQuestions(results));
      }
      const { error, warning } = countProblems(problems.filter(({ code }) => code !== "missing-dates"));
      // Missing dates depend on the checkout and not on the content. CI systems often fetch a single commit.
      const isUncovered = results.some(({ result }) => result === "uncovered");
      return error > 0 || (values.strict && (warning > 0 || isUncovered)) ? 1 : 0;
    } finally {
      builder.end();
      if (site !== undefined) rmSync(site, { recursive: true, force: true });
    }
  },
};

/** Path of a folder, relative to the current folder, with forward slashes. */
function relativeFolder(folder: string): string {
  return path.relative(process.cwd(), folder).split(path.sep).join("/");
}
