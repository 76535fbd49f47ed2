/** Uses `octavo/engine` as in its documentation, from a folder outside the checkout. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { root, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";

const page = readFileSync("docs/integrate/engine.mdx", "utf8");
const example = /^```ts build\.mts\n([\s\S]*?)^```$/m.exec(page)![1]!;

const folder = temporaryFolder();

/** Runs an ES module in the folder. Returns its output. */
function run(name: string, code: string): string {
  writeFiles(folder, { [name]: code });
  return execFileSync(process.execPath, [name], { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

beforeAll(() => {
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(root, path.join(folder, "node_modules/octavo"));
  symlinkSync(path.join(root, "node_modules/@types"), path.join(folder, "node_modules/@types"));
  writeFiles(
    path.join(folder, "docs"),
    siteOf({ "index.mdx": "# Hello\n\nSee [nothing](/missing).\n\n## Install\n\nRun the command." }),
  );
});

describe("the example", () => {
  test("is short", () => {
    expect(example.trim().split("\n").length).toBeLessThanOrEqual(20);
  });

  test("has correct types, and so do the declarations", () => {
    const compilerOptions = {
      module: "NodeNext",
      target: "ES2023",
      lib: ["ES2023"],
      types: ["node"],
      strict: true,
      noEmit: true,
    };
    writeFiles(folder, {
      "build.mts": example,
      "tsconfig.json": JSON.stringify({ compilerOptions, files: ["build.mts"] }),
    });
    execFileSync(path.join(root, "node_modules/.bin/tsc"), ["-p", "."], { cwd: folder, stdio: "inherit" });
  });

  test("reports problems, writes the site, and finds a section", () => {
    const output = run("build.mjs", example.replaceAll("console.error", "console.log"));
    expect(output).toContain("index.mdx:3 warning: Page not found: /missing\n");
    expect(output).toContain("Hello: /#install\n");
    expect(output).toContain("Plants { operations: 0, problems: 1 }\n");
    expect(existsSync(path.join(folder, "site/sitemap.xml"))).toBe(true);
    expect(readFileSync(path.join(folder, "site/index.html"), "utf8")).toContain("Run the command.");
  });
});

describe("the examples of the library's types", () => {
  const source = readFileSync("src/main/engine.ts", "utf8");
  const types = [...source.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export interface (\w+)/g)];

  test.each(types.map(([, comment = "", name]) => [name!, comment] as const))("%s", (name, comment) => {
    const [, quoted] = /@example\n \* ```ts\n([\s\S]*?) \* ```/.exec(comment) ?? [];
    const code = quoted!.replace(/^ \* /gm, "");
    const output = run(`${name}.mjs`, `import { buildSite, readOpenApi } from "octavo/engine";\n${code}`);
    expect(output.trim()).toBe(/ \/\/ (.*)\n$/.exec(code)![1]);
  });
});

test("operations of a document, and problems of an invalid one", () => {
  const document =
    'openapi: 3.1.0\ninfo: { title: A, version: "2" }\npaths: { /a: { get: { operationId: getA, responses: {} } } }\n';
  const output = run(
    "openapi.mjs",
    `import { readOpenApi } from "octavo/engine";
const { document } = await readOpenApi(${JSON.stringify(document)});
const { problems } = await readOpenApi("openapi: [", "broken.yaml");
console.log(JSON.stringify([document.version, document.operations, problems.map(({ code, file }) => [code, file])]));`,
  );
  const operation = {
    kind: "operation",
    method: "GET",
    path: "/a",
    operationId: "getA",
    tags: [],
    deprecated: false,
  };
  expect(JSON.parse(output)).toEqual(["2", [operation], [["openapi-syntax", "broken.yaml"]]]);
});

test("files in memory, documents by URL, and a folder that doesn't exist", () => {
  const url = "https://example.com/openapi.json";
  const settings = siteOf({ "index.mdx": "# Hello" }, { api: { openapi: url } })["docs.json"];
  const output = run(
    "memory.mjs",
    `import { buildSite } from "octavo/engine";
const files = { "index.mdx": "# Hello", "docs.json": ${JSON.stringify(settings)} };
const text = JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: { "/a": { get: { responses: {} } } } });
const without = await buildSite(files);
const given = await buildSite(files, { documents: { ${JSON.stringify(url)}: text } });
const codes = (site) => site.problems.map(({ code }) => code);
const missing = await buildSite("missing").catch(({ code }) => code);
console.log(JSON.stringify([codes(without), codes(given), given.read("missing") ?? null, given.renderPage("missing") ?? null, missing]));`,
  );
  const [without, given, ...rest] = JSON.parse(output);
  expect(without).toContain("openapi-fetch");
  expect(given).not.toContain("openapi-fetch");
  expect(rest).toEqual([null, null, "ENOENT"]);
});

test("a file path that isn't relative and a URL without a scheme are refused", () => {
  const output = run(
    "refused.mjs",
    `import { buildSite } from "octavo/engine";
const refusal = (...given) => buildSite(...given).then(() => undefined, ({ name, message }) => name + ": " + message);
const paths = ["/abs.mdx", "../up.mdx", "./dot.mdx", ""];
const ofPaths = await Promise.all(paths.map((path) => refusal({ "docs.json": "{}", [path]: "Text." })));
console.log(JSON.stringify([...ofPaths, await refusal({ "docs.json": "{}" }, { url: "docs.example.com" })]));`,
  );
  const [ofUrl, ...ofPaths] = (JSON.parse(output) as string[]).reverse();
  expect(ofUrl).toBe("RangeError: docs.example.com isn't an http or https URL");
  expect(ofPaths).toHaveLength(4);
  for (const message of ofPaths) expect(message).toMatch(/^RangeError: ".*" isn't a relative path/);
});
