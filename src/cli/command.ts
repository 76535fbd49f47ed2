/** What every command is made of, and how its words are read. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearest } from "../base/text.ts";
import type { BuildProcess } from "../builder/build-process.ts";

export interface Command {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  /** The words after `octavo`, as the help prints them. */
  usage: string;
  example: string;
  options: Record<string, { type: "string" | "boolean"; short?: string; argument?: string; description: string }>;
  /** How many words the command takes beside its options. */
  positionals: number;
  /** Answers with the exit code. */
  run(words: Words, terminal: Terminal): Promise<number>;
}

export interface Words {
  positionals: string[];
  values: Record<string, string | boolean | undefined>;
}

/** The world around a command. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Everything else. */
  note(text: string): void;
  /** A line that the next one replaces, where the terminal can; otherwise nothing. */
  progress(label: string, done: number, total: number): void;
  color: boolean;
  version: string;
  /** The service that the environment names, and the credentials for it. */
  service: { url: string | undefined; key: string | undefined; operatorToken: string | undefined };
  /** Runs the platform until it is interrupted. */
  serve(role: "all" | "web" | "worker"): Promise<number>;
  /** Serves a bundle until it is interrupted. */
  bundleServer(options: { isRollback: boolean }): Promise<number>;
  /** What was kept, or what the operator must mend. */
  backup(file: string): Promise<{ rows: number; objects: number } | string>;
  restore(file: string): Promise<{ rows: number; objects: number } | string>;
  /** Hosts that requests may go to besides the public internet, as the environment lists them. */
  outboundAllow: string;
  /** The file that has the new secret, if it is the service's own; or what the operator must fix. */
  rotateSecret(options: { isDiscarding: boolean }): Promise<{ file: string | undefined } | string>;
  startBuildProcess(onProgress?: (stage: "page" | "write", done: number, total: number) => void): BuildProcess;
  /** Resolves when the reader wants the command to end. */
  interrupted: Promise<void>;
}

/** Wrong usage: printed with the command's help, exit code 2. */
export class UsageError extends Error {}

export function readWords(command: Command, args: string[]): Words {
  const options: ParseArgsConfig["options"] = { help: { type: "boolean", short: "h" } };
  for (const [name, { type, short }] of Object.entries(command.options)) options[name] = { type, ...(short ? { short } : {}) };
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (positionals.length > command.positionals)
      throw new UsageError(
        `${command.name} takes ${command.positionals || "no"} argument${command.positionals === 1 ? "" : "s"}; ${JSON.stringify(positionals.at(-1))} is one too many`,
      );
    return { positionals, values: values as Words["values"] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const unknown = /Unknown option '(--?[\w-]+)'/.exec((error as Error).message)?.[1];
    const near = unknown && nearest(unknown.replace(/^-+/, ""), Object.keys(options));
    throw new UsageError(
      unknown
        ? `${command.name} has no option ${unknown}${near ? `. Did you mean --${near}?` : ""}`
        : (error as Error).message.split("\n")[0]!,
    );
  }
}

export function help(command: Command): string {
  const options = Object.entries({
    ...command.options,
    help: { type: "boolean", short: "h", description: "Shows this help." } as Command["options"][string],
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
