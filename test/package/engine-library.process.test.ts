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

const guides = siteOf(
  {
    "index.mdx":
      "---\ntitle: Home\ndescription: Start here.\nicon: house\n---\n\n[Use](/guides/use#run) ![](/logo.svg)\n\n## Run\n\n### Deeper\n",
    "guides/use.mdx": "---\ntitle: Use\n---\n\nText about it.\n\n## Run\n",
    "fr/accueil.mdx": "# Accueil\n",
    "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  },
  {
    navigation: {
      languages: [
        { language: "en", groups: [{ group: "Start", root: "index", pages: ["guides/use"] }] },
        { language: "fr", pages: ["fr/accueil"] },
      ],
    },
  },
);

test("pages with their file, headings, frontmatter, links, and language, and the navigation", () => {
  const output = run(
    "pages.mjs",
    `import { buildSite } from "octavo/engine";
const { pages, navigation } = await buildSite(${JSON.stringify(guides)});
console.log(JSON.stringify([pages, navigation]));`,
  );
  const [pages, navigation] = JSON.parse(output);
  expect(pages[0]).toEqual({
    route: "",
    title: "Home",
    path: "index.html",
    file: "index.mdx",
    description: "Start here.",
    language: "en",
    frontmatter: { title: "Home", description: "Start here.", icon: "house" },
    headings: [
      { id: "run", text: "Run", level: 2 },
      { id: "deeper", text: "Deeper", level: 3 },
    ],
    links: [
      { href: "/guides/use#run", route: "guides/use", line: 7 },
      { href: "/logo.svg", line: 7 },
    ],
  });
  expect(
    pages.map(({ language, file, description }: Record<string, string>) => [language, file, description]),
  ).toEqual([
    ["en", "index.mdx", "Start here."],
    ["fr", "fr/accueil.mdx", undefined],
    ["en", "guides/use.mdx", "Text about it."],
  ]);
  const page = (title: string, route: string) => ({ kind: "page", title, route, children: [] });
  expect(navigation).toEqual([
    {
      kind: "language",
      title: "en",
      children: [{ kind: "group", title: "Start", route: "", children: [page("Use", "guides/use")] }],
    },
    { kind: "language", title: "fr", children: [page("Accueil", "fr/accueil")] },
  ]);
});

test("the parts of a page, which its document contains, with clean links", () => {
  const output = run(
    "parts.mjs",
    `import { buildSite } from "octavo/engine";
const site = await buildSite(${JSON.stringify(guides)}, { links: "clean", url: "https://docs.example.com" });
console.log(JSON.stringify([site.renderParts(""), site.renderPage(""), site.renderParts("missing") ?? null]));`,
  );
  const [parts, document, missing] = JSON.parse(output);
  expect(parts.head).toContain('<meta name="description" content="Start here."');
  expect(parts.description).toBe("Start here.");
  expect(parts.body).toContain('<a href="/guides/use#run"');
  expect(parts.body).not.toMatch(/<html|<nav|<header|<footer/);
  for (const part of [parts.head, parts.description, parts.body]) expect(document).toContain(part);
  expect(missing).toBeNull();
});

test("an update compiles only what changed, and says which pages are different", () => {
  const output = run(
    "update.mjs",
    `import { buildSite } from "octavo/engine";
const site = await buildSite(${JSON.stringify(guides)});
const compiled = [];
const onProgress = (done, total) => compiled.push(done + "/" + total);
const use = "---\\ntitle: Use\\n---\\n\\nOther text.\\n";
const text = await site.update({ "guides/use.mdx": use }, { onProgress });
const title = await text.site.update({ "guides/use.mdx": use.replace("Use", "Usage") });
const added = await title.site.update({ "new.mdx": "# New", "fr/accueil.mdx": null });
const nothing = await added.site.update();
const fresh = await buildSite({ ...${JSON.stringify(guides)}, "guides/use.mdx": use });
const differences = fresh.paths.filter((path) => Buffer.compare(fresh.read(path), text.site.read(path)) !== 0);
const brief = ({ added, changed, removed }) => [added, changed, removed];
console.log(JSON.stringify([text, title, added, nothing].map(brief).concat([compiled, differences, site.renderParts("guides/use").body.includes("Text about it.")])));`,
  );
  expect(JSON.parse(output)).toEqual([
    [[], ["guides/use"], []],
    [[], ["", "fr/accueil", "guides/use"], []],
    [["new"], ["", "guides/use"], ["fr/accueil"]],
    [[], [], []],
    ["2/3"],
    [],
    true,
  ]);
});

test("a signal ends a build, and progress is reported", () => {
  const pages = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}.mdx`, `# Page ${n}`]));
  const output = run(
    "abort.mjs",
    `import { buildSite } from "octavo/engine";
const controller = new AbortController();
const seen = [];
const onProgress = (done, total) => { seen.push(done); if (done === 40) controller.abort(new Error("Enough")); };
const reason = await buildSite(${JSON.stringify(siteOf(pages))}, { signal: controller.signal, onProgress }).catch(({ message }) => message);
const late = await buildSite({ "docs.json": "{}" }, { signal: AbortSignal.abort() }).catch(({ name }) => name);
console.log(JSON.stringify([reason, seen.length, late]));`,
  );
  expect(JSON.parse(output)).toEqual(["Enough", 41, "AbortError"]);
});
