/**
 * After an edit, a build over earlier output gives the same files as a new build, and keeps the files that
 * the edit doesn't change.
 */

import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  filesBelow,
  readFiles,
  type Sources,
  siteOf,
  temporaryFolder,
  writeFiles,
} from "../../test/engine/build.ts";
import { testRunner } from "../../test/engine/test-runner.ts";
import type { ExportTarget } from "../engine/plan/export-target.ts";
import type { BuildJob, BuildMessage } from "./build-protocol.ts";

const folder = temporaryFolder();
const at = (...names: string[]) => path.join(folder, ...names);

const api = (summary: string, operationId = "listPots") =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
      "/plants": {
        get: {
          summary,
          description: "See [pots](#operation/listPots).",
          responses: { 200: { description: "All plants" } },
        },
      },
      "/pots": {
        get: { summary: "List pots", operationId, responses: { 200: { description: "All pots" } } },
      },
    },
  });

/**
 * 40 guides and other pages in two languages and two tabs, an API reference, a snippet, a changelog and
 * restricted pages.
 */
function sources(): Sources {
  const pages = Object.fromEntries(
    Array.from({ length: 40 }, (_, number) => [
      `guides/page-${number}.mdx`,
      `---\ntitle: Page ${number}\n---\n\n## Section ${number}\n\nText about plant number ${number}. [Next](/guides/page-${(number + 1) % 40})\n`,
    ]),
  );
  const files = siteOf(
    {
      ...pages,
      "index.mdx": "---\ntitle: Home\nicon: house\n---\n\nWelcome.\n",
      "fr/index.mdx": "---\ntitle: Accueil\n---\n\nBonjour.\n",
      "shared.mdx": 'import Note from "/snippets/note.mdx";\n\n<Note />\n\n[A guide](/guides/page-3)\n',
      "snippets/note.mdx": "A note.\n",
      "changes.mdx": '---\ntitle: Changes\nrss: true\n---\n\n<Update label="June">Text.</Update>\n',
      "inside.mdx": '---\ntitle: Inside\ngroups: ["staff"]\n---\n\nFor the staff.\n',
      "api.json": api("List plants"),
      "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
    { contextual: { options: ["copy", "download-spec"] } },
  );
  const docs = JSON.parse(String(files["docs.json"])) as Record<string, unknown>;
  const guides = Array.from({ length: 40 }, (_, number) => `guides/page-${number}`);
  docs.navigation = {
    languages: [
      {
        language: "en",
        tabs: [
          {
            tab: "Guides",
            groups: [
              { group: "Start", pages: ["index", "shared", "changes", "inside"] },
              { group: "Guides", pages: guides },
            ],
          },
          { tab: "API", openapi: "api.json" },
        ],
      },
      { language: "fr", pages: ["fr/index"] },
    ],
  };
  return { ...files, "docs.json": JSON.stringify(docs) };
}

type Docs = Record<string, unknown> & {
  navigation: { languages: { tabs: { groups: { group: string; pages: string[] }[] }[] }[] };
};

function editDocs(files: Sources, edit: (docs: Docs) => void): Sources {
  const docs = JSON.parse(String(files["docs.json"])) as Docs;
  edit(docs);
  return { ...files, "docs.json": JSON.stringify(docs) };
}

const diagram = (source: string) => `---\ntitle: Drawn\n---\n\n\`\`\`mermaid\n${source}\n\`\`\`\n`;

const edits: [what: string, edit: (files: Sources) => Sources][] = [
  [
    "a paragraph",
    (files) => ({ ...files, "guides/page-7.mdx": `${files["guides/page-7.mdx"]}\nA new sentence.\n` }),
  ],
  [
    "a heading",
    (files) => ({
      ...files,
      "guides/page-7.mdx": String(files["guides/page-7.mdx"]).replace("Section 7", "Other heading"),
    }),
  ],
  [
    "a title",
    (files) => ({
      ...files,
      "guides/page-8.mdx": String(files["guides/page-8.mdx"]).replace("Page 8", "Renamed page"),
    }),
  ],
  ["a snippet", (files) => ({ ...files, "snippets/note.mdx": "Another note.\n" })],
  [
    "a changelog entry",
    (files) => ({
      ...files,
      "changes.mdx": `${files["changes.mdx"]}\n<Update label="July">More.</Update>\n`,
    }),
  ],
  [
    "a new page in the navigation",
    (files) =>
      editDocs({ ...files, "guides/added.mdx": "---\ntitle: Added\n---\n\nNew text.\n" }, (docs) =>
        docs.navigation.languages[0]!.tabs[0]!.groups[1]!.pages.splice(5, 0, "guides/added"),
      ),
  ],
  [
    "a removed page",
    (files) => {
      const { "guides/page-20.mdx": _, ...rest } = files;
      return editDocs(rest, (docs) => {
        const { pages } = docs.navigation.languages[0]!.tabs[0]!.groups[1]!;
        pages.splice(pages.indexOf("guides/page-20"), 1);
      });
    },
  ],
  [
    "the name of a group",
    (files) =>
      editDocs(files, (docs) => (docs.navigation.languages[0]!.tabs[0]!.groups[1]!.group = "All guides")),
  ],
  ["an operation", (files) => ({ ...files, "api.json": api("List all plants") })],
  [
    "the ID of an operation that another page links to",
    (files) => ({ ...files, "api.json": api("List all plants", "getPots") }),
  ],
  [
    "a redirect for many pages",
    (files) => editDocs(files, (docs) => (docs.redirects = [{ source: "/v1/*", destination: "/guides/*" }])),
  ],
  [
    "a redirect",
    (files) =>
      editDocs(files, (docs) => (docs.redirects = [{ source: "/old", destination: "/guides/page-3" }])),
  ],
  ["a style sheet", (files) => ({ ...files, "own.css": "p { color: teal }" })],
  ["an icon", (files) => ({ ...files, "index.mdx": "---\ntitle: Home\nicon: rocket\n---\n\nWelcome.\n" })],
  ["the first diagram", (files) => ({ ...files, "guides/page-10.mdx": diagram("flowchart LR\n  A --> B") })],
  [
    "a diagram of another type",
    (files) => ({ ...files, "guides/page-11.mdx": diagram("sequenceDiagram\n  A->>B: Hi") }),
  ],
  [
    "a diagram with another layout",
    (files) => ({ ...files, "guides/page-10.mdx": diagram("flowchart-elk LR\n  A --> B") }),
  ],
  [
    "a diagram of the first type only",
    (files) => ({ ...files, "guides/page-11.mdx": "---\ntitle: Page 11\n---\n\nText.\n" }),
  ],
  ["the color of the site", (files) => editDocs(files, (docs) => (docs.colors = { primary: "#aa0000" }))],
  [
    "the readers of a page",
    (files) => ({ ...files, "guides/page-9.mdx": '---\ntitle: Page 9\ngroups: ["staff"]\n---\n\nText.\n' }),
  ],
];

const build = (source: string, out: string, target: ExportTarget, cacheFolder?: string) =>
  buildOutput(source, { kind: "folder", path: out, target }, cacheFolder);

/** Resolves with the number of pages that the build compiled. */
async function buildOutput(
  folder: string,
  output: BuildJob["output"],
  cacheFolder?: string,
): Promise<number> {
  const messages: BuildMessage[] = [];
  const runner = testRunner({ send: (message) => messages.push(message) });
  const job = {
    folder,
    crashed: [],
    output,
    ...(cacheFolder ? { cacheFolder } : {}),
  };
  await runner.answer({ id: 1, do: "build", job });
  expect(messages.at(-1)).toMatchObject({ event: "built" });
  return messages.filter(({ event }) => event === "page").length;
}

const targets: [name: string, target: ExportTarget][] = [
  ["a static site", { kind: "client-hosted", links: "html" }],
  [
    "a hosted site with sign-in",
    { kind: "cloud", links: "clean", origin: "https://docs.example.com", readers: "signed-in" },
  ],
];

test("an archive has the scripts of a diagram that was added after the last one", async () => {
  const [docs, cache] = [at("archive", "docs"), at("archive", "cache")];
  const target = { kind: "client-hosted", links: "html" } as const;
  const archive = async (name: string, cacheFolder?: string) => {
    const file = at("archive", name);
    await buildOutput(docs, { kind: "archive", path: file, target }, cacheFolder);
    return readFileSync(file);
  };
  writeFiles(docs, siteOf({ "index.mdx": "Text.", "other.mdx": "Text." }));
  const before = await archive("site.tar.gz", cache);
  writeFiles(docs, { "other.mdx": diagram('pie\n  "A" : 1') });
  const after = await archive("site.tar.gz", cache);
  expect(after.length).toBeGreaterThan(before.length + 200_000);
  expect(after.equals(await archive("fresh.tar.gz"))).toBe(true);
});

describe.each(targets)("edits of %s", (name, target) => {
  const docs = at(name, "docs");
  const out = at(name, "out");
  const cache = at(name, "cache", "pages");
  let files = sources();

  test("the first build", async () => {
    writeFiles(docs, files);
    await build(docs, out, target, cache);
    expect(Object.keys(readFiles(out)).length).toBeGreaterThan(90);
  });

  test.each(edits)("%s", async (what, edit) => {
    files = edit(files);
    rmSync(docs, { recursive: true });
    writeFiles(docs, files);
    await build(docs, out, target, cache);
    const fresh = at(name, "fresh", what);
    await build(docs, fresh, target);
    expect(readFiles(out)).toEqual(readFiles(fresh));
  });

  test("a file that was changed by hand is written again, and one that was deleted, too", async () => {
    writeFiles(out, { "guides/page-1.html": "mine" });
    rmSync(path.join(out, "guides/page-2.html"));
    await build(docs, out, target, cache);
    const fresh = at(name, "fresh", "by hand");
    await build(docs, fresh, target);
    expect(readFiles(out)).toEqual(readFiles(fresh));
  });

  test("an edit of a page's text doesn't write other pages", async () => {
    const before = statSync(path.join(out, "guides/page-1.html")).mtimeMs;
    files = { ...files, "guides/page-3.mdx": "---\ntitle: Page 3\n---\n\nNew text.\n" };
    writeFiles(docs, files);
    await build(docs, out, target, cache);
    expect(statSync(path.join(out, "guides/page-1.html")).mtimeMs).toBe(before);
  });
});

describe("an edit", () => {
  const docs = at("edits", "docs");
  const out = at("edits", "out");
  const cache = at("edits", "cache", "pages");
  const [, target] = targets[0]!;
  const compiledPages = (change: Sources = {}) => {
    writeFiles(docs, change);
    return build(docs, out, target, cache);
  };
  const long = new Date(1_000_000_000_000);

  test("compiles only the pages that depend on the edited file", async () => {
    const pages = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}.mdx`, `Page ${i}.`]));
    expect(
      await compiledPages(
        siteOf({
          ...pages,
          "with.mdx": 'import S from "/snippets/s.mdx";\n\n<S />',
          "snippets/s.mdx": "Part.",
        }),
      ),
    ).toBe(21);
    expect(await compiledPages(), "nothing").toBe(0);
    expect(await compiledPages({ "p3.mdx": "Changed." }), "a page").toBe(1);
    expect(readFileSync(path.join(out, "p3.html"), "utf8")).toMatch("Changed.");
    expect(await compiledPages({ "snippets/s.mdx": "Changed part." }), "a snippet").toBe(1);
    expect(readFileSync(path.join(out, "with.html"), "utf8")).toMatch("Changed part.");
    expect(await compiledPages({ "image.png": "x" }), "a file that no page uses").toBe(0);
  });

  test("of a title shows on every page, and only its own page is compiled", async () => {
    expect(await compiledPages({ "p4.mdx": "---\ntitle: Renamed\n---\n\nText." })).toBe(1);
    expect(readFileSync(path.join(out, "p9.html"), "utf8")).toMatch(">Renamed<");
  });

  test("that is undone compiles nothing", async () => {
    expect(await compiledPages({ "p5.mdx": "Another text." })).toBe(1);
    expect(await compiledPages({ "p5.mdx": "Page 5." })).toBe(0);
    expect(readFileSync(path.join(out, "p5.html"), "utf8")).toMatch("Page 5.");
  });

  test("writes only the files that it changes", async () => {
    for (const file of filesBelow(out)) utimesSync(path.join(out, file), long, long);
    await compiledPages({ "p3.mdx": "Changed again." });
    const written = filesBelow(out).filter(
      (file) => statSync(path.join(out, file)).mtimeMs !== long.getTime(),
    );
    expect(written.filter((file) => file.endsWith(".html"))).toEqual(["p3.html"]);
  });

  test.each<[string, (pack: string) => void]>([
    ["a changed byte", (pack) => writeFileSync(pack, readFileSync(pack).fill(1, 100, 120))],
    ["a missing end", (pack) => writeFileSync(pack, readFileSync(pack).subarray(0, -200))],
    ["other content", (pack) => writeFileSync(pack, "nonsense")],
  ])("with %s in the cache gives the right pages", async (_, damage) => {
    writeFiles(docs, { "p7.mdx": "A text before the damage." });
    await build(docs, out, target, cache);
    for (const name of readdirSync(cache)) if (name.endsWith(".pack")) damage(path.join(cache, name));
    rmSync(out, { recursive: true });
    writeFiles(docs, { "p8.mdx": "A text after the damage." });
    await build(docs, out, target, cache);
    const fresh = at("edits", "fresh");
    await build(docs, fresh, target);
    expect(readFiles(out)).toEqual(readFiles(fresh));
  });
});
