import path from "node:path";
import type { BuildJob } from "../../builder/build-protocol.ts";
import { isWritableOutput } from "../../builder/output-folder.ts";
import type { DeploymentKind } from "../../engine/site/features.ts";
import { deploymentKinds } from "../../engine/site/features.ts";
import { type Command, type CommandArguments, type Terminal, UsageError } from "../command.ts";
import { cacheFolder, docsFolder } from "../docs-folder.ts";
import { countProblems, formatProblems, problemSummary } from "../format-problems.ts";
import { plural } from "../plural.ts";

/** Options of all commands that write a site. */
const siteOptions: Command["options"] = {
  kind: { type: "string", argument: deploymentKinds.join("|"), description: "What the site will run in. Default: client-hosted." },
  url: { type: "string", argument: "URL", description: "Where the site will be reached; canonical links and feeds need it." },
  json: { type: "boolean", description: "Prints one JSON object on stdout." },
  "no-cache": { type: "boolean", description: "Compiles every page anew." },
};

export const build: Command = {
  name: "build",
  summary: "Writes the site as a folder that any web server serves and any browser opens.",
  usage: "build [dir] --out DIR [--kind KIND] [--url URL]",
  example: "octavo build docs --out site",
  positionals: 1,
  options: {
    out: {
      type: "string",
      short: "o",
      argument: "DIR",
      description: "The folder to write. Files of an earlier build that are gone are removed.",
    },
    ...siteOptions,
  },
  run(args, terminal) {
    const out = args.values.out;
    if (typeof out !== "string") throw new UsageError("build needs --out DIR, the folder to write");
    if (!isWritableOutput(out)) throw new UsageError(`${out} holds something else than a site; choose an empty folder`);
    return writeSite(args, terminal, { kind: "folder", path: path.resolve(out) });
  },
};

export const exportCommand: Command = {
  name: "export",
  summary: "Packs the site into one archive with a manifest of its files.",
  usage: "export [dir] --output FILE [--kind KIND] [--url URL]",
  example: "octavo export docs --output site.tar.gz",
  positionals: 1,
  options: {
    output: { type: "string", short: "o", argument: "FILE", description: "The archive to write: .tar.gz, or .zip." },
    ...siteOptions,
  },
  run(args, terminal) {
    const output = args.values.output;
    if (typeof output !== "string" || !/\.(?:tar\.gz|tgz|zip)$/.test(output))
      throw new UsageError("export needs --output FILE that ends in .tar.gz or .zip");
    return writeSite(args, terminal, { kind: "archive", path: path.resolve(output) });
  },
};

async function writeSite(
  { positionals, values }: CommandArguments,
  terminal: Terminal,
  output: { kind: "folder" | "archive"; path: string },
): Promise<number> {
  const folder = docsFolder(positionals[0]);
  if (output.kind === "folder" && (output.path === folder || folder.startsWith(output.path + path.sep)))
    throw new UsageError("The output cannot be the documentation folder or a folder around it");
  const started = performance.now();
  const builder = terminal.startBuildProcess((stage, done, total) =>
    terminal.progress(stage === "page" ? "Reading pages" : "Writing files", done, total),
  );
  try {
    const target = {
      kind: readKind(values.kind),
      links: "html" as const,
      ...(typeof values.url === "string" ? { origin: readUrl(values.url) } : {}),
    };
    const job: Omit<BuildJob, "crashed"> = {
      folder,
      output: { ...output, target },
      ...(values["no-cache"] ? {} : { cacheFolder: cacheFolder(folder) }),
    };
    const { pages, bytes, problems } = await builder.build(job);
    const seconds = Math.round(performance.now() - started) / 1000;
    const counts = countProblems(problems);
    if (values.json) terminal.out(JSON.stringify({ pages, problems: counts, bytes, seconds }));
    else {
      if (problems.length) terminal.note(`${formatProblems(problems, { ...terminal, most: 20 })}\n`);
      terminal.out(
        `${plural(pages, "page")}, ${(bytes / 1_000_000).toFixed(1)} MB, ${seconds.toFixed(1)} s, ${problemSummary(problems)} → ${path.relative(process.cwd(), output.path) || "."}`,
      );
    }
    return counts.error > 0 ? 1 : 0;
  } finally {
    builder.end();
  }
}

function readKind(value: unknown): DeploymentKind {
  const kind = value ?? "client-hosted";
  if (!deploymentKinds.includes(kind as DeploymentKind)) throw new UsageError(`--kind is one of ${deploymentKinds.join(", ")}`);
  return kind as DeploymentKind;
}

function readUrl(value: string): string {
  if (!/^https?:\/\/[^/]+/.test(value)) throw new UsageError("--url is an address such as https://docs.example.com");
  return value.replace(/\/+$/, "");
}
