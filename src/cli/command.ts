/** Defines the type of a CLI command, parses arguments, and generates help texts. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearest } from "../base/nearest.ts";
import type { Terminal } from "./terminal.ts";

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
