/** Runs the Git client with a repository of the service. */

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestOrganization, TestService } from "./service.ts";

export interface GitResult {
  code: number;
  /** Both outputs, with the lines of the service after `remote: `. */
  output: string;
}

/** Runs git without blocking, with a fixed identity. */
export function runGit(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<GitResult>((resolve) => {
    execFile(
      "git",
      args,
      {
        cwd: folder,
        maxBuffer: 50_000_000,
        env: {
          PATH: process.env.PATH,
          HOME: path.dirname(folder),
          LC_ALL: "C",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_TERMINAL_PROMPT: "0",
          GIT_AUTHOR_NAME: "Ann",
          GIT_AUTHOR_EMAIL: "ann@example.com",
          GIT_COMMITTER_NAME: "Ann",
          GIT_COMMITTER_EMAIL: "ann@example.com",
          ...env,
        },
      },
      (error, stdout, stderr) =>
        resolve({
          code: error ? (typeof error.code === "number" ? error.code : 1) : 0,
          output: stdout + stderr,
        }),
    );
  });
}

/** Returns the URL of a project's repository, with a key. */
export function repositoryUrl(
  { port }: Pick<TestService, "port">,
  { subdomain }: Pick<TestOrganization, "subdomain">,
  key: string,
): string {
  return `http://git:${key}@localhost:${port}/git/${subdomain}.git`;
}

/** Folder of all working copies, which is removed when the process ends. */
const root = mkdtempSync(path.join(tmpdir(), "octavo-git-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));

/** A folder with a Git repository whose remote is a project of the service. */
export class WorkingCopy {
  readonly folder = path.join(mkdtempSync(path.join(root, "copy-")), "docs");

  private constructor() {
    mkdirSync(this.folder);
  }

  static async create(url: string): Promise<WorkingCopy> {
    const copy = new WorkingCopy();
    await copy.git("init", "--quiet", "--initial-branch=main");
    await copy.git("remote", "add", "origin", url);
    return copy;
  }

  static async clone(url: string): Promise<WorkingCopy> {
    const copy = new WorkingCopy();
    const { code, output } = await copy.git("clone", "--quiet", url, ".");
    if (code !== 0) throw new Error(output);
    return copy;
  }

  git(...args: string[]): Promise<GitResult> {
    return runGit(this.folder, args);
  }

  /** Writes files and commits them. Returns the commit's hash. */
  async commit(files: Record<string, string | Uint8Array>, message = "Change"): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.folder, name)), { recursive: true });
      writeFileSync(path.join(this.folder, name), content);
    }
    await this.git("add", "-A");
    const { code, output } = await this.git("commit", "--quiet", "--allow-empty", "-m", message);
    if (code !== 0) throw new Error(output);
    return this.head();
  }

  async head(): Promise<string> {
    return (await this.git("rev-parse", "HEAD")).output.trim();
  }

  push(...args: string[]): Promise<GitResult> {
    return this.git("push", ...(args.length ? args : ["origin", "HEAD"]));
  }
}
