/**
 * Runs git in a checkout that someone else may have made. Its configuration can name programs to run and
 * hosts to connect to: a folder can be received with its `.git`, and a repository can contain another one. So
 * git reads a configuration of our own, and only the objects, references, and index of the checkout.
 */

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Checkout {
  /** Folder of the files. */
  workTree: string;
  /** Folder with `HEAD` and the index. */
  gitFolder: string;
  /** Folder with the objects, references, and the configuration. Different only in linked worktrees. */
  commonFolder: string;
}

/** Settings that describe the files, with their possible values. The others of a checkout aren't used. */
const fileSettings: Readonly<Record<string, RegExp>> = {
  filemode: /^(?:true|false)$/,
  symlinks: /^(?:true|false)$/,
  ignorecase: /^(?:true|false)$/,
  precomposeunicode: /^(?:true|false)$/,
  autocrlf: /^(?:true|false|input)$/,
  eol: /^(?:lf|crlf|native)$/,
};

/** Options that turn off Git LFS, which the user's configuration can enable. It would download files. */
const withoutLfs = ["smudge=", "process=", "required=false"].flatMap((setting) => [
  "-c",
  `filter.lfs.${setting}`,
]);

/** Finds the checkout that a folder is in. Undefined if there is none. A bare repository isn't a checkout. */
export function findCheckout(folder: string): Checkout | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const named = path.join(at, ".git");
    const found = statSync(named, { throwIfNoEntry: false });
    if (found?.isDirectory()) return checkoutOf(at, named);
    if (found?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(readFileSync(named, "utf8"))?.[1]?.trim();
      return target === undefined ? undefined : checkoutOf(at, path.resolve(at, target));
    }
    if (path.dirname(at) === at) return undefined;
  }
}

function checkoutOf(workTree: string, gitFolder: string): Checkout {
  const common = textOf(path.join(gitFolder, "commondir"))?.trim();
  return { workTree, gitFolder, commonFolder: common ? path.resolve(gitFolder, common) : gitFolder };
}

/**
 * Returns the output of a git command that only reads. Throws an Error if git isn't installed or fails, if
 * the folder isn't in a checkout, or after `timeout_ms`.
 */
export function readCheckoutWithGit(folder: string, args: readonly string[], timeout_ms?: number): string {
  const checkout = findCheckout(folder);
  if (!checkout) throw new Error(`${folder} isn't in a Git checkout`);
  const own = mkdtempSync(path.join(tmpdir(), "octavo-git-"));
  try {
    linkRepository(checkout, own);
    symlinkSync(path.join(checkout.gitFolder, "index"), path.join(own, "index"));
    return runGit(folder, own, checkout.workTree, args, timeout_ms);
  } finally {
    for (const name of readdirSync(own)) unlinkSync(path.join(own, name));
    rmdirSync(own);
  }
}

/**
 * Checks out a revision in a new folder `to`, which `gitFolder`, also new, belongs to. `directory`: the only
 * folder of the repository to check out. Default: all. Throws an Error if there is no such revision or
 * folder.
 */
export function checkOutRevision(
  folder: string,
  revision: string,
  to: string,
  gitFolder: string,
  directory = "",
): void {
  const checkout = findCheckout(folder);
  if (!checkout) throw new Error(`${folder} isn't in a Git checkout`);
  mkdirSync(gitFolder);
  mkdirSync(to);
  linkRepository(checkout, gitFolder);
  const commit = runGit(to, gitFolder, to, [
    "rev-parse",
    "--verify",
    "--end-of-options",
    `${revision}^{commit}`,
  ]);
  writeFileSync(path.join(gitFolder, "HEAD"), commit);
  runGit(to, gitFolder, to, ["read-tree", commit.trim()]);
  runGit(to, gitFolder, to, [...withoutLfs, "checkout", "--quiet", "--", `:(top,literal)${directory}`]);
  writeFileSync(path.join(to, ".git"), `gitdir: ${gitFolder}\n`);
}

/** Returns the URL of the remote `origin`. Undefined if there is none. */
export function originOf(folder: string): string | undefined {
  const checkout = findCheckout(folder);
  if (!checkout) return undefined;
  const config = path.join(checkout.commonFolder, "config");
  try {
    return execFileSync("git", ["config", "--file", config, "--no-includes", "--get", "remote.origin.url"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

/** Fills a folder so that git finds the commits of a checkout in it. */
function linkRepository({ gitFolder, commonFolder }: Checkout, own: string): void {
  const config = textOf(path.join(commonFolder, "config")) ?? "";
  writeFileSync(path.join(own, "config"), configurationFrom(config));
  copyFileSync(path.join(gitFolder, "HEAD"), path.join(own, "HEAD"));
  for (const name of ["packed-refs", "shallow"]) {
    const file = path.join(commonFolder, name);
    if (textOf(file) !== undefined) copyFileSync(file, path.join(own, name));
  }
  for (const name of ["objects", "refs"]) symlinkSync(path.join(commonFolder, name), path.join(own, name));
}

/** Returns a configuration with the settings of a checkout that can't run anything. */
function configurationFrom(config: string): string {
  const settings = [...config.matchAll(/^[ \t]*(\w+)[ \t]*=[ \t]*([\w-]+)[ \t]*$/gm)].flatMap(
    ([, name, value]) => (fileSettings[name!.toLowerCase()]?.test(value!) ? [`\t${name} = ${value}`] : []),
  );
  const isSha256 = /^[ \t]*objectformat[ \t]*=[ \t]*sha256[ \t]*$/im.test(config);
  return [
    "[core]",
    `\trepositoryformatversion = ${isSha256 ? 1 : 0}`,
    "\tbare = false",
    ...settings,
    ...(isSha256 ? ["[extensions]", "\tobjectformat = sha256"] : []),
    "",
  ].join("\n");
}

function runGit(
  folder: string,
  gitFolder: string,
  workTree: string,
  args: readonly string[],
  timeout_ms?: number,
): string {
  const places = ["-C", folder, `--git-dir=${gitFolder}`, `--work-tree=${workTree}`];
  return execFileSync("git", [...places, "--no-optional-locks", "-c", "core.hooksPath=/dev/null", ...args], {
    encoding: "utf8",
    maxBuffer: 512 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
    timeout: timeout_ms,
  });
}

function textOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : undefined;
}
