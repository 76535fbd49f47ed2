/**
 * Renders the chart with a replacement for `helm template` (render/main.go), which implements Helm's template language. Go and
 * its libraries are from Debian; without them, `standIn` is undefined.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Ajv } from "ajv";
import { loadAll } from "js-yaml";

const root = process.cwd();
const chart = path.join(root, "chart");
const libraries = "/usr/share/gocode";

// biome-ignore lint/suspicious/noExplicitAny: manifests are untyped in tests.
export type Manifest = any;

export type Values = Record<string, unknown>;

export const standIn = build();

function build(): string | undefined {
  const needs = [path.join(libraries, "src/github.com/Masterminds/sprig"), path.join(libraries, "src/gopkg.in/yaml.v3")];
  if (spawnSync("go", ["version"]).status !== 0 || !needs.every((folder) => existsSync(folder))) {
    console.error("The chart is not rendered: Go, golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev are not installed.");
    return undefined;
  }
  const program = path.join(mkdtempSync(path.join(tmpdir(), "octavo-chart-")), "render");
  const env = { ...process.env, GO111MODULE: "off", GOPATH: libraries, GOCACHE: path.join(tmpdir(), "octavo-go-cache") };
  execFileSync("go", ["build", "-o", program, path.join(import.meta.dirname, "render/main.go")], { env });
  return program;
}

/** Renders the templates. Returns their texts by name. Throws an Error if a template fails. */
export function renderTexts(values: Values, release = "docs"): Record<string, string> {
  const { status, stdout, stderr } = spawnSync(standIn!, { input: JSON.stringify({ chart, release, values }), encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}

/** Renders the chart. Returns all Kubernetes objects. */
export function render(values: Values): Manifest[] {
  return Object.entries(renderTexts(values))
    .filter(([name]) => name.endsWith(".yaml"))
    .flatMap(([, text]) => loadAll(text) as Manifest[])
    .filter((manifest) => manifest !== null && manifest !== undefined);
}

const check = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(path.join(chart, "values.schema.json"), "utf8")) as object);

/** Schema violations of values; empty if they are valid. */
export function schemaProblems(values: Values): string[] {
  check(values);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
