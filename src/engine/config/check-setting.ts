/** Validates settings against a schema. */

import type { TSchema } from "@sinclair/typebox";
import { nearest } from "../../base/nearest.ts";
import type { ProblemCode } from "../../base/problem-codes.ts";
import type { JsonPath } from "../json-positions.ts";
import { docsJsonSchema } from "./docs-json-schema.ts";

/** Reports a problem with a setting. `what`: whether the setting's key or its value is marked. */
export type ReportSetting = (
  code: ProblemCode,
  path: JsonPath,
  what: "value" | "key",
  message: string,
  hint?: string,
) => unknown;

type Node = Record<string, unknown> & {
  type?: string;
  enum?: string[];
  anyOf?: Node[];
  properties?: Record<string, Node>;
  patternProperties?: Record<string, Node>;
  required?: string[];
  items?: Node;
  expected?: string;
  /** Set if the setting is accepted but has no effect: what to do instead. */
  ineffective?: string;
};

/**
 * Validates a value and reports problems. Returns its valid parts, with defaults for missing settings.
 * Returns the schema's default for a value that can't be used, or undefined if there is no default.
 */
export function checkSetting(
  schema: TSchema,
  value: unknown,
  path: JsonPath,
  report: ReportSetting,
): unknown {
  return check(schema as unknown as Node, value, path, report);
}

function check(schema: Node, value: unknown, path: JsonPath, report: ReportSetting): unknown {
  if (schema.ineffective) {
    report("no-effect", path, "key", `${name(path)} has no effect`, schema.ineffective);
    return undefined;
  }

  if (schema.anyOf) return checkUnion(schema, value, path, report);

  switch (schema.type) {
    case "object":
      return checkObject(schema, value, path, report);
    case "array":
      return checkArray(schema, value, path, report);
    case undefined:
      return value;
    default: {
      if (fits(schema, value)) return value;
      report(
        "config-value",
        path,
        "value",
        `${name(path)} must be ${expected(schema)}`,
        suggestion(schema, value),
      );
      return schema.default;
    }
  }
}

function checkUnion(schema: Node, value: unknown, path: JsonPath, report: ReportSetting): unknown {
  const shaped = schema.anyOf!.filter((branch) => sameShape(branch, value));
  const branch = shaped.find(
    (candidate) => candidate.type === "object" || candidate.type === "array" || fits(candidate, value),
  );
  if (branch) return check(branch, value, path, report);
  report(
    "config-value",
    path,
    "value",
    `${name(path)} must be ${expected(schema)}`,
    schema.anyOf!.map((b) => suggestion(b, value)).find(Boolean),
  );
  return schema.default;
}

function checkObject(schema: Node, value: unknown, path: JsonPath, report: ReportSetting): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    report("config-value", path, "value", `${name(path)} must be ${expected(schema)}`);
    return undefined;
  }

  if (schema.loose) return value;
  const record = Object.values(schema.patternProperties ?? {})[0];
  const known = schema.properties ?? {};
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const child = Object.hasOwn(known, key) ? known[key]! : record;
    if (child && !(record && schema.keys && !(schema.keys as string[]).includes(key))) {
      const checked = check(child, item, [...path, key], report);
      if (checked !== undefined) out[key] = checked;
      continue;
    }
    const names = record ? (schema.keys as string[]) : Object.keys(known);
    const hint = keyHint(key, names);
    const place = path.length ? ` in ${name(path)}` : "";
    if (schema.strict)
      report("config-value", [...path, key], "key", `${JSON.stringify(key)} isn't a setting${place}`, hint);
    else
      report(
        "config-unknown-key",
        [...path, key],
        "key",
        `${JSON.stringify(key)} isn't a setting${place} and has no effect`,
        hint,
      );
  }

  const missing = (schema.required ?? []).filter((key) => out[key] === undefined);
  for (const key of missing) {
    if (key in value) continue;
    report(
      "config-required",
      path,
      "value",
      `${name([...path, key])} is required`,
      `Add ${JSON.stringify(key)}: ${expected(known[key]!)}.`,
    );
  }

  // An object without a valid value for a required key is dropped. For the root object, `readDocsJson` adds
  // defaults instead.
  if (missing.length > 0 && path.length > 0) return undefined;
  for (const [key, child] of Object.entries(known)) {
    if (out[key] === undefined && child.default !== undefined) out[key] = child.default;
  }
  return out;
}

/** Number of keys that a hint lists if the level has too many keys to list all of them. */
const listed_keys = 12;

/**
 * Suggests a similar key at the same level, or else a similar setting elsewhere. If there is neither, lists
 * the keys of the level.
 */
