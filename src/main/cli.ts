/** Entry point of the `octavo` executable. Runs the CLI in the terminal. */

import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildEnvironment } from "../builder/build-environment.ts";
import { BuildProcess } from "../builder/build-process.ts";
import { UsageError } from "../cli/command.ts";
import { userCaches } from "../cli/page-cache.ts";
import { runCli } from "../cli/run.ts";
import type { Terminal } from "../cli/terminal.ts";
import { terminalText } from "../cli/terminal-text.ts";
import { readThreads } from "../cli/threads-option.ts";
import { allowSetting, parseAllowedHosts } from "../io/allowed-hosts.ts";
import { exitSoon, whenInterrupted } from "./process-end.ts";
import type { ProcessRole } from "./start-service.ts";

/** Maximum number of threads of a build, if none is set. */
const threads_count = 8;

const { stdout, stderr, env } = process;
const isTerminal = stderr.isTTY === true && env.CI === undefined;
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const product = fileURLToPath(new URL(".", import.meta.url));
const clearLine = () => isTerminal && stderr.write("\r\u001b[K");
let lastShare = -1;

/**
 * Wraps a command, so that only the current user can access the files that the command and its child
 * processes create.
 */
function privately<In, Out>(run: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  return (input) => {
    process.umask(0o077);
    return run(input);
  };
}

/** Wraps a command that changes stored data and must not end in the middle. Signals have no effect on it. */
function uninterrupted<In, Out>(run: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  return (input) => {
    void terminal.interrupted;
    return run(input);
  };
}

/** Returns the words before the name of a command, as the user typed them. */
function executable(): string {
  if (env.npm_command === "exec") return "npx octavo";
  const file = process.argv[1] ?? "";
  return file.endsWith(".js") ? `node ${path.relative(process.cwd(), file)}` : "octavo";
}

/** Set once a command waits for signals. Until then, they end the process. */
let interrupted: Promise<void> | undefined;
const terminal: Terminal = {
  version,
  executable: executable(),
  color: stdout.isTTY === true && env.NO_COLOR === undefined,
  out(text) {
    clearLine();
    const shown = terminalText(text, terminal.color);
    stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  },
  note(text) {
    clearLine();
    stderr.write(`${terminalText(text, terminal.color)}\n`);
  },
  progress(label, done, total) {
    const share = total === 0 ? 1 : done / total;
    if (isTerminal) {
      const filled = Math.round(share * 24);
      stderr.write(`\r\u001b[K${label} ${"█".repeat(filled)}${"░".repeat(24 - filled)} ${done}/${total}`);
    } else if (total >= 500 && Math.floor(share * 10) !== lastShare) {
      lastShare = Math.floor(share * 10);
      stderr.write(`${label} ${done}/${total}\n`);
    }
  },
  service: {
    url: env.OCTAVO_URL || undefined,
    key: env.OCTAVO_API_KEY || undefined,
    operatorToken: env.OCTAVO_OPERATOR_TOKEN || undefined,
  },
  serve: privately(async (role: ProcessRole) =>
    (await import("./run-service.ts")).serve(role, product, terminal),
  ),
  bundleServer: privately(async (options: { isRollback: boolean; approved: string | undefined }) =>
    (await import("./run-bundle-server.ts")).bundleServer(options, terminal),
  ),
  backup: privately(async (file: string) => (await import("./storage-commands.ts")).backup(product, file)),
  rotateSecret: uninterrupted(
    privately(async ({ isDiscarding }: { isDiscarding: boolean }) =>
      (await import("./storage-commands.ts")).rotateSecret(product, isDiscarding),
    ),
  ),
  restore: uninterrupted(
    privately(async (file: string) => (await import("./storage-commands.ts")).restore(product, file)),
  ),
  caches: userCaches(env),
  outboundAllow: env[allowSetting] ?? "",
  startBuildProcess(onProgress, threads, onOutline) {
    const { problems } = parseAllowedHosts(env[allowSetting] ?? "");
    if (problems.length) throw new UsageError(problems.join("\n"));
    return new BuildProcess({
      module: fileURLToPath(new URL("./build.js", import.meta.url)),
      env: buildEnvironment(env),
      threads:
        threads ??
        readThreads(env.OCTAVO_BUILD_THREADS || undefined, "OCTAVO_BUILD_THREADS") ??
        Math.min(availableParallelism(), threads_count),
      ...(onProgress ? { onProgress } : {}),
      ...(onOutline ? { onOutline } : {}),
    });
  },
  get interrupted() {
    return (interrupted ??= whenInterrupted());
  },
};

// Commands find a checkout by its folder. In a hook, Git sets these variables, and commands that use another
// index would change the user's.
for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"])
  delete env[name];

// Without this, a closed pipe, such as that of `octavo check | head`, ends the process with an uncaught
// exception.
for (const stream of [stdout, stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

process.exitCode = await runCli(process.argv.slice(2), terminal);
clearLine();
exitSoon();
