/** Test helpers that run the engine in this process, or the command line as a separate process. */

import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { Access } from "../../src/base/access.ts";
import type { ReadVersions } from "../../src/base/api-versions.ts";
import { filesFrom } from "../../src/base/files.ts";
import type { Problem } from "../../src/base/problem.ts";
import { bytesOf, planExport } from "../../src/engine/export/export-site.ts";
import type { Store } from "../../src/engine/incremental/store.ts";
import type { ExportTarget } from "../../src/engine/plan/export-target.ts";
import { buildSite } from "../../src/engine/site/build-site.ts";

export const root = path.resolve(import.meta.dirname, "../..");

/** Folder of the page caches of this process's tests. */
export const testCaches = mkdtempSync(path.join(tmpdir(), "octavo-test-caches-"));
process.on("exit", () => rmSync(testCaches, { recursive: true, force: true }));

export interface BuiltSite {
  problems: Problem[];
  paths: string[];
  /** Text of an output file. Throws an Error if it doesn't exist. */
  read(file: string): string;
  /** Content of an output file. Throws an Error if it doesn't exist. */
  bytes(file: string): Uint8Array;
  /** Access to an output file. */
  access(file: string): Access;
}

export type Sources = Record<string, string | Uint8Array>;

const assetBytes = new Map<string, Buffer>();

/** The product's scripts and styles. They have several megabytes, so each is read only once. */
export const productAssets = {
  read(name: string): Buffer {
    const known = assetBytes.get(name);
    if (known) return known;
    const bytes = readFileSync(path.join(root, "dist/assets", name));
    assetBytes.set(name, bytes);
    return bytes;
  },
};

/**
 * Builds a site from a documentation folder, in this process. `fetched`: texts of OpenAPI documents by URL.
 */
export async function buildSiteFrom(
  files: Sources,
  target: Partial<ExportTarget> = {},
  store?: Store,
  fetched: Record<string, string> = {},
  readVersions?: ReadVersions,
): Promise<BuiltSite> {
  const hasSignIn = (target.readers ?? "anyone") !== "anyone";
  const { site, problems } = await buildSite(filesFrom(files), {
    generator: "test",
    clock: Date.now,
    hasSignIn,
    ...(target.origin === undefined ? {} : { origin: target.origin }),
    ...(store ? { store } : {}),
    ...(readVersions ? { readVersions } : {}),
    fetched: new Map(Object.entries(fetched).map(([url, text]) => [url, { text }])),
  });
  const plan = await planExport(
    site,
    { kind: "client-hosted", links: "html", ...target },
    { assets: productAssets },
  );
  const bytes = (file: string) => {
    const planned = plan.get(file);
    if (!planned) throw new Error(`There is no ${file} among ${[...plan.keys()].join(", ")}`);
    return bytesOf(planned);
  };
  const read = (file: string) => new TextDecoder().decode(bytes(file));
  const access = (file: string) => plan.get(file)?.access ?? "anyone";
  return { problems, paths: [...plan.keys()].sort(), read, bytes, access };
}

/** The files of a small site, with required settings and all pages in the navigation. */
export function siteOf(pages: Sources, settings: Record<string, unknown> = {}): Sources {
  const listed = Object.keys(pages)
    .filter((file) => /^(?!_?snippets\/).*\.mdx?$/.test(file))
    .map((file) => file.replace(/\.mdx?$/, ""));
  const docsJson = {
    theme: "mint",
    name: "Acme",
    colors: { primary: "#0D9373" },
    navigation: { pages: listed },
    ...settings,
  };
  return { "docs.json": JSON.stringify(docsJson, undefined, 2), ...pages };
}

/** Builds a site. Returns the HTML of a page between header and footer, and the problems of the site. */
export async function buildPage(
  mdx: string,
  beside: Sources = {},
  settings: Record<string, unknown> = {},
): Promise<{ html: string; problems: Problem[]; site: BuiltSite }> {
  const site = await buildSiteFrom(siteOf({ "index.mdx": mdx, ...beside }, settings));
  return { html: mainOf(site.read("index.html")), problems: site.problems, site };
}

/** The content of the main landmark. */
export function mainOf(html: string): string {
  return /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
}

/** Formats each problem as `code file:line`, for expectations. */
export function briefly(problems: readonly Pick<Problem, "code" | "file" | "line">[]): string[] {
  return problems.map(({ code, file, line }) => `${code} ${file}${line ? `:${line}` : ""}`);
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Path of a different Node.js executable. */
  node?: string;
  /** Timeout after which the process is killed. */
  atMost_ms?: number;
}

/** Runs `octavo` and waits until it has ended. */
export function runOctavo(
  args: readonly string[],
  { cwd = root, env, node = process.execPath, atMost_ms = 300_000 }: RunOptions = {},
): Promise<Ended> {
  const child = startOctavo(args, { cwd, env, node });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: string) => (out += chunk));
  child.stderr.on("data", (chunk: string) => (err += chunk));
  const timer = setTimeout(() => child.kill("SIGKILL"), atMost_ms);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, out, err });
    });
  });
}

/** Starts `octavo` without waiting for its end. */
export function startOctavo(
  args: readonly string[],
  { cwd = root, env = process.env, node = process.execPath }: RunOptions = {},
) {
  const child = spawn(node, [path.join(root, "bin/octavo.js"), ...args], {
    cwd,
    env: { OCTAVO_CACHE: testCaches, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}

/** Creates a folder that is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Writes files below a folder. Returns the folder. */
export function writeFiles(folder: string, files: Sources): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

/** Texts of all files below a folder, by path. */
export function readFiles(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder).map((file) => [file, readFileSync(path.join(folder, file), "utf8")]),
  );
}

/** Sorted paths of all files below a folder, without symbolic links. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}
