/** Pairs of OpenAPI documents from the tests of oasdiff, and what its command says about each. */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const version = "v1.38.0";
const moduleName = `github.com/oasdiff/oasdiff@${version}`;
const cache = path.join(homedir(), ".cache/octavo/oasdiff", version);

/** A change according to oasdiff. `level`: 3 is breaking, 2 may break, and 1 doesn't. */
export interface JudgedChange {
  id: string;
  level: number;
  text: string;
  /** Absent if the change isn't in an operation. */
  operation?: string;
  path?: string;
}

export interface Oasdiff {
  /** Paths of the documents before and after a change. */
  pairs: [before: string, after: string][];
  changes(before: string, after: string): JudgedChange[];
}

/**
 * Downloads the module from the Go module proxy and builds its command, once. Returns why it can't be done if
 * Go isn't installed or the proxy can't be reached.
 */
export function openOasdiff(): Oasdiff | string {
  if (spawnSync("go", ["version"]).status !== 0) return "Go isn't installed";
  const command = path.join(cache, "oasdiff");
  const source = path.join(cache, "source");
  if (!existsSync(command)) {
    const scratch = `${cache}.${process.pid}`;
    mkdirSync(scratch, { recursive: true });
    const env = { ...process.env, GOPATH: path.join(scratch, "go"), GOFLAGS: "-mod=mod -modcacherw" };
    const downloaded = spawnSync("go", ["mod", "download", "-json", moduleName], { cwd: scratch, env });
    if (downloaded.status !== 0) return `the Go module proxy can't be reached: ${downloaded.stdout}`;
    const { Dir: folder } = JSON.parse(downloaded.stdout.toString()) as { Dir: string };
    execFileSync("go", ["build", "-o", path.join(scratch, "oasdiff"), "."], { cwd: folder, env });
    renameSync(folder, path.join(scratch, "source"));
    rmSync(path.join(scratch, "go"), { recursive: true, force: true });
    renameSync(scratch, cache);
  }

  return {
    pairs: pairsIn(source),
    changes: (before, after) => {
      const args = ["changelog", before, after, "--format", "json"];
      const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
      if (status !== 0) throw new Error(`${before} ${after}: ${stderr}`);
      return (JSON.parse(stdout || "[]") ?? []) as JudgedChange[];
    },
  };
}

/** Returns the pairs that the tests open one after the other, and those with matching names. */
function pairsIn(source: string): [string, string][] {
  const pairs = new Map<string, [string, string]>();
  const add = (before: string, after: string) => {
    if (before !== after && existsSync(before) && existsSync(after))
      pairs.set(`${before}\n${after}`, [before, after]);
  };
  const folder = path.join(source, "checker");
  for (const file of readdirSync(folder).filter((name) => name.endsWith("_test.go"))) {
    const text = readFileSync(path.join(folder, file), "utf8");
    const opened = [...text.matchAll(/open\("([^"]+\.(?:ya?ml|json))"\)/g)].map(([, name]) =>
      path.join(folder, name!),
    );
    for (let index = 0; index + 1 < opened.length; index += 2) add(opened[index]!, opened[index + 1]!);
  }

  const data = path.join(source, "data/checker");
  for (const name of readdirSync(data))
    add(path.join(data, name), path.join(data, name.replace("_base", "_revision")));
  return [...pairs.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}
