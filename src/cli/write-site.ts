/** Builds and writes a site, for `octavo build` and `octavo export`. */

import { rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { plural } from "../base/plural.ts";
import type { BuildJob, BuildResult } from "../builder/build-protocol.ts";
import { type SiteSizes, totalSize } from "../builder/site-sizes.ts";
import { type DeploymentKind, deploymentKinds } from "../engine/site/features.ts";
import { type Command, type CommandArguments, UsageError } from "./command.ts";
import { docsFolder } from "./docs-folder.ts";
import { countProblems, formatProblems, problemSummary } from "./format-problems.ts";
import { describeMissing } from "./missing-pages.ts";
import { outputPath } from "./output-path.ts";
import { pageCache } from "./page-cache.ts";
import type { Terminal } from "./terminal.ts";
import { readThreads, threadsOption } from "./threads-option.ts";

/** Options of both commands. */
export const siteOptions: Command["options"] = {
  kind: {
    type: "string",
    argument: deploymentKinds.join("|"),
    description: "Deployment type. Default: client-hosted.",
  },
  url: {
    type: "string",
    argument: "URL",
    description: "The site's public URL, for canonical links and feeds.",
  },
  audience: {
    type: "string",
    argument: "GROUPS",
    description:
      "Export only what readers in these groups can read (comma-separated), or public. Default: public.",
  },
  "audience-report": {
    type: "string",
    argument: "FILE",
    description: "Write what the audience's export leaves out to this file.",
  },
  json: { type: "boolean", description: "Print the result as JSON." },
  threads: threadsOption,
  "no-cache": { type: "boolean", description: "Ignore cached pages." },
};

/**
 * Builds a site and prints the problems and a summary. Resolves with the exit code. Rejects with `UsageError`
 * for invalid arguments.
 */
export async function writeSite(
  { positionals, values }: CommandArguments,
  terminal: Terminal,
  output: { kind: "folder"; path: string } | { kind: "archive"; path: string; signingKey?: string },
): Promise<number> {
  const folder = docsFolder(positionals[0]);
  if (output.kind === "folder" && (output.path === folder || folder.startsWith(output.path + path.sep)))
    throw new UsageError(
      "The output folder can't be the documentation folder or one of its parents. Choose a different folder.",
    );

  if (output.kind === "archive" && output.path.startsWith(folder + path.sep))
    throw new UsageError(
      "The archive can't be in the documentation folder, because later builds would publish it. Choose a different folder.",
    );

  const started = performance.now();

  const builder = terminal.startBuildProcess(
    (stage, done, total) =>
      terminal.progress(stage === "page" ? "Reading pages" : "Writing files", done, total),
    readThreads(values.threads),
  );

  try {
    const target = {
      kind: readKind(values.kind),
      links: "html" as const,
      ...(typeof values.url === "string" ? { origin: readUrl(values.url) } : {}),
      ...(typeof values.audience === "string" ? { audience: readAudience(values.audience) } : {}),
    };
    if (values["audience-report"] !== undefined && !target.audience)
      throw new UsageError("--audience-report requires --audience");
    const reportFile =
      typeof values["audience-report"] === "string" ? outputPath(values["audience-report"]) : undefined;
    const job: Omit<BuildJob, "crashed" | "threads"> = {
      folder,
      isCheckout: true,
      output: { ...output, target },
      ...(values["no-cache"] ? {} : pageCache(folder, terminal)),
    };
    const { pages, leftOut = 0, missing = [], sizes, problems, audience } = await builder.build(job);
    if (audience) reportAudience(output.path, audience, reportFile);
    const bytes = totalSize(sizes);
    const seconds = Math.round(performance.now() - started) / 1000;
    const counts = countProblems(problems);
    if (values.json)
      terminal.out(
        JSON.stringify({
          pages: pages - leftOut,
          leftOut,
          ...(missing.length ? { missing } : {}),
          problems: counts,
          bytes,
          sizes,
          seconds,
        }),
      );
    else {
      if (problems.length) terminal.note(`${formatProblems(problems, { ...terminal, most: 20 })}\n`);
      if (missing.length) terminal.note(describeMissing(missing));
      if (leftOut > 0)
        terminal.note(
          `${plural(leftOut, "page")} left out, because not everyone may see ${leftOut === 1 ? "it" : "them"}`,
        );
      terminal.out(
        `${plural(pages - leftOut, "page")}, ${(bytes / 1_000_000).toFixed(1)} MB, ${seconds.toFixed(1)} s, ${problemSummary(problems)} → ${path.relative(process.cwd(), output.path) || "."}`,
      );
      terminal.out(describeSizes(sizes));
    }
    return counts.error > 0 ? 1 : 0;
  } finally {
    builder.end();
  }
}

/** Reads the value of `--audience`. */
function readAudience(value: string): { groups?: string[] } {
  const groups = value.split(",").map((group) => group.trim());
  if (groups.includes(""))
    throw new UsageError("--audience must be public or a list of groups, such as partners,staff");
  return value.trim() === "public" ? {} : { groups };
}

/**
 * Writes the report to a file, if one is given. Throws if files contain text for other readers, and removes
 * an archive that does.
 */
function reportAudience(
  output: string,
  { report, leaks }: NonNullable<BuildResult["audience"]>,
  file: string | undefined,
): void {
  if (leaks.length) {
    if (!statSync(output).isDirectory()) rmSync(output);
    throw new Error(
      `The export contains text that its audience may not read, in ${leaks.slice(0, 5).join(", ")}. Don't use it.`,
    );
  }
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
}

/** Returns the sizes in kilobytes, largest first, such as `pages 90 KB, search 60 KB`. */
function describeSizes(sizes: SiteSizes): string {
  const largestFirst = Object.entries(sizes).sort(([, a], [, b]) => b - a);
  return largestFirst
    .map(([part, bytes]) => `${part} ${Math.max(1, Math.round(bytes / 1_000)).toLocaleString("en")} KB`)
    .join(", ");
}

function readKind(value: unknown): DeploymentKind {
  const kind = value ?? "client-hosted";
  if (!deploymentKinds.includes(kind as DeploymentKind))
    throw new UsageError(`--kind must be one of ${deploymentKinds.join(", ")}`);
  return kind as DeploymentKind;
}

function readUrl(value: string): string {
  if (!/^https?:\/\/[^/]+/.test(value))
    throw new UsageError("--url must be a URL, such as https://docs.example.com");
  return value.replace(/\/+$/, "");
}
