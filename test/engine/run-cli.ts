/** Runs commands of the command line in the test's process. */

import { UsageError } from "../../src/cli/command.ts";
import { userCaches } from "../../src/cli/page-cache.ts";
import { runCli as run } from "../../src/cli/run.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { terminalText } from "../../src/cli/terminal-text.ts";
import { allowSetting, parseAllowedHosts } from "../../src/io/allowed-hosts.ts";
import { testCaches } from "./build.ts";
import { localBuilder, version } from "./local-builder.ts";

export interface CliResult {
  code: number;
  /** Output to stdout, as printed by the executable. */
  out: string;
  /** Output to stderr. */
  err: string;
}

/**
 * Runs a command that ends by itself. `env`: its environment variables. Commands of operators, which start
 * the product's other parts, need a process (`runOctavo`).
 */
export async function runCli(args: string[], env: Record<string, string> = {}): Promise<CliResult> {
  let [out, err] = ["", ""];
  const { hosts, problems } = parseAllowedHosts(env[allowSetting] ?? "");
  const needsProcess = async (): Promise<never> => {
    throw new Error("This command needs a process. Use runOctavo.");
  };
  const terminal: Terminal = {
    version,
    executable: "octavo",
    color: false,
    out(text) {
      const shown = terminalText(text, terminal.color);
      out += shown.endsWith("\n") ? shown : `${shown}\n`;
    },
    note: (text) => void (err += `${terminalText(text, terminal.color)}\n`),
    progress() {},
    service: {
      url: env.OCTAVO_URL || undefined,
      key: env.OCTAVO_API_KEY || undefined,
      operatorToken: env.OCTAVO_OPERATOR_TOKEN || undefined,
    },
    serve: needsProcess,
    bundleServer: needsProcess,
    backup: needsProcess,
    restore: needsProcess,
    rotateSecret: needsProcess,
    caches: userCaches({ OCTAVO_CACHE: testCaches, ...env }),
    outboundAllow: env[allowSetting] ?? "",
    startBuildProcess(onProgress) {
      if (problems.length) throw new UsageError(problems.join("\n"));
      return localBuilder(hosts, onProgress && { onProgress });
    },
    interrupted: new Promise(() => {}),
  };
  const code = await run(args, terminal);
  return { code, out, err };
}
