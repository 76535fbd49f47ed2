/** Tests that an access rule that can't be read or isn't known shows its content to no one. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  type BuiltSite,
  briefly,
  buildSiteFrom,
  root,
  type Sources,
  siteOf,
} from "../../../../test/engine/build.ts";
import { restrictions } from "../../access-words.ts";

const secret = "quokka";

/** Matches paths of files that only signed-in readers of a public page get. */
const forSignedIn = /^_octavo\/(?:versions\/|passages-|search-)/;

/** Builds a site with sign-in. Returns the paths of the public files with the secret word. */
async function outputsOf(
  files: Sources,
  settings: Record<string, unknown> = {},
): Promise<{ found: string[]; site: BuiltSite }> {
  const site = await buildSiteFrom(siteOf(files, settings), {
    readers: "signed-in",
    origin: "https://docs.example.com",
  });
  return {
    found: site.paths.filter((path) => !forSignedIn.test(path) && site.read(path).includes(secret)),
    site,
  };
}

test.each([
  ["without a closing tag", '<Visibility for="signed-in">\nquokka\n'],
  ["without a closing tag in a line", 'Text <Visibility for="signed-in">quokka'],
  ["closed in another element", '<Note>Text <Visibility for="signed-in">quokka</Note>'],
  ["with a stray closing tag inside", '<Visibility for="signed-in">\n\n</Card>\n\nquokka\n\n</Visibility>'],
  ["with an invalid expression", '<Visibility for={groups: ["staff"]}>\n\nquokka\n\n</Visibility>'],
  ["without quotes", "<Visibility for=internal>\n\nquokka\n\n</Visibility>"],
  ["with an open quote", '<Visibility for="signed-in>\n\nquokka\n\n</Visibility>'],
  [
    "that continues in the next cell",
    '| a | b |\n| - | - |\n| <Visibility for={{ groups: ["x"] }}>x | quokka</Visibility> | y |',
  ],
  ["in lowercase", '<visibility for="signed-in">quokka</visibility>'],
  ["in capitals", '<VISIBILITY for="signed-in">quokka</VISIBILITY>'],
  ["with an unknown audience", '<Visibility for="Signed-In">quokka</Visibility>'],
  ["with a rule of a different component", '<Note for="signed-in">quokka</Note>'],
  ["with a rule of an unknown component", '<Restricted groups={["staff"]}>quokka</Restricted>'],
  ["with a rule of an HTML element", '<div audience="staff">quokka</div>'],
])("content for some readers, %s", async (_, mdx) => {
  const { found, site } = await outputsOf({ "index.mdx": `---\npublic: true\n---\n\nText.\n\n${mdx}\n` });
  expect(found).toEqual([]);
  expect(site.problems.map(({ code }) => code)).toContainEqual(
    expect.stringMatching(/^(?:mdx-syntax|unknown-audience|table-cells)$/),
  );
});

test("props that only look like access rules hide nothing", async () => {
  const mdx =
    '<label for="signed-in">quokka</label>\n\n<div role="note">quokka</div>\n\n<Tabs group="os"><Tab title="A">quokka</Tab></Tabs>';
  const { site } = await outputsOf({ "index.mdx": `---\npublic: true\n---\n\n${mdx}\n` });
  expect(site.read("index.html").match(/quokka/g)!.length).toBe(3);
});

test.each([
  ["invalid YAML in braces", "---\n{title: T: b, groups: [staff]}\n---\nquokka", "frontmatter-syntax"],
  ["no line at the end", "---\ntitle: T\ngroups: staff\n\nquokka", "frontmatter-syntax"],
  ["a comment before it", "{/* Draft */}\n---\ntitle: T\ngroups: staff\n---\nquokka", "frontmatter-syntax"],
  ["TOML", '+++\ntitle = "T"\ngroups = ["staff"]\n+++\nquokka', "frontmatter-syntax"],
  ["no groups in groups", "---\ngroups:\n---\nquokka", "frontmatter-value"],
  ["visibility", "---\nvisibility: internal\n---\nquokka", "unknown-access-rule"],
  ["draft", "---\ndraft: true\n---\nquokka", "unknown-access-rule"],
  ["published", "---\npublished: false\n---\nquokka", "unknown-access-rule"],
  ["requiresAuth", "---\nrequires-auth: true\n---\nquokka", "unknown-access-rule"],
])("frontmatter with %s", async (_, page, code) => {
  const navigation = { groups: [{ group: "All", public: true, pages: ["index", "a"] }] };
  const { found, site } = await outputsOf({ "index.mdx": "Text.", "a.mdx": page }, { navigation });
  expect(found).toEqual([]);
  expect(briefly(site.problems)).toEqual([expect.stringMatching(new RegExp(`^${code} a.mdx:[1-3]$`))]);
});

