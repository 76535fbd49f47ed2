/** Defines the type of a CLI command, parses arguments, and generates help texts. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearest } from "../base/nearest.ts";
import type { BuildProcessOptions, SiteBuilder } from "../builder/build-process.ts";

export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** Usage line of the help text, without `octavo`. */
  usage: string;
  example: string;
  /** `alias`: another name for the option, which the help text doesn't show. */
  options: Record<
    string,
    { type: "string" | "boolean"; short?: string; alias?: string; argument?: string; description: string }
  >;
  /** Maximum number of positional arguments. */
  positionals: number;
  /** Resolves with the exit code. */
  run(args: CommandArguments, terminal: Terminal): Promise<number>;
}

export interface CommandArguments {
  positionals: string[];
  values: Record<string, string | boolean | undefined>;
}

/**
 * Interface between a command and its process: output, environment, and the parts of the product that
 * commands start.
 */
export interface Terminal {
  /** Prints results to stdout. */
  out(text: string): void;
  /** Prints everything else to stderr. */
  note(text: string): void;
  /**
   * Shows progress in a line that is updated in place. If stderr isn't a terminal or `CI` is set, prints a
   * few lines, or none if the total is small.
   */
  progress(label: string, done: number, total: number): void;
  color: boolean;
  version: string;
  /** How the user runs Octavo: `octavo`, `npx octavo`, or `node` with the path of the executable. */
  executable: string;
  /** URL and credentials of the service, from the environment. */
  service: { url: string | undefined; key: string | undefined; operatorToken: string | undefined };
  /** Runs the service until it is interrupted. */
  serve(role: "all" | "web" | "worker"): Promise<number>;
  /** Serves a bundle until it is interrupted. */
  bundleServer(options: { isRollback: boolean }): Promise<number>;
  /**
   * Creates a backup. Resolves with the number of saved rows and objects, or with an error message for the
   * operator.
   */
  backup(file: string): Promise<{ rows: number; objects: number } | string>;
  /**
   * Restores a backup. Resolves with the number of restored rows and objects, or with an error message for
   * the operator.
   */
  restore(file: string): Promise<{ rows: number; objects: number } | string>;
  /** Folder of the caches of compiled pages. Undefined if there is none. */
  caches: string | undefined;
  /**
   * Value of `OCTAVO_OUTBOUND_ALLOW`: hosts that requests may be sent to in addition to the public internet.
   */
  outboundAllow: string;
  /**
   * Rotates the secret. Resolves with the path of the new secret, which is undefined if the secret isn't
   * stored in the data folder, or with an error message for the operator.
   */
  rotateSecret(options: { isDiscarding: boolean }): Promise<{ file: string | undefined } | string>;
  /**
   * Creates a builder, which the caller must end. Throws `UsageError` if `outboundAllow` or
   * `OCTAVO_BUILD_THREADS` is invalid. `threads`: maximum number of threads, if it is set.
   */
  startBuildProcess(
    onProgress?: BuildProcessOptions["onProgress"],
    threads?: number,
    onOutline?: BuildProcessOptions["onOutline"],
  ): SiteBuilder;
  /** Resolves on SIGINT or SIGTERM. These signals end the process if the command hasn't read this promise. */
  readonly interrupted: Promise<void>;
}

/**
 * Thrown for invalid arguments or environment variables. The message is printed with the command's usage, and
 * the exit code is 2.
 */
export class UsageError extends Error {}

/**
 * Parses the arguments of a command. Throws `UsageError` for invalid options and too many positional
 * arguments.
 */
export function parseArguments(command: Command, args: string[]): CommandArguments {
  const options: ParseArgsConfig["options"] = { help: { type: "boolean", short: "h" } };
  const aliases = new Map<string, string>();
  for (const [name, { type, short, alias }] of Object.entries(command.options)) {
    options[name] = { type, ...(short ? { short } : {}) };
    if (alias === undefined) continue;
    options[alias] = { type };
    aliases.set(alias, name);
  }

  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > command.positionals)
      throw new UsageError(
        `Unexpected argument for ${command.name}: ${JSON.stringify(positionals[command.positionals])}`,
      );
    const named = Object.entries(values as CommandArguments["values"]).map(([name, value]) => [
      aliases.get(name) ?? name,
      value,
    ]);
    return { positionals, values: Object.fromEntries(named) as CommandArguments["values"] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const unknown = /Unknown option '(--?[\w-]+)'/.exec((error as Error).message)?.[1];
    const near = unknown && nearest(unknown.replace(/^-+/, ""), Object.keys(options));
    throw new UsageError(
      unknown
        ? `Unknown option for ${command.name}: ${unknown}${near ? `. Did you mean --${near}?` : ""}`
        : (error as Error).message.split("\n")[0]!,
    );
  }
}

/** Returns the help text of a command. */
export function help(command: Command): string {
  const options = Object.entries({
    ...command.options,
    verbose: { type: "boolean", description: "Show error details." } as Command["options"][string],
    help: { type: "boolean", short: "h", description: "Show help." } as Command["options"][string],
  });

  const left = options.map(
    ([name, option]) =>
      `${option.short ? `-${option.short}, ` : "    "}--${name}${option.type === "string" ? ` ${option.argument ?? "VALUE"}` : ""}`,
  );

  const width = Math.max(...left.map((text) => text.length));
  return [
    `${command.summary}`,
    "",
    `Usage: octavo ${command.usage}`,
    "",
    "Options:",
    ...options.map(([, option], i) => `  ${left[i]!.padEnd(width)}  ${option.description}`),
    "",
    "Example:",
    `  ${command.example}`,
    "",
  ].join("\n");
}
