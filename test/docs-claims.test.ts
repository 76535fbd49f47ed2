/** Statements of our documentation that follow from code: defaults, ranges, options, API paths, settings, and props. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadCommands } from "../src/cli/run.ts";
import { components } from "../src/engine/components/components.ts";
import { featuresOf } from "../src/engine/site/features.ts";
import { readBundleConfiguration } from "../src/main/bundle-configuration.ts";
import { readConfiguration } from "../src/main/service-configuration.ts";
import { filesBelow, root } from "./engine/build.ts";

const docs = path.join(root, "docs");
const read = (file: string) => readFileSync(path.join(docs, file), "utf8");
/** Pages that people write. Those of problems, API operations and settings are generated. */
const pages = filesBelow(docs).filter(
  (file) => file.endsWith(".mdx") && !/^(?:problems\/|changelog)/.test(file),
);

/** Rows of the table whose header begins with a column. */
function rowsOf(page: string, first: string): string[][] {
  const [, table = ""] = page.split(`| ${first} |`);
  return table
    .split("\n\n")[0]!
    .split("\n")
    .slice(2)
    .map((row) => row.split(/(?<!\\) ?\| ?/).slice(1, -1));
}

describe("defaults of environment variables", () => {
  const services: {
    page: string;
    configure: (env: Record<string, string>) => unknown;
    env: Record<string, string>;
  }[] = [
    { page: "service/settings.mdx", configure: readConfiguration, env: {} },
    {
      page: "self-host/bundle-server.mdx",
      configure(env) {
        const { kind = "client-hosted", features, ...others } = readBundleConfiguration(env);
        return { ...others, features: featuresOf(kind, features) };
      },
      env: { OCTAVO_BUNDLE_URL: "/bundle.tar.gz" },
    },
  ];
  const cases = services.flatMap(({ page, configure, env }) =>
    rowsOf(read(page), "Variable").flatMap(([variables = "", defaults = "", description = ""]) => {
      const names = [...variables.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
      const values = [...defaults.matchAll(/`([^`]+)`/g)].map(([, value]) => value!);
      return names.map((name, index) => ({
        page,
        configure,
        env,
        name,
        value: values[index],
        defaults,
        description,
      }));
    }),
  );
  const result = (configure: (env: Record<string, string>) => unknown, env: Record<string, string>) =>
    JSON.stringify(configure(env));

  test.each(
    cases.filter(
      ({ value, defaults }) => value !== undefined && !/data directory|base URL|Anthropic/.test(defaults),
    ),
  )("$page: $name is $value by default", ({ configure, env, name, value, defaults }) => {
    const written = value!.replace("$PORT", "4000");
    expect(result(configure, { ...env, [name]: written })).toBe(result(configure, env));
    const other = /`(\w+)` on an? `([\w-]+)` service|Air-gapped: `(\w+)`/.exec(defaults);
    if (!other) return;
    const kind = { ...env, OCTAVO_KIND: other[2] ?? "air-gapped" };
    expect(result(configure, { ...kind, [name]: other[1] ?? other[3]! })).toBe(result(configure, kind));
  });

  test.each(cases.filter(({ description }) => /: \d+ to \d+/.test(description)))(
    "$page: the range of $name",
    ({ configure, env, name, description }) => {
      const [, least, most] = /: (\d+) to (\d+)/.exec(description)!.map(Number) as [number, number, number];
      for (const value of [least, most])
        expect(() => configure({ ...env, [name]: String(value) }), `${value}`).not.toThrow();
      for (const value of [least - 1, most + 1])
        expect(() => configure({ ...env, [name]: String(value) }), `${value}`).toThrow(name);
    },
  );
});

test("every option of a command in the pages exists", async () => {
  const commands = new Map((await loadCommands()).map((command) => [command.name, command]));
  const unknown: string[] = [];
  for (const page of pages)
    for (const [line, name, subcommand] of read(page)
      .replaceAll("\\\n", " ")
      .replace(/\$\([^)]*\)/g, "")
      .matchAll(/\boctavo ([a-z][\w-]*)(?: ([a-z]+)\b)?[^\n`|;&]*/g)) {
      const command = commands.get(name!) ?? commands.get(`${name} ${subcommand}`);
      if (!command) continue;
      const known = Object.entries(command.options).flatMap(([option, { alias, short }]) => [
        option,
        alias,
        short,
      ]);
      for (const [, option] of line.matchAll(/(?<=\s)--?([a-z][\w-]*)/g))
        if (![...known, "help", "h", "version"].includes(option!))
          unknown.push(`${page}: ${line.trim()} (${option})`);
    }
  expect(unknown).toEqual([]);
});

test("every path of the API in the pages exists, with its method", () => {
  const { paths } = JSON.parse(readFileSync(path.join(docs, "openapi/octavo.json"), "utf8")) as {
    paths: Record<string, object>;
  };
  const patterns = Object.keys(paths).map((route) => ({
    route,
    matches: new RegExp(`^${route.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  const unknown: string[] = [];
  for (const page of pages)
    for (const [written, method, route] of read(page).matchAll(
      /(?:\b(GET|POST|PUT|PATCH|DELETE) )?(?<![\w.])(?:\$\w+)?((?:\/operator)?\/v1\/[\w{}$<>/…:-]+)/g,
    )) {
      const plain = route!.replace(/[…/:]+$/, "");
      const found = patterns.filter(
        ({ matches, route: known }) => matches.test(plain) || known.startsWith(`${plain}/`),
      );
      const has = found.some(({ route: known }) => !method || method.toLowerCase() in paths[known]!);
      if (!has) unknown.push(`${page}: ${written}`);
    }
  expect(unknown).toEqual([]);
});

test("every key of docs.json in the pages exists", () => {
  const schema = JSON.parse(read("docs.schema.json")) as Record<string, unknown>;
  const top = Object.keys(schema["properties"] as object);
  const unknown: string[] = [];
  for (const page of pages)
    for (const [, key] of read(page).matchAll(/`([a-z]\w*(?:\.[a-z]\w*)+)`/g)) {
      // Names of files and hosts.
      if (/\.(?:json|ico|example)$/.test(key!)) continue;
      const steps = key!.split(".");
      if (top.includes(steps[0]!) && !hasKey(schema, schema, steps)) unknown.push(`${page}: ${key}`);
    }
  expect(unknown).toEqual([]);
});

/** Whether a schema allows a key, in one of its variants and in items of its arrays. */
function hasKey(
  schema: unknown,
  whole: Record<string, unknown>,
  steps: readonly string[],
  depth = 0,
): boolean {
  if (steps.length === 0) return true;
  if (typeof schema !== "object" || schema === null || depth > 20) return false;
  const { $ref, properties, items, additionalProperties, patternProperties, anyOf, oneOf, allOf } =
    schema as Record<string, never>;
  if (typeof $ref === "string") {
    const target = ($ref as string)
      .slice(2)
      .split("/")
      .reduce((node: unknown, step) => (node as Record<string, unknown>)[step], whole);
    return hasKey(target, whole, steps, depth + 1);
  }
  const own = (properties as Record<string, unknown> | undefined)?.[steps[0]!];
  if (own !== undefined && hasKey(own, whole, steps.slice(1), depth + 1)) return true;
  if (
    typeof additionalProperties === "object" &&
    hasKey(additionalProperties, whole, steps.slice(1), depth + 1)
  )
    return true;
  const byPattern = Object.values((patternProperties as Record<string, unknown> | undefined) ?? {});
  if (byPattern.some((value) => hasKey(value, whole, steps.slice(1), depth + 1))) return true;
  return [items, ...[anyOf, oneOf, allOf].flatMap((list) => (list as unknown[] | undefined) ?? [])].some(
    (variant) => hasKey(variant, whole, steps, depth + 1),
  );
}

describe("props of components", () => {
  const texts = filesBelow(path.join(docs, "components"))
    .map((file) => read(`components/${file}`))
    .join("\n");
  const known = new Set(
    Object.values(components).flatMap(({ props }) => (typeof props === "string" ? props.split(" ") : [])),
  );

  test("every prop is documented", () => {
    const missing = [...known].filter(
      (prop) => prop !== "" && !new RegExp(`name="(?:\\w+, )*${prop}[,"]|\`${prop}\``).test(texts),
    );
    expect(missing).toEqual([]);
  });

  test("every documented prop exists", () => {
    const named = [...texts.matchAll(/<ResponseField name="([\w, ]+)"/g)].flatMap(([, list]) =>
      list!.split(", "),
    );
    expect(named.length).toBeGreaterThan(50);
    const others = [
      // Of every component.
      ...["className", "style"],
      // Of components that are handled before the others: Mermaid, Latex, Snippet and Visibility.
      ...["chart", "placement", "formula", "display", "file", "for"],
      // Fields of the examples.
      ...["sheet", "width", "height", "leaves", "paper", "weight"],
    ];
    expect(named.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });
});