test.each([
  ["draft: false"],
  ["published: 2026-05-01"],
  ["internal: Team notes"],
  ["published: true"],
  ["visibility: public"],
])("frontmatter with %s isn't restricted", async (line) => {
  const { site } = await outputsOf({ "index.mdx": `---\npublic: true\n${line}\n---\nquokka` });
  expect(site.read("index.html")).toContain(secret);
  expect(site.problems).toEqual([]);
});

test.each([
  ["group", "Getting started"],
  ["group", "[staff]"],
  ["role", "admin"],
  ["permissions", "users:read"],
  ["teams", "[core]"],
  ["users", "10"],
  ["signin", "true"],
])(
  "frontmatter with %s, which usually has another meaning, hides nothing and is reported",
  async (key, value) => {
    const { site } = await outputsOf({ "index.mdx": `---\npublic: true\n${key}: ${value}\n---\nquokka` });
    expect(site.read("index.html")).toContain(secret);
    expect(site.problems).toMatchObject([
      { code: "no-effect", message: `${key} has no effect. Did you mean groups?`, line: 3 },
    ]);
  },
);

test.each([
  [
    "a text with the name of a rule",
    "---\npublic: true\ntitle: Channels: how private: and public: differ\n---\nquokka",
  ],
  ["a text in quotes with the name of a rule", "---\npublic: true\ntitle: Keys: 'a' roles: b\n---\nquokka"],
])("invalid YAML with %s isn't restricted", async (_, page) => {
  const { site } = await outputsOf({ "index.mdx": page });
  expect(site.read("index.html")).toContain(secret);
  expect(site.problems.map(({ code }) => code)).toEqual(["frontmatter-syntax"]);
});

test("the docs list all keys that close a page", () => {
  const docs = readFileSync(path.join(root, "docs/publish/readers.mdx"), "utf8");
  const listed = /^```text Keys that hide a page\n([\s\S]*?)```/m
    .exec(docs)![1]!
    .split(/\s+/)
    .filter(Boolean);
  expect(listed.map((key) => key.toLowerCase()).sort()).toEqual(
    [...restrictions].filter((key) => key !== "groups" && key !== "public").sort(),
  );
});

test("a thematic break at the start of a page isn't frontmatter", async () => {
  const { site } = await outputsOf(
    { "index.mdx": "---\n\nNote: groups: quokka" },
    { navigation: { pages: ["index"], public: true } },
  );
  expect(site.read("index.html")).toContain(secret);
  expect(site.problems).toEqual([]);
});

test.each([
  ["names of groups", { group: "Staff", groups: ["staff"], pages: ["a"] }],
  ["an entry with a rule", { group: "Staff", pages: [{ page: "a", groups: ["staff"] }] }],
  [
    "a rule above",
    { group: "Staff", audience: "staff", pages: [{ group: "Inner", public: true, pages: ["a"] }] },
  ],
])("navigation with %s, even if a different level lists the page, too", async (_, group) => {
  const navigation = { groups: [{ group: "All", public: true, pages: ["index", "a", group] }] };
  const { found, site } = await outputsOf({ "index.mdx": "Text.", "a.mdx": "quokka" }, { navigation });
  expect(found).toEqual([]);
  expect(site.problems.length).toBeGreaterThan(0);
});

test.each([
  ["a page", {}, "---\npublic: false\n---\nquokka"],
  ["a level of the navigation", { public: false }, "quokka"],
])("without sign-in, `public: false` of %s leaves out the page", async (_, level, page) => {
  const navigation = {
    groups: [
      { group: "All", pages: ["index"] },
      { group: "Staff", ...level, pages: ["a"] },
    ],
  };
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text.", "a.mdx": page }, { navigation }));
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
});

test.each([
  ["an inline handler", '<button onClick={() => alert("quokka")}>Text</button>'],
  ["a component", "<Counter />"],
])("the script of %s that only some readers see is left out", async (_, element) => {
  const counter =
    'export const Counter = () => { const [text, setText] = useState("quokka"); return <b onClick={setText}>{text}</b> };';
  const mdx = `${counter}\n\n<Visibility for="signed-in">\n${element}\n</Visibility>\n`;
  const site = await buildSiteFrom(siteOf({ "index.mdx": mdx }));
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
});

test("the script of a component doesn't contain other code of its page", async () => {
  const mdx = `import { word as other } from "./data/a.json";

export const word = "quokka";
export const [first, { second: [third = 1] }] = [word, { second: [other] }];
export const step = 2;
export function add(n) { return n + step; }
export const Shown = () => { const [n, setN] = useState(0); return <b onClick={() => setN(add(n))}>{n}</b> };
export const Other = () => { const [n, setN] = useState(word); return <b onClick={setN}>{n}</b> };

<Shown />

<Visibility for="signed-in">{word} {third} <Other /></Visibility>
`;
  const site = await buildSiteFrom(siteOf({ "index.mdx": mdx, "data/a.json": '{ "word": "quokka" }' }));
  expect(site.problems).toEqual([]);
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
  expect(
    site.paths.some((path) => path.startsWith("_octavo/islands/") && /\bstep\b/.test(site.read(path))),
  ).toBe(true);
});

