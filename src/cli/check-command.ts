/** What `octavo check` and `octavo broken-links` have in common: options, output, and exit codes. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { plural } from "../base/plural.ts";
import type { Problem } from "../base/problem.ts";
import type { ProblemCode } from "../base/problem-codes.ts";
import { type CheckResult, checkFolder } from "./check-folder.ts";
import { checkQuestions, describeQuestions, type QuestionResult, readQuestions } from "./check-questions.ts";
import { type Command, type CommandArguments, UsageError } from "./command.ts";
import { docsFolder } from "./docs-folder.ts";
import { checkExternalLinks, describeExternal, linkCache } from "./external-links.ts";
import { junitReport } from "./format-junit.ts";
import { formatProblems, githubAnnotations, problemJson, problemSummary } from "./format-problems.ts";
import { sarifLog } from "./format-sarif.ts";
import { describeMissing } from "./missing-pages.ts";
import { pageCache } from "./page-cache.ts";
import type { Terminal } from "./terminal.ts";
import { readThreads, threadsOption } from "./threads-option.ts";

const formats = ["text", "json", "github", "sarif", "junit"] as const;

export const checkOptions = {
  format: {
    type: "string",
    argument: formats.join("|"),
    description: "Format of the problems. Default: text.",
  },
  json: { type: "boolean", description: "Print the result as JSON, like --format json." },
  files: {
    type: "string",
    argument: "LIST",
    description: "Only list problems of these files: paths or patterns, separated by commas.",
  },
  since: {
    type: "string",
    argument: "REV",
    description: "Only list problems that this Git revision of the folder doesn't have.",
  },
  accessibility: {
    type: "boolean",
    description: "Also list accessibility problems: alternative texts, headings, link texts, and colors.",
  },
  external: {
    type: "boolean",
    description: "Also follow links to other sites, and list those that are broken.",
  },
  threads: threadsOption,
  "no-cache": { type: "boolean", description: "Ignore cached pages." },
} as const satisfies Command["options"];

/** What a command lists and what makes it fail. */
export interface CheckKind {
  /** Codes of the problems to list. Undefined: all. */
  codes?: ReadonlySet<ProblemCode>;
  /** Whether warnings make the command fail. */
  isStrict: boolean;
  /** Whether to list accessibility problems even without the option. */
  checksAccessibility?: boolean;
}

export async function runCheck(
  { positionals, values }: CommandArguments,
  { codes, isStrict, checksAccessibility = false }: CheckKind,
  terminal: Terminal,
): Promise<number> {
  const format = formats.find((name) => name === (values.format ?? (values.json ? "json" : "text")));
  if (!format) throw new UsageError(`--format must be one of ${formats.join(", ")}`);
  const folder = docsFolder(positionals[0]);
  const questions = typeof values.questions === "string" ? readQuestions(values.questions) : undefined;
  const site = questions && mkdtempSync(path.join(tmpdir(), "octavo-check-"));

  const builder = terminal.startBuildProcess(
    (_, done, total) => terminal.progress("Checking pages", done, total),
    readThreads(values.threads),
  );

  try {
    const result = await checkFolder(
      {
        folder,
        job: {
          folder,
          listsExternalLinks: values.external === true,
          checksAccessibility: checksAccessibility || values.accessibility === true,
          output:
            site === undefined
              ? { kind: "none" }
              : { kind: "folder", path: site, target: { kind: "client-hosted", links: "html" } },
          ...(values["no-cache"] ? {} : pageCache(folder, terminal)),
        },
        ...(codes ? { codes } : {}),
        ...(typeof values.files === "string" ? { files: values.files } : {}),
        ...(typeof values.since === "string" ? { since: values.since } : {}),
        ...(values.external
          ? {
              checkLinks: (links) => {
                const cache = values["no-cache"] ? undefined : linkCache(terminal);
                return checkExternalLinks(links, { cache }, terminal);
              },
            }
          : {}),
      },
      builder,
    );
    const answers = site === undefined ? undefined : await checkQuestions(site, questions!);

    // Missing dates depend on the checkout and not on the content. CI systems often fetch a single commit.
    const isFailing = ({ code, severity }: Problem) =>
      code !== "missing-dates" && (severity === "error" || isStrict);
    print(result, { format, folder, isFailing, answers, since: values.since }, terminal);
    const isUncovered = answers?.some((answer) => answer.result === "uncovered") ?? false;
    return result.problems.some(isFailing) || (isStrict && isUncovered) ? 1 : 0;
  } finally {
    builder.end();
    if (site !== undefined) rmSync(site, { recursive: true, force: true });
  }
}

interface Printing {
  format: (typeof formats)[number];
  folder: string;
  isFailing: (problem: Problem) => boolean;
  /** Results of the questions. Undefined if none were asked. */
  answers: QuestionResult[] | undefined;
  since: CommandArguments["values"][string];
}

function print(result: CheckResult, { format, answers, ...options }: Printing, terminal: Terminal): void {
  const { pages, problems, listed, missing, unlisted, otherErrors } = result;
  const folder = relativeFolder(options.folder);
  const { overLimit: omitted } = unlisted;
  const isUnlisted = Object.values(unlisted).some((count) => count > 0);

  if (format === "json")
    terminal.out(
      JSON.stringify({
        pages,
        problems: listed.map(problemJson),
        ...(isUnlisted ? { unlisted } : {}),
        ...(missing.length ? { missing } : {}),
        ...(answers ? { questions: answers } : {}),
        ...(result.external
          ? { external: { ...result.external.counts, blockedUrls: result.external.blocked } }
          : {}),
      }),
    );
  else if (format === "sarif")
    terminal.out(
      sarifLog(listed, { version: terminal.version, folder, serviceUrl: terminal.service.url, omitted }),
    );
  else if (format === "junit")
    terminal.out(junitReport(listed, { folder, isFailing: options.isFailing, omitted }));
  else if (format === "github") {
    if (listed.length) terminal.out(githubAnnotations(listed, folder));
  } else {
    if (listed.length) terminal.out(`${formatProblems(listed, terminal)}\n\n`);
    if (missing.length) terminal.out(`${describeMissing(missing)}\n\n`);
  }

  // The output of the other formats is read by programs.
  const isText = format === "text" || format === "github";
  const summarize = isText ? terminal.out : terminal.note;
  if (format !== "json") {
    summarize(`${plural(pages, "page")}, ${problemSummary(problems)}`);
    for (const line of describeUnlisted(unlisted, options.since)) summarize(line);
    if (answers) summarize(describeQuestions(answers));
    for (const line of result.external ? describeExternal(result.external) : []) summarize(line);
  }

  if (result.matchesNothing) terminal.note("No file of the folder matches --files.");
  if (otherErrors > 0)
    terminal.note(
      `There ${otherErrors === 1 ? "is" : "are"} also ${plural(otherErrors, "error")} of other kinds, which can hide problems of this kind. Run octavo check to list them.`,
    );
}

function describeUnlisted(
  { known, otherFiles, overLimit }: CheckResult["unlisted"],
  since: Printing["since"],
): string[] {
  return [
    ...(known ? [`Not listed: ${plural(known, "problem")} that ${since} also has`] : []),
    ...(otherFiles ? [`Not listed: ${plural(otherFiles, "problem")} of other files`] : []),
    ...(overLimit ? [`Not listed: ${plural(overLimit, "more problem")}`] : []),
  ];
}

/** Path of a folder, relative to the current folder, with forward slashes. */
function relativeFolder(folder: string): string {
  return path.relative(process.cwd(), folder).split(path.sep).join("/");
}
