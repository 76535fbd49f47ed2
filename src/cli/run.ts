/** Entry point of the command line: finds the command and runs it. */

import { nearest } from "../base/nearest.ts";
import { BuildFailed } from "../builder/build-process.ts";
import { systemErrorText } from "../io/system-error.ts";
import { type Command, help, parseArguments, UsageError } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Functions that load the commands, by name. Loading all commands would take longer than running some of
 * them.
 */
const loaders: Record<string, () => Promise<Command>> = {
  init: async () => (await import("./commands/init.ts")).init,
  "import-site": async () => (await import("./commands/import-site.ts")).importSite,
  dev: async () => (await import("./commands/dev.ts")).dev,
  check: async () => (await import("./commands/check.ts")).check,
  a11y: async () => (await import("./commands/a11y.ts")).a11y,
  "broken-links": async () => (await import("./commands/broken-links.ts")).brokenLinks,
  build: async () => (await import("./commands/build.ts")).build,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  verify: async () => (await import("./commands/verify.ts")).verify,
  api: async () => (await import("./commands/api.ts")).api,
  lsp: async () => (await import("./commands/lsp.ts")).lsp,
  preview: async () => (await import("./commands/preview.ts")).preview,
  deploy: async () => (await import("./commands/deploy.ts")).deploy,
  serve: async () => (await import("./commands/serve.ts")).serve,
  bundle: async () => (await import("./commands/bundle.ts")).bundle,
  "bundle-server": async () => (await import("./commands/bundle-server.ts")).bundleServer,
  admin: async () => (await import("./commands/admin.ts")).admin,
  import: async () => (await import("./commands/import.ts")).importCommand,
  feed: async () => (await import("./commands/feed.ts")).feed,
  backup: async () => (await import("./commands/backup.ts")).backup,
  restore: async () => (await import("./commands/restore.ts")).restore,
  "rotate-secret": async () => (await import("./commands/rotate-secret.ts")).rotateSecret,
  "demo-api": async () => (await import("./commands/demo-api.ts")).demoApiCommand,
};

/** Other names of commands, which other platforms use. */
const aliases: Record<string, string> = { validate: "check" };

/** Loads all commands, in the order of the help text. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

/**
 * Runs the command in `args`. Resolves with the exit code: 0 for success, 1 for problems and for failed
 * deployments and imports, 2 for other errors, such as wrong usage.
 */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const [given, ...rest] = args;
  const name = given !== undefined && Object.hasOwn(aliases, given) ? aliases[given] : given;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    if (name === undefined) terminal.note(await overview());
    else terminal.out(await overview());
    return name === undefined ? 2 : 0;
  }

  if (name === "--version" || name === "-v") {
    terminal.out(terminal.version);
    return 0;
  }

  if (!Object.hasOwn(loaders, name)) {
    const near = nearest(name, Object.keys({ ...loaders, ...aliases }));
    terminal.note(
      `Unknown command: ${JSON.stringify(name)}${near ? `. Did you mean ${near}?` : ""}\n\n${await overview()}`,
    );
    return 2;
  }

  const command = await loaders[name]!();

  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(help(command));
    return 0;
  }

  const isVerbose = rest.includes("--verbose");
  const options = rest.filter((argument) => argument !== "--verbose");
  try {
    return await command.run(parseArguments(command, options), terminal);
  } catch (error) {
    if (error instanceof UsageError)
      terminal.note(
        `${error.message}\n\nUsage: octavo ${command.usage}\nRun \`octavo ${name} --help\` for details.`,
      );
    else terminal.note(failureText(error, isVerbose));
    return 2;
  }
}

/** Describes an error other than a `UsageError`. */
function failureText(error: unknown, isVerbose: boolean): string {
  const failure = error instanceof Error ? error : new Error(String(error));
  if (isVerbose)
    return [failure.stack, error instanceof BuildFailed ? error.detail : ""].filter(Boolean).join("\n");
  return `${systemErrorText(error) ?? failure.message}\nAdd --verbose to see the details.`;
}

async function overview(): Promise<string> {
  const commands = await loadCommands();
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Octavo turns docs.json, MDX, and OpenAPI into a documentation site.",
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