test.each([
  ["JSON", 'import { word } from "./data/a.json";'],
  ["text", 'import word from "./data/a.json?raw";'],
  ["JSON, through a snippet", 'import { word } from "/snippets/data.jsx";'],
])("a file that only some readers see imported is left out: %s", async (_, statement) => {
  const files = {
    "data/a.json": '{ "word": "quokka" }',
    "snippets/data.jsx": 'import { word as inner } from "../data/a.json";\n\nexport const word = inner;',
    "part.mdx": `${statement}\n\n<Visibility for="signed-in">{word}</Visibility>\n`,
    "page.mdx": `---\ngroups: [staff]\n---\n\n${statement}\n\n{word}\n`,
  };
  const site = await buildSiteFrom(siteOf(files));
  expect(site.problems).toEqual([]);
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
});

test("texts of docs.json are the same for all readers, so conditional parts are left out and reported", async () => {
  const text = 'Open <Visibility for="signed-in">quokka</Visibility>';
  const settings = {
    banner: { content: text },
    description: text,
    footer: { links: [{ header: text, items: [{ label: text, href: "/" }] }] },
    variables: { who: text },
  };
  const { found, site } = await outputsOf({ "index.mdx": "---\npublic: true\n---\n{{who}}" }, settings);
  expect(found).toEqual([]);
  expect(site.problems.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => "unknown-audience"));
});

const api = (operation: unknown, item: unknown = {}, info: unknown = {}) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Plants", version: "1", ...(info as object) },
    paths: {
      "/plants": {
        ...(item as object),
        get: { responses: { 200: { description: "OK" } }, ...(operation as object) },
      },
    },
  });
const conditional = 'Open <Visibility for="signed-in">quokka</Visibility>';

test.each([
  ["an operation", api({ description: conditional })],
  ["a response", api({ responses: { 200: { description: conditional } } })],
  [
    "a property",
    api({
      responses: {
        200: {
          description: "OK",
          content: {
            "application/json": { schema: { properties: { description: { description: conditional } } } },
          },
        },
      },
    }),
  ],
  ["a path", api({}, { summary: conditional })],
  ["the API", api({}, {}, { description: conditional.toLowerCase() })],
])(
  "conditional parts of the description of %s are left out and reported, with their position",
  async (_, document) => {
    const { site } = await outputsOf(
      { "index.mdx": "Text.", "api.json": document },
      { api: { openapi: "api.json" } },
    );
    const built = await buildSiteFrom(
      siteOf({ "index.mdx": "Text.", "api.json": document }, { navigation: { openapi: "api.json" } }),
    );
    for (const { paths, read } of [site, built])
      expect(paths.filter((path) => read(path).includes(secret))).toEqual([]);
    expect(built.problems).toEqual([
      expect.objectContaining({ code: "unknown-audience", file: "api.json", line: 1 }),
    ]);
  },
);

test("an operation with x-internal: false is published", async () => {
  const document = api({ summary: "quokka", "x-internal": false });
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": "Text.", "api.json": document }, { navigation: { openapi: "api.json" } }),
  );
  expect(site.read("api.json")).toContain("quokka");
});

test("conditional parts of an operation's content aren't in the document that readers download", async () => {
  const document = api({ "x-platform": { content: `All. ${conditional}` } });
  const site = await buildSiteFrom(
    siteOf({ "index.mdx": "Text.", "api.json": document }, { navigation: { openapi: "api.json" } }),
  );
  expect(site.read("api.json")).toContain("All.");
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
});

test.each([
  ["groups in the metadata of its path", {}, { "x-platform": { metadata: { groups: ["staff"] } } }, []],
  ["an unknown rule", { "x-platform": { audience: "staff" } }, {}, ["unknown-access-rule"]],
  [
    "an unknown rule in its metadata",
    { "x-mint": { metadata: { roles: ["staff"] } } },
    {},
    ["unknown-access-rule"],
  ],
  ["an unknown rule of its path", {}, { "x-platform": { public: false } }, ["unknown-access-rule"]],
  ["x-internal", { "x-internal": true }, {}, []],
  ["x-internal of its path", {}, { "x-internal": "partners" }, []],
])("an operation with %s is left out", async (_, operation, item, codes) => {
  const document = api({ summary: "quokka", ...operation }, item);
  const files = { "index.mdx": "Text.", "own.mdx": "---\nopenapi: GET /plants\n---\n", "api.json": document };
  const navigation = {
    groups: [
      { group: "Pages", pages: ["index"] },
      { group: "API", openapi: "api.json" },
    ],
  };
  const site = await buildSiteFrom(siteOf(files, { navigation }));
  expect(site.paths.filter((path) => site.read(path).includes(secret))).toEqual([]);
  expect(site.problems.map(({ code }) => code)).toEqual(codes);
});
