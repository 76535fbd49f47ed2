/**
 * On a site with restricted content, a file is public only if something public is known to refer to it, or if
 * docs.json names it.
 */

import { describe, expect, test } from "vitest";
import {
  buildSiteFrom,
  type Sources,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../../test/engine/build.ts";
import { runCli } from "../../../test/engine/run-cli.ts";

const folder = temporaryFolder();
const staff = "---\ngroups: [staff]\n---\n\nText.";
const navigation = { pages: ["index", "guides/open", "inner/staff"] };

/**
 * Ways in which a page in a folder can refer to the file `inner/img/a.png`. Octavo doesn't know some of them.
 */
const references: [name: string, front: string, body: string][] = [
  ["an image", "", "![](/inner/img/a.png)"],
  ["a relative image", "", "![](./img/a.png)"],
  ["a relative og:image", '"og:image": img/a.png', ""],
  ["a relative twitter:image", '"twitter:image": ./img/a.png', ""],
  ["unknown frontmatter", "hero:\n  picture: img/a.png", ""],
  ["unknown frontmatter with more text", "hero: url(img/a.png) center", ""],
  ["<object data>", "", '<object data="/inner/img/a.png" />'],
  ["data-src", "", '<div data-src="/inner/img/a.png" />'],
  ["image-set()", "", "<div style={{ backgroundImage: \"image-set('/inner/img/a.png' 1x)\" }} />"],
  ["a diagram", "", '```mermaid\nflowchart LR\n  a --> b\n  click a "/inner/img/a.png"\n```'],
  ["code", "", "`/inner/img/a.png`"],
  ["nothing", "", "Text."],
];

describe.each(references)("a file that only a restricted page refers to, by %s,", (_, front, body) => {
  const files: Sources = {
    "index.mdx": "Text.",
    "guides/open.mdx": "Text.",
    "inner/staff.mdx": `---\ngroups: [staff]\n${front}\n---\n\n${body}\n`,
    "inner/img/a.png": "quokka",
  };

  test.each([
    ["public exports", { links: "html" as const }],
    ["exports for partners", { links: "html" as const, audience: { groups: ["partners"], hasSignIn: true } }],
  ])("isn't in %s", async (_kind, target) => {
    const site = await buildSiteFrom(siteOf(files, { navigation }), target);
    expect(site.paths).toContain("index.html");
    expect(site.paths.filter((path) => site.read(path).includes("quokka"))).toEqual([]);
  });

  test("isn't in exports if only a part of a public page refers to it", async () => {
    const hidden = {
      ...files,
      "inner/staff.mdx": `Text.\n\n<Visibility for="signed-in">\n\n${body}\n\n</Visibility>\n`,
    };
    const site = await buildSiteFrom(siteOf(hidden, { navigation }));
    expect(site.paths).toContain("inner/staff.html");
    expect(site.paths.filter((path) => site.read(path).includes("quokka"))).toEqual([]);
  });
});

/** Ways in which a file is public. */
const open: [name: string, file: string, files: Sources, settings?: Record<string, unknown>][] = [
  ["a page links to it", "a.pdf", { "index.mdx": "[A](/a.pdf)" }],
  ["a page shows it", "img/a.png", { "index.mdx": "![](/img/a.png)" }],
  ["a page shows it by a relative path", "guides/img/a.png", { "guides/open.mdx": "![](./img/a.png)" }],
  [
    "a snippet shows it",
    "img/a.png",
    { "index.mdx": 'import A from "/snippets/a.mdx";\n\n<A />', "snippets/a.mdx": "![](/img/a.png)" },
  ],
  [
    "the frontmatter names it from the page's folder",
    "guides/img/a.png",
    { "guides/open.mdx": '---\n"og:image": img/a.png\n---\n\nText.' },
  ],
  [
    "the frontmatter names it from the root",
    "img/a.png",
    { "guides/open.mdx": '---\n"og:image": img/a.png\n---\n\nText.' },
  ],
  [
    "an unknown key of the frontmatter names it",
    "img/a.png",
    { "index.mdx": "---\nhero: /img/a.png\n---\n\nText." },
  ],
  ["an attribute for scripts names it", "img/a.png", { "index.mdx": '<div data-src="/img/a.png" />' }],
  ["a style sets it", "img/a.png", { "index.mdx": '<div style={{ backgroundImage: "url(/img/a.png)" }} />' }],
  [
    "a style sets it in a set of images",
    "img/a.png",
    { "index.mdx": "<div style={{ backgroundImage: \"image-set('/img/a.png' 1x)\" }} />" },
  ],
  ["a style sheet uses it", "img/a.png", { "css/site.css": "body { background: url(../img/a.png) }" }],
  [
    "a style sheet uses it in a set of images",
    "img/a.png",
    { "css/site.css": "body { background: image-set('../img/a.png' 1x) }" },
  ],
  ["a script fetches it", "data/a.json", { "site.js": 'fetch("/data/a.json");' }],
  ["a script fetches it from the root", "data/a.json", { "js/site.js": "fetch('data/a.json');" }],
  [
    "a module of a script imports it",
    "js/b.mjs",
    { "js/site.js": 'import("./a.mjs");', "js/a.mjs": 'import "./b.mjs";' },
  ],
  [
    "a demo uses it",
    "demo/a.png",
    { "index.mdx": '<iframe src="/demo/index.html" title="Demo" />', "demo/index.html": '<img src="a.png">' },
  ],
  [
    "an image uses it",
    "img/b.png",
    { "index.mdx": "![](/img/a.svg)", "img/a.svg": '<svg><image href="b.png"/></svg>' },
  ],
  ["it's the logo", "logo.svg", {}, { logo: "/logo.svg" }],
  ["it's the favicon", "f.svg", {}, { favicon: "/f.svg" }],
  ["it's a favicon by its name", "favicon.ico", {}],
  ["it's robots.txt", "robots.txt", {}],
  ["it's in .well-known", ".well-known/security.txt", { ".octavoignore": "!.well-known/" }],
  [
    "the navigation shows it",
    "icons/a.svg",
    {},
    { navigation: { groups: [{ group: "A", icon: "/icons/a.svg", ...navigation }] } },
  ],
  [
    "the navigation links to it",
    "a.pdf",
    {},
    { navigation: { ...navigation, global: { anchors: [{ anchor: "A", href: "/a.pdf" }] } } },
  ],
  ["a redirect leads to it", "a.pdf", {}, { redirects: [{ source: "/old", destination: "/a.pdf" }] }],
  ["docs.json names it", "downloads/a.zip", {}, { publicFiles: ["/downloads/a.zip"] }],
  ["docs.json names its folder", "downloads/deep/a.zip", {}, { publicFiles: ["downloads/"] }],
  ["docs.json has a pattern", "img/a.png", {}, { publicFiles: ["*.png", "!secret.png"] }],
];

test.each(open)("a file is public if %s", async (_, file, files, settings) => {
  const sources = {
    "index.mdx": "Text.",
    "guides/open.mdx": "Text.",
    "inner/staff.mdx": staff,
    [file]: "x",
    ...files,
  };
  const site = await buildSiteFrom(siteOf(sources, { navigation, ...settings }));
  expect(site.paths).toContain(file);
  expect(site.paths).not.toContain("inner/staff.html");
});

test("an OpenAPI document with public pages can be downloaded", async () => {
  const openapi = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { responses: { 200: { description: "OK" } } } } },
  });
  const files = { "index.mdx": "Text.", "inner/staff.mdx": staff, "openapi.json": openapi };
  const site = await buildSiteFrom(
    siteOf(files, {
      navigation: {
        groups: [
          { group: "Pages", ...navigation },
          { group: "API", openapi: "openapi.json" },
        ],
      },
    }),
  );
  expect(site.paths).toContain("openapi.json");
});

