/** Entry point of the command line: finds the command and runs it. */

import { nearest } from "../base/nearest.ts";
import { BuildFailed } from "../builder/build-process.ts";
import { systemErrorText } from "../io/system-error.ts";
import { type Command, help, parseArguments, type Terminal, UsageError } from "./command.ts";
import { admin } from "./commands/admin.ts";
import { backup } from "./commands/backup.ts";
import { build } from "./commands/build.ts";
import { bundleServer } from "./commands/bundle-server.ts";
import { check } from "./commands/check.ts";
import { demoApiCommand } from "./commands/demo-api.ts";
import { deploy } from "./commands/deploy.ts";
import { dev } from "./commands/dev.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { importSite } from "./commands/import-site.ts";
import { init } from "./commands/init.ts";
import { preview } from "./commands/preview.ts";
import { restore } from "./commands/restore.ts";
import { rotateSecret } from "./commands/rotate-secret.ts";
import { serve } from "./commands/serve.ts";

export const commands: readonly Command[] = [
  init,
  importSite,
  dev,
  check,
  build,
  exportCommand,
  preview,
  deploy,
  serve,
  bundleServer,
  admin,
  importCommand,
  backup,
  restore,
  rotateSecret,
  demoApiCommand,
];

/** Resolves with the exit code: 0 for success, 1 if problems were found, 2 for other errors, such as wrong usage. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    if (name === undefined) terminal.note(overview());
    else terminal.out(overview());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(terminal.version);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    const near = nearest(
      name,
      commands.map((candidate) => candidate.name),
    );
    terminal.note(`Unknown command: ${JSON.stringify(name)}${near ? `. Did you mean ${near}?` : ""}\n\n${overview()}`);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(help(command));
    return 0;
  }
  const isVerbose = rest.includes("--verbose");
  const given = rest.filter((argument) => argument !== "--verbose");
  try {
    return await command.run(parseArguments(command, given), terminal);
  } catch (error) {
    if (error instanceof UsageError) terminal.note(`${error.message}\n\n${help(command)}`);
    else terminal.note(failureText(error, isVerbose));
    return 2;
  }
}

/** Describes a failure that isn't due to the arguments or the documentation. */
function failureText(error: unknown, isVerbose: boolean): string {
  const failure = error instanceof Error ? error : new Error(String(error));
  if (isVerbose) return [failure.stack, error instanceof BuildFailed ? error.detail : ""].filter(Boolean).join("\n");
  return `${systemErrorText(error) ?? failure.message}\nAdd --verbose to see the details.`;
}

function overview(): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Octavo turns docs.json, MDX and OpenAPI into a documentation site.",
    "",
    "Usage: octavo <command>",
    "",
    "Commands:",
    ...lines,
    "",
    "Run `octavo <command> --help` for details.",
    "",
  ].join("\n");
}
