/** Renders the chart with Helm. `helm` is undefined if Helm hasn't been built by `npm run test:cluster`. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { load, loadAll } from "js-yaml";
import { programs } from "../cluster/programs.js";

const chart = path.join(process.cwd(), "chart");

// biome-ignore lint/suspicious/noExplicitAny: manifests are untyped in tests.
export type Manifest = any;

export type Values = Record<string, unknown>;

export const helm = existsSync(programs.helm3) ? programs.helm3 : undefined;
if (!helm)
  console.error("The chart isn't rendered: Helm isn't built. Run npm run test:cluster, which needs Go.");

const rendered = new Map<string, Manifest[]>();

/**
 * All Kubernetes objects of a release, with those of `helm test`. Throws an Error if the values or a template
 * are invalid.
 */
function template(values: Values): Manifest[] {
  const input = JSON.stringify(values);
  let found = rendered.get(input);
  if (found === undefined) {
    const { status, stdout, stderr } = spawnSync(helm!, ["template", "docs", chart, "--values", "-"], {
      input,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    found = (loadAll(stdout) as Manifest[]).filter(Boolean);
    rendered.set(input, found);
  }
  return found;
}

const isHook = ({ metadata }: Manifest) => metadata.annotations?.["helm.sh/hook"] !== undefined;

/** The Kubernetes objects of a release. Throws an Error if the values or a template are invalid. */
export const render = (values: Values): Manifest[] =>
  template(values).filter((manifest) => !isHook(manifest));

/** The pods of `helm test`. */
export const testPods = (values: Values): Manifest[] => template(values).filter(isHook);

const check = new Ajv({ strict: false }).compile(
  JSON.parse(readFileSync(path.join(chart, "values.schema.json"), "utf8")) as object,
);

export const defaults = load(readFileSync(path.join(chart, "values.yaml"), "utf8")) as Values;

const isMap = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The chart's values with these values, as in Helm: null removes a value. */
function withDefaults(known: Values, given: Values): Values {
  const result = { ...known };
  for (const [key, value] of Object.entries(given)) {
    if (value === null) delete result[key];
    else result[key] = isMap(value) && isMap(known[key]) ? withDefaults(known[key], value) : value;
  }
  return result;
}

/** Violations of the schema; empty if the values are valid. */
export function schemaProblems(values: Values): string[] {
  check(withDefaults(defaults, values));
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
