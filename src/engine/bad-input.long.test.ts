/**
 * Tests that for any content of a folder, the command line exits with 0 or 1, reports the problems, writes
 * nothing outside the output folder, and builds the other pages of the folder.
 */

import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  filesBelow,
  mainOf,
  readFiles,
  runOctavo,
  type Sources,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";

vi.setConfig({ testTimeout: 320_000 });

const folder = temporaryFolder();
let count = 0;

interface Built {
  code: number | null;
  codes: string[];
  problems: { code: string; file: string; line: number | null; message: string; hint: string | null }[];
  /** Reads an output file as text. */
  read(file: string): string;
  paths: string[];
}

const sound = {
  "sound/first.mdx": "---\ntitle: First\n---\n\nA sound page.",
  "sound/second.mdx": "---\ntitle: Second\n---\n\n[First](/sound/first)",
};

/**
 * Builds a folder with two valid pages and the files of the test case, and checks the results that every case
 * must have.
 */
async function build(
  files: Sources,
  settings: Record<string, unknown> = {},
  prepare: (at: string) => void = () => {},
): Promise<Built> {
  const at = path.join(folder, `case-${++count}`);
  const docs = writeFiles(path.join(at, "docs"), siteOf({ ...sound, ...files }, settings));
  prepare(docs);
  const before = readFiles(docs);
  const out = path.join(at, "deep/er/site");
  // The timeout is far above the duration of any case on a busy machine.
  const built = await runOctavo(["build", docs, "--out", out], { atMost_ms: 150_000 });
  // Reuses the cache of the build, so this takes little time.
  const checked = await runOctavo(["check", docs, "--json"], { atMost_ms: 150_000 });
  rmSync(path.join(docs, ".octavo"), { recursive: true, force: true });
  expect(
    { signal: built.signal, err: /\n\s+at .*\(/.exec(built.err)?.[0] },
    built.err.slice(0, 2_000),
  ).toEqual({
    signal: null,
    err: undefined,
  });
  expect([0, 1], built.err.slice(0, 2_000)).toContain(built.code);
  expect(checked.code).toBe(built.code);
  expect(readFiles(docs), "the documentation folder is left as it is").toEqual(before);
  expect(
    filesBelow(at).filter((file) => !/^(?:docs|deep\/er\/site)\//.test(file)),
    "nothing outside of the output folder",
  ).toEqual([]);
  const { problems } = JSON.parse(checked.out) as Pick<Built, "problems">;
  for (const { message } of problems)
    expect(message, "a sentence, not a stack or a wall of text").toMatch(/^[^\n]{5,400}$/);
  return {
    code: built.code,
    problems,
    codes: [...new Set(problems.map((found) => found.code))],
    read: (file) => readFileSync(path.join(out, file), "utf8"),
    paths: filesBelow(out),
  };
}

/** Builds one site with a page for each case. `page` returns the page of a case. */
function buildTogether(pages: readonly string[], more: Sources = {}) {
  let built: Built;
  const route = (index: number) => `case-${index}`;
  beforeAll(async () => {
    built = await build({
      ...Object.fromEntries(pages.map((mdx, index) => [`${route(index)}.mdx`, mdx])),
      ...more,
    });
  }, 320_000);
  return {
    site: () => built,
    page: (index: number) => ({
      html: built.read(`${route(index)}.html`),
      hasMarkdown: built.paths.includes(`${route(index)}.md`),
      codes: built.problems.filter(({ file }) => file === `${route(index)}.mdx`).map(({ code }) => code),
    }),
  };
}

function expectSoundPages({ read }: Built): void {
  expect(read("sound/first.html")).toMatch("A sound page.");
  expect(read("sound/second.html")).toMatch(
    /<a href="(?:\.\.\/sound\/)?first\.html"|<a href="\.\.\/sound\/first\.html"/,
  );
}

describe("docs.json", () => {
  const rows: [string, string, string[], RegExp][] = [
    ["empty", "", ["config-syntax"], /Expected a value/],
    ["a missing comma", '{\n  "theme": "mint"\n  "name": "A"\n}', ["config-syntax"], /comma/],
    ["a trailing comma", '{ "theme": "mint", }', ["config-syntax"], /comma/],
    ["a comment", '{ // no\n "theme": "mint" }', ["config-syntax"], /quotes/],
    ["an unclosed quote", '{ "theme: "mint" }', ["config-syntax"], /./],
    ["a list", "[]", ["config-value"], /must be an object/],
    ["a number", "5", ["config-value"], /must be an object/],
    ["bytes that are no text", "\u0000\u0001\uFFFE", ["config-syntax"], /./],
    ["nested 100,000 deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, [], /./],
    [
      "objects nested 100,000 deep",
      `{"navigation":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      [],
      /./,
    ],
    [
      "an unknown key with 300 levels of lists",
      `{"theme":"mint","name":"A","colors":{"primary":"#000"},"navigation":{"pages":["sound/first"]},"x":${"[".repeat(300)}1${"]".repeat(300)}}`,
      ["config-unknown-key"],
      /^"x" isn't a setting/,
    ],
    [
      "groups nested 5,000 deep",
      `{"theme":"mint","name":"A","colors":{"primary":"#000"},"navigation":{"pages":[${'{"group":"g","pages":['.repeat(5_000)}"sound/first"${"]}".repeat(5_000)}]}}`,
      [],
      /levels of nesting|must be/,
    ],
    [
      "__proto__",
      '{"__proto__": {"theme": "mint"}, "constructor": {"a": 1}, "theme": "mint", "name": "A", "colors": {"primary": "#000"}, "navigation": {"pages": []}}',
      ["config-unknown-key"],
      /__proto__|constructor/,
    ],
  ];
  test.each(rows)("%s", async (_name, text, codes, message) => {
    const built = await build({ "docs.json": text });
    expect(built.codes).toEqual(expect.arrayContaining(codes));
    expect(built.problems[0]).toMatchObject({ file: "docs.json", message: expect.stringMatching(message) });
    expectSoundPages(built);
  });

  test("missing", async () => {
    const docs = writeFiles(path.join(folder, "without"), { "a.mdx": "Text." });
    const { code, out } = await runOctavo(["check", docs, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).problems[0]).toMatchObject({
      code: "config-missing",
      hint: "Run `octavo init` to create one.",
    });
  });

  test("an unknown key: did you mean", async () => {
    const built = await build({}, { navbarr: {}, colours: {} });
    expect(built.problems).toMatchObject([
      { code: "config-unknown-key", hint: 'Did you mean "navbar"?' },
      { code: "config-unknown-key", hint: 'Did you mean "colors"?' },
    ]);
    expectSoundPages(built);
  });

  test("wrong types everywhere", async () => {
    const built = await build(
      {},
      {
        theme: 5,
        name: [],
        colors: "red",
        logo: 1,
        navbar: [],
        footer: { links: [{ items: [{}] }] },
        banner: "x",
        redirects: {},
        fonts: 3,
        seo: [],
        contextual: [],
        api: 1,
        variables: [],
      },
    );
    expect(built.codes).toContain("config-value");
    expect(built.code).toBe(1);
    expectSoundPages(built);
  });

  test("circular $ref", async () => {
    const built = await build(
      {
        "a.json": '{"$ref": "./b.json"}',
        "b.json": '{"$ref": "./a.json"}',
        "self.json": '{"$ref": "self.json"}',
      },
      {
        navbar: { $ref: "./a.json" },
        footer: { $ref: "self.json" },
        banner: { $ref: "../../outside.json" },
        seo: { $ref: "/etc/hosts" },
      },
    );
    expect(built.problems.filter(({ code }) => code === "config-ref")).toHaveLength(4);
    expectSoundPages(built);
  });

  test("entries without a page", async () => {
    const built = await build(
      {},
      {
        navigation: {
          groups: [
            {
              group: "A",
              root: "gone",
              pages: ["sound/first", "missing", "sound/frist", { group: "B", pages: ["also/missing"] }],
            },
          ],
        },
      },
    );
    expect(built.problems.filter(({ code }) => code === "nav-page-missing")).toHaveLength(4);
    expect(built.code).toBe(0);
    expectSoundPages(built);
  });

  test("a navigation that only has entries without a page", async () => {
    const built = await build({}, { navigation: { pages: ["gone"] } });
    expect(built.codes).toEqual(["nav-page-missing"]);
    expectSoundPages(built);
  });
});

describe("pages with invalid content", () => {
  const rows: [string, string, string, RegExp][] = [
    ["an unclosed component", "Before.\n\n<Note>\n\nInside.", "mdx-syntax", /Before\.[\s\S]*Inside\./],
    [
      "a component closed by another",
      "Before.\n\n<Note>Inside.</Tip>\n\nAfter.",
      "mdx-syntax",
      /Before\.[\s\S]*Inside\.[\s\S]*After\./,
    ],
    ["an unclosed brace", "Before { there.\n\nAfter.", "mdx-syntax", /Before[\s\S]*there\.[\s\S]*After\./],
    [
      "an expression that is no JavaScript",
      "Before {a b c} there.\n\nAfter.",
      "mdx-syntax",
      /Before[\s\S]*there\.[\s\S]*After\./,
    ],
    ["an export that is no JavaScript", "export const = 5\n\nAfter.", "code-syntax", /After\./],
    [
      "an attribute that is no JavaScript",
      "Before.\n\n<Card title={a b}>x</Card>\n\nAfter.",
      "mdx-syntax",
      /Before\.[\s\S]*After\./,
    ],
    [
      "frontmatter that is no YAML",
      '---\ntitle: "Half\ndescription: [a\n---\n\nAfter.',
      "frontmatter-syntax",
      /After\./,
    ],
    ["frontmatter that never ends", "---\ntitle: Half\n\nAfter.", "", /After\./],
    [
      "aliases that multiply",
      `---\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
        .split("")
        .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[i]}`).join(",")}]`)
        .join("\n")}\n---\n\nAfter.`,
      "frontmatter-syntax",
      /After\./,
    ],
    [
      "a missing snippet",
      'import A from "/snippets/gone.mdx";\n\nBefore.\n\n<A />\n\nAfter.',
      "missing-import",
      /Before\.[\s\S]*After\./,
    ],
    [
      "a missing <Snippet>",
      'Before.\n\n<Snippet file="gone.mdx" />\n\nAfter.',
      "missing-snippet",
      /Before\.[\s\S]*After\./,
    ],
    [
      "a snippet from outside of the folder",
      'import A from "../../../etc/passwd";\n\nBefore.\n\n<A />\n\nAfter.',
      "missing-import",
      /Before\.[\s\S]*After\./,
    ],
    [
      "an unknown component",
      "Before <Unknown>inside</Unknown>.\n\nAfter.",
      "unknown-component",
      /Before\s+inside[\s\S]*After\./,
    ],
    [
      "a component that throws",
      "export const A = () => { throw new Error('no'); };\n\nBefore.\n\n<A />\n\nAfter.",
      "component-failed",
      /Before\.[\s\S]*After\./,
    ],
    [
      "a component that never ends",
      "export const A = () => { while (true); };\n\nBefore.\n\n<A />\n\nAfter.",
      "component-failed",
      /Before\.[\s\S]*After\./,
    ],
    [
      "a component that wants all memory",
      "export const A = () => { const a = []; while (true) a.push('x'.repeat(1e6) + a.length); };\n\nBefore.\n\n<A />\n\nAfter.",
      "component-failed",
      /Before\.[\s\S]*After\./,
    ],
    [
      "components that multiply",
      `${Array.from({ length: 12 }, (_, i) => `export const C${i} = () => <>${`<C${i + 1} />`.repeat(10)}</>;`).join("\n")}\nexport const C12 = () => <b>x</b>;\n\nBefore.\n\n<C0 />\n\nAfter.`,
      "too-much-work",
      /Before\.[\s\S]*After\./,
    ],
    ["an HTML comment", "Before.\n\n<!-- x\ny -->\n\nAfter.", "mdx-comment", /Before\.[\s\S]*After\./],
    [
      "script and handlers of the author's",
      'Before.\n\n<img src="x" onError="alert(1)" />\n\n<a href="javascript:alert(1)">x</a>\n\nAfter.',
      "",
      /Before\.(?![\s\S]*alert\(1\))[\s\S]*After\./,
    ],
  ];
  const { page, site } = buildTogether(rows.map(([, mdx]) => mdx));
  test.each(rows.map(([name, , code, text], index) => ({ name, code, text, index })))(
    "$name",
    ({ code, text, index }) => {
      const { html, codes } = page(index);
      if (code) expect(codes).toContain(code);
      expect(mainOf(html)).toMatch(text);
    },
  );
  test("the other pages of the site are whole", () => expectSoundPages(site()));

  test("snippets in a circle", async () => {
    const built = await build({
      "index.mdx": 'import A from "/snippets/a.mdx";\n\nBefore.\n\n<A />\n\nAfter.',
      "snippets/a.mdx": 'import B from "./b.mdx";\n\n<B />',
      "snippets/b.mdx": 'import A from "./a.mdx";\n\n<A />',
    });
    expect(built.codes).toContain("snippet-circle");
    expect(mainOf(built.read("index.html"))).toMatch(/Before\.[\s\S]*After\./);
    expectSoundPages(built);
  });

  test("snippets that multiply", async () => {
    const snippets = Object.fromEntries(
      Array.from({ length: 15 }, (_, i) => [
        `snippets/s${i}.mdx`,
        `${i < 14 ? `import N from "./s${i + 1}.mdx";\n\n${"<N />\n\n".repeat(10)}` : "Leaf."}`,
      ]),
    );
    const built = await build({
      "index.mdx": 'import A from "/snippets/s0.mdx";\n\nBefore.\n\n<A />',
      ...snippets,
    });
    expect(built.codes.some((code) => ["too-much-work", "page-too-large"].includes(code))).toBe(true);
    expectSoundPages(built);
  });
});

describe("10,000 levels", () => {
  const n = 10_000;
  const shapes: [string, string][] = [
    ["round brackets in prose", `${"(".repeat(n)}x${")".repeat(n)}`],
    ["square brackets in prose", `${"[".repeat(n)}x${"]".repeat(n)}`],
    ["links in links", `${"[".repeat(n)}x${"](/)".repeat(n)}`],
    ["round brackets in an expression", `{${"(".repeat(n)}1${")".repeat(n)}}`],
    ["square brackets in an expression", `{${"[".repeat(n)}1${"]".repeat(n)}}`],
    ["braces", `${"{".repeat(n)}x${"}".repeat(n)}`],
    ["! in an expression", `{${"!".repeat(n)}1}`],
    ["- in an expression", `{${"- ".repeat(n)}1}`],
    ["typeof in an expression", `{${"typeof ".repeat(n)}1}`],
    ["new in an expression", `{${"new ".repeat(n)}A}`],
    ["=> in an expression", `{${"a=>".repeat(n)}1}`],
    ["=> in an export", `export const a = ${"a=>".repeat(n)}1`],
    ["assignments", `{${"a=".repeat(n)}1}`],
    ["? :", `{${"a?b:".repeat(n)}c}`],
    ["? ? : :", `{${"a?".repeat(n)}b${":c".repeat(n)}}`],
    ["if else in an export", `export function f() { ${"if (a) b; else ".repeat(n)} c }`],
    ["template literals", `{${"`${".repeat(n)}1${"}`".repeat(n)}}`],
    ["an attribute", `<Card title={${"(".repeat(n)}1${")".repeat(n)}}>x</Card>`],
    ["an attribute of !", `<Card title={${"!".repeat(n)}1}>x</Card>`],
    ["JSX tags in a line", `${"<b>".repeat(n)}x${"</b>".repeat(n)}`],
    ["JSX tags as blocks", `${"<div>\n".repeat(n)}x\n${"</div>\n".repeat(n)}`],
    ["JSX tags that never close", "<div>\n".repeat(n)],
    ["JSX in an export", `export const A = () => ${"<b>".repeat(n)}x${"</b>".repeat(n)};\n\n<A />`],
    ["fragments", `${"<>".repeat(n)}x${"</>".repeat(n)}`],
    ["quotes", `${">".repeat(n)} x`],
    ["quotes with spaces", `${"> ".repeat(n)}x`],
    ["lists in a line", `${"- ".repeat(n)}x`],
    ["lists by indentation", Array.from({ length: 2_000 }, (_, i) => `${"  ".repeat(i)}- x`).join("\n")],
    ["emphasis", `${"*".repeat(n)}x${"*".repeat(n)}`],
    ["emphasis in turns", `${"*a _b ".repeat(n)}`],
    ["backticks of every length", Array.from({ length: 1_000 }, (_, i) => "`".repeat(i + 1)).join(" ")],
    ["images", `${"![".repeat(n)}x${"](a)".repeat(n)}`],
    ["angle brackets", "<".repeat(n)],
    ["frontmatter", `---\ntitle: A\nx: ${"[".repeat(n)}${"]".repeat(n)}\n---\n\nText.`],
    ["braces of a formula", `$$\n${"{".repeat(n)}x${"}".repeat(n)}\n$$`],
    ["fractions", `$$\n${"\\frac{1}{".repeat(n)}x${"}".repeat(n)}\n$$`],
    ["snippet's code", `export const a = ${'{ "a": '.repeat(n)}1${"}".repeat(n)};`],
  ];
  const { page, site } = buildTogether(shapes.map(([, mdx]) => mdx));
  test.each(shapes.map(([name], index) => ({ name, index })))("$name", ({ index }) => {
    const { html, hasMarkdown } = page(index);
    expect(html, "the page is there, with its text or with its problem").toMatch(/<main[\s\S]*<\/main>/);
    expect(hasMarkdown).toBe(true);
  });
  test("the other pages of the site are whole, and no problem is theirs", () => {
    expectSoundPages(site());
    for (const { file } of site().problems) expect(file).toMatch(/^case-\d+\.mdx$/);
  });
});

describe("pages with a large amount of content", () => {
  const words = "Lorem ipsum dolor sit amet, consectetur (adipiscing) elit. ";
  const rows: [string, string, RegExp | undefined][] = [
    ["1 MB of prose on one line", words.repeat(17_500), /Lorem ipsum/],
    ["1 MB of one word", "x".repeat(1_000_000), /xxxx/],
    ["1 MB of stars", "*".repeat(1_000_000), undefined],
    ["100 KB of underscores and letters", "_a".repeat(50_000), undefined],
    ["a formula of 200 KB", `$$\n${"x^2 + ".repeat(33_000)}y\n$$\n\nAfter.`, /After\./],
    ["a formula of 200 KB in a line", `A $${"x+".repeat(100_000)}y$ b.\n\nAfter.`, /After\./],
    ["a table of 20,000 rows", `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(20_000)}`, /<table/],
    [
      "a code block of 1 MB",
      `\`\`\`js\n${"const a = [1, 2, 3];\n".repeat(50_000)}\`\`\`\n\nAfter.`,
      /After\./,
    ],
    ["10,000 links", "[a](/sound/first) ".repeat(10_000), /sound\/first\.html/],
    ["10,000 components", "<Note>a</Note>\n\n".repeat(10_000), /o-callout/],
    ["10,000 headings of one name", "## Same\n\n".repeat(10_000), /id="same-10000"/],
    ["5 MB", words.repeat(90_000), undefined],
  ];
  const { page, site } = buildTogether(rows.map(([, mdx]) => mdx));
  test.each(rows.map(([name, , text], index) => ({ name, text, index })))("$name", ({ text, index }) => {
    const { html, codes } = page(index);
    expect(codes).not.toContain("page-crashed");
    if (text) expect(text.test(mainOf(html))).toBe(true);
  });
  test("the other pages of the site are whole", () => expectSoundPages(site()));
});

describe("files whose content doesn't match their extension", () => {
  const bytes = Uint8Array.from({ length: 65_536 }, (_, i) => (i * 7_919 + (i >> 3)) & 255);
  const rows: [string, Sources][] = [
    ["binary bytes named .mdx", { "binary.mdx": bytes }],
    ["zeros named .mdx", { "zeros.mdx": new Uint8Array(10_000) }],
    ["UTF-16 named .mdx", { "utf16.mdx": Buffer.from("\uFEFF# Title\n\nText {a}", "utf16le") }],
    ["half a character", { "half.mdx": Uint8Array.from([0x23, 0x20, 0xe2, 0x82]) }],
    [
      "binary bytes as a snippet",
      { "of-snippet.mdx": 'import A from "/snippets/a.mdx";\n\n<A />', "snippets/a.mdx": bytes },
    ],
    [
      "binary bytes as an image and an SVG",
      { "of-image.mdx": '![](/a.png)\n\n<Icon icon="/a.svg" />', "a.png": bytes, "a.svg": bytes },
    ],
    ["an empty page", { "empty.mdx": "" }],
    ["a page of nothing but frontmatter", { "bare.mdx": "---\ntitle: Bare\n---" }],
  ];
  const { site } = buildTogether([], Object.assign({}, ...rows.map(([, files]) => files)));
  test.each(rows)("%s", (_name, files) => {
    for (const file of Object.keys(files))
      if (/^[^/]+\.mdx$/.test(file))
        expect(site().read(file.replace(/mdx$/, "html"))).toMatch(/<main[\s\S]*<\/main>/);
  });
  test("no page crashed, and the other pages of the site are whole", () => {
    expect(site().codes).not.toContain("page-crashed");
    expectSoundPages(site());
  });
});

describe("links in the file system", () => {
  test("links to files outside the folder are reported and not read", async () => {
    const secret = writeFiles(path.join(folder, "secrets"), {
      "secret.mdx": "A secret text.",
      "sub/other.mdx": "A secret text.",
      "image.png": "A secret text.",
    });
    const built = await build(
      { "index.mdx": 'import S from "/snippets/secret.mdx";\n\n<S />\n\n![](/image.png)' },
      {},
      (docs) => {
        mkdirSync(path.join(docs, "snippets"));
        symlinkSync(path.join(secret, "secret.mdx"), path.join(docs, "secret.mdx"));
        symlinkSync(path.join(secret, "secret.mdx"), path.join(docs, "snippets/secret.mdx"));
        symlinkSync(path.join(secret, "sub"), path.join(docs, "sub"));
        symlinkSync(path.join(secret, "image.png"), path.join(docs, "image.png"));
        symlinkSync("..", path.join(docs, "up"));
        symlinkSync(".", path.join(docs, "round"));
        symlinkSync("nowhere", path.join(docs, "dangling.mdx"));
      },
    );
    expect(built.problems.filter(({ code }) => code === "unsafe-path").map(({ file }) => file)).toEqual([
      "dangling.mdx",
      "image.png",
      "round",
      "secret.mdx",
      "snippets/secret.mdx",
      "sub",
      "up",
    ]);
    for (const file of built.paths) expect(built.read(file).includes("A secret text."), file).toBe(false);
    expectSoundPages(built);
  });

  test("links to files inside the folder are followed", async () => {
    const built = await build({ "real.mdx": "The text." }, {}, (docs) => {
      symlinkSync("real.mdx", path.join(docs, "linked.mdx"));
      linkSync(path.join(docs, "real.mdx"), path.join(docs, "hard.mdx"));
    });
    for (const name of ["real", "linked", "hard"]) expect(built.read(`${name}.html`)).toMatch("The text.");
    expectSoundPages(built);
  });

  test("a symbolic link in the output folder is not followed to another folder", async () => {
    const at = path.join(folder, "linked-out");
    const docs = writeFiles(path.join(at, "docs"), siteOf({ "index.mdx": "Text." }));
    const elsewhere = writeFiles(path.join(at, "elsewhere"), { "kept.txt": "kept" });
    await runOctavo(["build", docs, "--out", path.join(at, "site")]);
    symlinkSync(elsewhere, path.join(at, "site/old"));
    const { code } = await runOctavo(["build", docs, "--out", path.join(at, "site")]);
    expect(code).toBe(0);
    expect(readFiles(elsewhere)).toEqual({ "kept.txt": "kept" });
    expect(existsSync(path.join(at, "site/index.html"))).toBe(true);
  });
});

describe("names", () => {
  const names = [
    "with space",
    "100%",
    "50%25",
    "c#",
    "what?",
    "ünïcode",
    "日本語",
    "🚀",
    "a&b",
    "quote'd",
    'double"quote',
    "plus+plus",
    "semi;colon",
    "a,b",
    "[bracket]",
    "{brace}",
    "<tag>",
    "dollar$1",
    "tilde~",
    "-dash",
    "CON",
    "a b/c d",
    "dots...",
    "%2e%2e",
    "__proto__",
    "constructor",
    "colon:colon",
    "@at",
  ];
  /** Output names by route, for pages whose route is not a valid file name on every file system. */
  const renamed = new Map([
    ["what?", "what-"],
    ['double"quote', "double-quote"],
    ["<tag>", "-tag-"],
    ["CON", "CON-"],
    ["colon:colon", "colon-colon"],
  ]);
  const fileOf = (name: string) => `${renamed.get(name) ?? name}.html`;
  test("each name has a page, and links to it work", async () => {
    const links = names
      .map((name) => `<a href="/${name.split("/").map(encodeURIComponent).join("/")}">go</a>`)
      .join("\n\n");
    const built = await build({
      "index.mdx": links,
      ...Object.fromEntries(names.map((name) => [`${name}.mdx`, "The text."])),
    });
    expect(built.problems).toEqual([]);
    const linked = [...mainOf(built.read("index.html")).matchAll(/<a href="([^"#]+)">go<\/a>/g)].map(
      (match) => decodeURIComponent(match[1]!.replaceAll("&amp;", "&")),
    );
    expect(linked).toEqual(names.map(fileOf));
    for (const name of names) {
      expect(built.read(fileOf(name)), name).toMatch("The text.");
      expect(built.read("sitemap.xml")).toMatch(/<\/urlset>/);
    }
    expectSoundPages(built);
  });

  test("files with such names are served, and a backslash or a line feed is refused", async () => {
    const built = await build({
      "index.mdx": "![](</with space.png>) ![](/100%25.png) ![](/%E6%97%A5.png)",
      "with space.png": "a",
      "100%.png": "b",
      "日.png": "c",
      "back\\slash.png": "d",
      "line\nfeed.png": "e",
    });
    expect(built.paths).toEqual(expect.arrayContaining(["with space.png", "100%.png", "日.png"]));
    expect(mainOf(built.read("index.html"))).toMatch(
      /src="with%20space\.png"[\s\S]*src="100%25\.png"[\s\S]*src="%E6%97%A5\.png"/,
    );
    expect(built.codes).toEqual(["unsafe-path"]);
    expectSoundPages(built);
  });

  test("a page with a line feed or a backslash in its name", async () => {
    const built = await build({ "line\nfeed.mdx": "Text.", "back\\slash.mdx": "Text." });
    expect(built.codes).toEqual(["unsafe-path"]);
    expectSoundPages(built);
  });

  test("redirects never lead out of the output folder", async () => {
    const sources = [
      "/../../out",
      "/..",
      "/a/../../../out",
      "//out",
      "/./out",
      "\\..\\out",
      "/out\u0000",
      "/%2e%2e/out",
      "/C:/out",
      `/${"long".repeat(100)}`,
    ];
    const built = await build(
      {},
      { redirects: sources.map((source) => ({ source, destination: "/sound/first" })) },
    );
    expectSoundPages(built);
  });

  test("very many folders and a very long name", async () => {
    const built = await build({
      [`${"d/".repeat(100)}page.mdx`]: "The text.",
      [`${"n".repeat(240)}.mdx`]: "The text.",
    });
    expect(built.read(`${"d/".repeat(100)}page.html`)).toMatch("The text.");
    const shortened = built.paths.find((file) => /^n{100,140}-[0-9a-f]{8}\.html$/.test(file));
    expect(built.read(shortened!)).toMatch("The text.");
    expectSoundPages(built);
  });
});
