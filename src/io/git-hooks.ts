/**
 * Hooks of repositories that Octavo stores. Git runs a small program that passes the pushed refs to this
 * process, prints the lines that it gets, and ends with the answer.
 */

import { accessSync, constants, existsSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { printable } from "./git-process.ts";
import { recordReader } from "./git-records.ts";
import { privateFolder } from "./private-folder.ts";

/** A ref and its hashes before and after a push, which consist of zeros if there is no such ref. */
export interface RefUpdate {
  ref: string;
  before: string;
  after: string;
}

export interface HookCall {
  /** `pre-receive` runs before the refs are changed, and `post-receive` afterward. */
  name: "pre-receive" | "post-receive";
  /**
   * Folder with the pushed objects, which are only stored if the hook accepts them. Empty if there are none,
   * and afterward.
   */
  quarantine: string;
  updates: RefUpdate[];
}

/**
 * Answers a hook: whether to accept the push, which only counts for `pre-receive`. `say` prints a line on the
 * pusher's terminal.
 */
export type AnswerHook = (call: HookCall, say: (line: string) => void) => Promise<boolean>;

/** Whether a hash stands for a ref that doesn't exist. */
export function isNoHash(hash: string): boolean {
  return /^0+$/.test(hash);
}

/** Descriptors of the hook programs: one to this process, and one from it. */
export const hookDescriptors = { out: 3, in: 4 };

/** Maximum size of what a hook program sends. */
const hookOutput_bytes = 1_000_000;
/** Maximum length of a line that is printed. */
const line_chars = 1_000;

const program = `#!/bin/sh
{
  printf '%s\\n' "\${0##*/} $GIT_QUARANTINE_PATH"
  while IFS= read -r line; do printf '%s\\n' "$line"; done
  echo
} >&${hookDescriptors.out}
while IFS= read -r line <&${hookDescriptors.in}; do
  case $line in
    accept) exit 0 ;;
    refuse) exit 1 ;;
    *) printf '%s\\n' "\${line#:}" ;;
  esac
done
exit 1
`;

/**
 * Creates the folder of the hook programs in `workFolder`, and returns its path. Throws an Error if the file
 * system doesn't run programs, because git would skip the hooks.
 */
export function hooksIn(workFolder: string): string {
  const folder = path.join(workFolder, "git-hooks");
  const names = ["pre-receive", "post-receive"];
  if (!existsSync(path.join(folder, names[1]!))) {
    privateFolder(folder);
    for (const name of names) {
      const file = path.join(folder, name);
      writeFileSync(`${file}.new`, program, { mode: 0o700 });
      renameSync(`${file}.new`, file);
    }
  }
  for (const name of names) accessSync(path.join(folder, name), constants.X_OK);
  return folder;
}

/** Answers the hook programs of a git process. Rejects if one of them sends something else. */
export async function answerHooks(from: Readable, to: Writable, answer: AnswerHook): Promise<void> {
  let lines: string[] = [];
  let last = Promise.resolve();
  // The program may have been killed.
  to.on("error", () => {});
  const send = (line: string) => void to.write(`${line}\n`);
  const say = (line: string) => send(`:${printable(line).slice(0, line_chars)}`);

  const read = recordReader({ end: "\n", most_bytes: hookOutput_bytes }, (record) => {
    const line = record.toString("utf8");
    if (line !== "") return void lines.push(line);
    const call = readCall(lines);
    lines = [];
    last = last.then(async () => send((await answer(call, say)) ? "accept" : "refuse"));
    last.catch((error: Error) => from.destroy(error));
  });

  for await (const chunk of from as AsyncIterable<Buffer>) read(chunk);
  await last;
}

function readCall([head = "", ...refs]: string[]): HookCall {
  const space = head.indexOf(" ");
  return {
    name: head.slice(0, space) === "pre-receive" ? "pre-receive" : "post-receive",
    quarantine: head.slice(space + 1),
    updates: refs.map((line) => {
      const [before = "", after = "", ...rest] = line.split(" ");
      return { ref: rest.join(" "), before, after };
    }),
  };
}