test("without restricted content, all files are public", async () => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text.", "a.png": "x" }));
  expect(site.paths).toContain("a.png");
});

test("closed files are reported, and those that a restricted page refers to aren't", async () => {
  const docs = (name: string, settings = {}) =>
    writeFiles(
      `${folder}/${name}`,
      siteOf(
        {
          "index.mdx": "![](/b.png)",
          "inner/staff.mdx": "---\ngroups: [staff]\n---\n\n![](/c.png)",
          "a.png": "x",
          "b.png": "x",
          "c.png": "x",
        },
        { navigation: { pages: ["index", "inner/staff"] }, ...settings },
      ),
    );
  const closed = docs("closed");
  for (const args of [
    ["check", closed],
    ["build", closed, "--output", `${folder}/site`],
  ]) {
    const { out, err } = await runCli(args);
    expect(out + err).toMatch(
      /docs\.json warning 1 file can't be opened, .* refers to it: a\.png \(file-closed\)\n {2}→ To make a file public, refer/,
    );
  }
  expect((await runCli(["check", docs("named", { publicFiles: ["a.png"] })])).out).toContain("no problems");
});

test("pages can link to files that the export generates", async () => {
  const node = { type: "object", properties: { child: { $ref: "#/components/schemas/Node" } } };
  const api = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    paths: {
      "/a": {
        get: {
          responses: { 200: { description: "Fine", content: { "application/json": { schema: node } } } },
        },
      },
    },
    components: { schemas: { Node: node } },
  };
  const docs = writeFiles(
    `${folder}/generated`,
    siteOf(
      {
        "index.mdx": "[Pages](/llms.txt) and ![an image](/_octavo/a.svg)",
        "inner/staff.mdx": "---\ngroups: [staff]\n---\n\nText.",
        "api.json": JSON.stringify(api),
      },
      { navigation: { groups: [{ group: "API", openapi: "api.json", pages: ["index", "inner/staff"] }] } },
    ),
  );
  const { code, err } = await runCli(["build", docs, "--output", `${folder}/generated-site`]);
  expect(err).not.toContain("No such file");
  expect(code).toBe(0);
});
