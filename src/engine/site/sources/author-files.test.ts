/** Files in the documentation folder that aren't part of the documentation. */

import { describe, expect, test } from "vitest";
import { briefly, buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";

describe("files about the repository", () => {
  test.each([
    "tools/README.md",
    "images/Contributing.md",
    "a/b/contribute.mdx",
    "LICENSE.mdx",
    "docs/CODE_OF_CONDUCT.md",
    "AGENTS.md",
    "sdk/CLAUDE.md",
  ])("%s is only a page if the navigation lists it", async (file) => {
    const route = file.replace(/\.mdx?$/, "");
    const files = { "index.mdx": "Text.", [file]: "Text." };
    const site = await buildSiteFrom(siteOf(files, { navigation: { pages: ["index"] } }));
    expect(site.paths.filter((path) => path.startsWith(route))).toEqual([]);
    expect(site.problems).toEqual([]);
    const listed = await buildSiteFrom(siteOf(files, { navigation: { pages: ["index", route] } }));
    expect(listed.paths).toContain(`${route}.html`);
  });

  test.each([
    "agents.mdx",
    "agents.md",
    "Claude.md",
    "tools/claude.mdx",
    "AGENTS.mdx",
    "api/CLAUDE.mdx",
    "code_of_conduct.mdx",
  ])(
    "%s is a page, because only names in capitals that end in .md are those of instructions",
    async (file) => {
      const folder = file.replace(/\.mdx?$/, "");
      const files = { "index.mdx": "Text.", [file]: "Text of the page.", [`${folder}/setup.mdx`]: "Text." };
      const site = await buildSiteFrom(
        siteOf(files, { navigation: { pages: ["index", `${folder}/setup`] } }),
      );
      expect(site.read(`${folder}.html`)).toContain("Text of the page.");
      expect(site.problems).toEqual([]);
    },
  );

  test("a file for agents is served unchanged", async () => {
    const skill = "---\nname: garden\n---\n\n# Garden {braces}\n";
    const site = await buildSiteFrom(
      siteOf({ "index.mdx": "[Skill](/skill.md)", "skill.md": skill }, { navigation: { pages: ["index"] } }),
    );
    expect(site.problems).toEqual([]);
    expect(site.read("skill.md")).toBe(skill);
    expect(site.paths).not.toContain("skill.html");
  });
});

describe("scripts", () => {
  const universal =
    '(function (g, f) { typeof module === "object" ? (module.exports = f(require("a"))) : (g.a = f()); })(this, () => 1);';
  test.each([
    ["a classic script", "document.title = 'import and export';", true],
    ["a script with a dynamic import", "import('/a.mjs');", true],
    ["a script for browsers and Node.js", universal, true],
    ["a module that imports", 'import { a } from "a";\na();', false],
    ["a minified module", "const a=1;export{a as b};", false],
    ["a CommonJS script", "const fs = require('fs');", false],
    ["a CommonJS module", "module.exports = {};", false],
    [
      "a script that mentions names of Node.js in texts",
      "/* require('a') */ document.title = \"module.exports = require('b')\";",
      true,
    ],
    ["a script with a template", "document.title = `${1} require('a')`;", true],
    ["a program for Node.js", "process.exit(document ? 1 : 0);", false],
    ["a script with the path of its folder", "console.log(__dirname);", false],
    ["a script with top-level await", "await fetch('/a');", false],
    ["a script with a syntax error", "function ( {", false],
    ["a command-line program", "#!/usr/bin/env node\nconsole.log(1);", false],
  ])("%s is loaded by pages: %s", async (_, script, isLoaded) => {
    const site = await buildSiteFrom(siteOf({ "index.mdx": "Text.", "tools/a.js": script }));
    expect(site.read("index.html").includes('src="tools/a.js"')).toBe(isLoaded);
    expect(briefly(site.problems)).toEqual(isLoaded ? [] : ["script-not-loaded tools/a.js"]);
    expect(site.read("tools/a.js")).toBe(script);
  });

  test.each([
    ['<iframe src="/none.html" />', "Page not found: /none.html"],
    ['<video src="/none.mp4" />', "Video not found: /none.mp4"],
    ['<audio src="/none.mp3" />', "Audio file not found: /none.mp3"],
    ["![None](/none.png)", "Image not found: /none.png"],
    ["[None](/none.pdf?x=1)", "File not found: /none.pdf?x=1"],
    ["[None](/v1.2)", "Page not found: /v1.2"],
  ])("the message for the missing file of %s says what it is", async (mdx, message) => {
    const { problems } = await buildSiteFrom(siteOf({ "index.mdx": mdx }));
    expect(problems.map((found) => found.message)).toEqual([message]);
  });

  test("that a page refers to and that don't exist are reported as scripts", async () => {
    const page = '<script src="/tools/none.js"></script>\n\n<link rel="stylesheet" href="/none.css" />\n';
    const { problems } = await buildSiteFrom(siteOf({ "index.mdx": page }));
    expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      "1 Script not found: /tools/none.js",
      "3 Style sheet not found: /none.css",
    ]);
  });
});

test("the output of an earlier build inside the folder is ignored", async () => {
  const sources = siteOf({ "index.mdx": "Text.", "guides/start.mdx": "Start." });
  const first = await buildSiteFrom(sources);
  const output = Object.fromEntries(first.paths.map((path) => [`my [site]/${path}`, first.read(path)]));
  const second = await buildSiteFrom({ ...sources, ...output });
  expect(second.paths).toEqual(first.paths);
  expect(second.read("index.html")).toBe(first.read("index.html"));
});