function keyHint(key: string, names: readonly string[]): string {
  const near = nearest(key, names);
  if (near) return `Did you mean ${JSON.stringify(near)}?`;
  const elsewhere = nearest(key, settingPaths().keys());
  if (elsewhere) return `Did you mean ${name(settingPaths().get(elsewhere)!)}?`;
  const listed = names.filter((known) => known !== "$schema");
  const rest = listed.length - listed_keys;
  return rest > 1
    ? `Allowed: ${listed.slice(0, listed_keys).join(", ")} and ${rest} others. The settings reference lists all of them.`
    : `Allowed: ${listed.join(", ")}.`;
}

let paths: Map<string, string[]> | undefined;

/**
 * Returns the path of each docs.json setting that isn't in a list, by the setting's key. If several settings
 * have the same key, the shortest path is used.
 */
function settingPaths(): ReadonlyMap<string, string[]> {
  if (paths) return paths;
  paths = new Map();
  const queue: [string[], Node][] = [[[], docsJsonSchema as unknown as Node]];
  for (const [path, schema] of queue)
    for (const { properties = {} } of [schema, ...(schema.anyOf ?? [])])
      for (const [key, child] of Object.entries(properties)) {
        if (!paths.has(key)) paths.set(key, [...path, key]);
        queue.push([[...path, key], child]);
      }
  return paths;
}

function checkArray(schema: Node, value: unknown, path: JsonPath, report: ReportSetting): unknown {
  if (!Array.isArray(value)) {
    report(
      "config-value",
      path,
      "value",
      `${name(path)} must be ${expected(schema)}`,
      schema.items && sameShape(schema.items, value) ? "Put the value in square brackets." : undefined,
    );
    return undefined;
  }

  const least = (schema.minItems as number | undefined) ?? 0;
  const most = (schema.maxItems as number | undefined) ?? Number.POSITIVE_INFINITY;

  if (value.length < least)
    report(
      "config-value",
      path,
      "value",
      `${name(path)} needs at least ${least === 1 ? "one entry" : `${least} entries`}`,
    );

  if (value.length > most)
    report(
      "config-value",
      path,
      "value",
      `${name(path)} can have at most ${most} entries, but has ${value.length}`,
    );

  const seen = new Set<string>();
  const out: unknown[] = [];
  for (const [index, item] of value.entries()) {
    if (index >= most) break;
    const mark = JSON.stringify(item);
    if (schema.unique && seen.has(mark)) {
      report(
        "config-duplicate",
        [...path, index],
        "value",
        `${name(path)} contains ${mark.slice(0, 60)} twice`,
      );
      continue;
    }
    seen.add(mark);
    const checked = check(schema.items ?? {}, item, [...path, index], report);
    if (checked !== undefined) out.push(checked);
  }

  return out;
}

/** Whether a value has the JSON type of a schema. A schema without a type allows any value. */
function sameShape(schema: Node, value: unknown): boolean {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return (
    schema.type === undefined || schema.type === type || (schema.type === "integer" && type === "number")
  );
}

function fits(schema: Node, value: unknown): boolean {
  if (!sameShape(schema, value)) return false;
  if (schema.enum) return schema.enum.includes(value as string);
  if (typeof value === "string") {
    if (schema.pattern && !new RegExp(schema.pattern as string).test(value)) return false;
    return value.length >= ((schema.minLength as number | undefined) ?? 0);
  }
  if (typeof value === "number") {
    return (
      value >= ((schema.minimum as number | undefined) ?? Number.NEGATIVE_INFINITY) &&
      value <= ((schema.maximum as number | undefined) ?? Number.POSITIVE_INFINITY)
    );
  }
  return true;
}

function expected(schema: Node): string {
  if (schema.expected) return schema.expected;
  if (schema.enum)
    return schema.enum.length === 1 ? JSON.stringify(schema.enum[0]) : `one of ${schema.enum.join(", ")}`;
  const words: Record<string, string> = {
    string: "a string in quotes",
    boolean: "true or false",
    number: "a number",
    object: "an object",
    array: "a list in square brackets",
  };
  return words[schema.type ?? ""] ?? "a value";
}

function suggestion(schema: Node, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (schema.enum) {
    const near = nearest(value, schema.enum);
    return near && `Did you mean ${JSON.stringify(near)}?`;
  }
  if (schema.type === "boolean" && /^(true|false)$/i.test(value))
    return `Write ${value.toLowerCase()} without quotes.`;
  if (schema.pattern?.toString().startsWith("^#") && /^[0-9a-f]{3}([0-9a-f]{3})?$/i.test(value))
    return `Write "#${value}".`;
  return undefined;
}

/** Returns the path of a setting for error messages: `navbar.links[0].href`, or `docs.json` for the root. */
function name(path: JsonPath): string {
  if (path.length === 0) return "docs.json";
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join("");
}
