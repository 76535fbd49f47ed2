/**
 * Checks the packages of the product: what the built programs load, their size, and the reasons in
 * ARCHITECTURE.md.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { type AnyNode, parse } from "acorn";
import { describe, expect, test } from "vitest";

const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
  "dependencies" | "devDependencies",
  Record<string, string>
>;

/** Packages that bundled packages load if they are installed. */
const optional = ["pg-native", "ws"];

/** Built files that run in Node. */
const programs = (readdirSync("dist", { recursive: true }) as string[]).filter((file) =>
  /^(?:chunks\/)?[^/]+\.js$/.test(file),
);

/**
 * Adds what a module loads: the names in its `import` and `export` statements, and in calls of `import()` and
 * `require()`.
 */
function addLoaded(node: AnyNode, found: Set<string>): void {
  if ("source" in node && node.source) addText(node.source, found);
  if (
    node.type === "CallExpression" &&
    node.callee.type === "Identifier" &&
    /^(?:__|octavo)?require\d*$/i.test(node.callee.name)
  )
    addText(node.arguments[0], found);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === "string") addLoaded(child, found);
}

/** Adds the text of a string. Of a template, only the part before the first value. */
function addText(node: AnyNode | undefined, found: Set<string>): void {
  if (node?.type === "Literal" && typeof node.value === "string") found.add(node.value);
  if (node?.type === "TemplateLiteral") found.add(node.quasis[0]!.value.raw);
}

/**
 * Names of the packages that a specifier can load. A template, such as `@scope/${name}`, can load all
 * dependencies of the scope.
 */
function packagesOf(specifier: string): string[] {
  if (specifier.endsWith("/")) return Object.keys(dependencies).filter((name) => name.startsWith(specifier));
  return [/^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]];
}

test("the built programs load each dependency, and no other package", () => {
  const specifiers = new Set<string>();
  for (const file of programs) {
    const text = readFileSync(path.join("dist", file), "utf8");
    // Most files load only other chunks and modules of Node, and parsing all of them would take ten seconds.
    if (!/(?:from|import|require\d*) ?\(?["'`](?!\.|node:)/.test(text)) continue;
    addLoaded(parse(text, { ecmaVersion: "latest", sourceType: "module" }), specifiers);
  }
  const packages = [...specifiers]
    .filter((specifier) => !/^[./]/.test(specifier) && !isBuiltin(specifier))
    .flatMap(packagesOf);
  expect([...new Set(packages)].filter((name) => !optional.includes(name)).toSorted()).toEqual(
    Object.keys(dependencies).toSorted(),
  );
});

test("an installation has at most 25 packages and 75 MB", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const installed = Object.keys(packages).filter(
    (folder) => folder !== "" && !packages[folder]!.dev && existsSync(folder),
  );
  expect(installed.length).toBeLessThanOrEqual(25);
  const output = execFileSync("du", ["-cskL", "--exclude=bundle-server.js", "dist", ...installed], {
    encoding: "utf8",
  });
  expect(Number(/^(\d+)\ttotal$/m.exec(output)![1]) / 1_024).toBeLessThan(75);
});

describe("ARCHITECTURE.md gives a reason", () => {
  const section = readFileSync("ARCHITECTURE.md", "utf8")
    .split("## Runtime dependencies\n")[1]!
    .split("\n## ")[0]!;
  const [installed, bundled] = section
    .split("| Bundled package |")
    .map((table) =>
      [...table.matchAll(/^\|([^|]+)\|/gm)]
        .flatMap(([, names]) => [...names!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
        .toSorted(),
    );

  test("for each dependency, and for no other", () => {
    expect(installed).toEqual(Object.keys(dependencies).toSorted());
  });

  test("for each bundled package that package.json names, and for no other", () => {
    const licensed = new Set(
      [...readFileSync("dist/licenses.txt", "utf8").matchAll(/^(\S+) \d+\.\d+\.\S+$/gm)].map(
        (match) => match[1]!,
      ),
    );
    expect(bundled).toEqual(
      Object.keys(devDependencies)
        .filter((name) => licensed.has(name) && !name.startsWith("@fontsource-variable/"))
        .toSorted(),
    );
  });
});
