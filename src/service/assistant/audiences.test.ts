/** Tests that restricted parts of pages reach only the readers they are for, in every output of a site. */

import { beforeAll, describe, expect, test } from "vitest";
import { briefly, buildSiteFrom, type Sources, siteOf } from "../../../test/engine/build.ts";
import { browser, useHost } from "../../../test/host/host.ts";
import { type Reader, signedInOnly } from "../../base/access.ts";
import { hashPassword } from "../../base/password.ts";
import { retrieve } from "../../engine/answer/retrieve.ts";
import { FileCache } from "../../host/file-cache.ts";
import { SiteSearches } from "../../host/site-search.ts";
import { TablesOfSites } from "../../host/site-tables.ts";
import type { McpCall } from "../site-endpoints/mcp-call.ts";
import { listResources, readResource } from "../site-endpoints/mcp-resources.ts";
import { SiteDocs } from "./site-docs.ts";

/** The readers of the matrix. `both` is in the groups staff and admin. */
const readers = {
  stranger: undefined,
  reader: { groups: [] },
  staff: { groups: ["staff"] },
  both: { groups: ["staff", "admin"] },
};
type Name = keyof typeof readers;
const names = Object.keys(readers) as Name[];

interface Rule {
  /** A unique word of the content. */
  word: string;
  /** The content, with `WORD` in the place of the word. */
  mdx: string;
  /** The readers who see the content. */
  sees: readonly Name[];
  /** Whether the Markdown of the page and search don't have the content either. */
  isPageOnly?: boolean;
}

const within = (attribute: string, content = "WORD text.") =>
  `<Visibility ${attribute}>\n\n${content}\n\n</Visibility>`;
const rules: Record<string, Rule> = {
  "no rule": { word: "Quince", mdx: "WORD text.", sees: names },
  humans: { word: "Almond", mdx: within('for="humans"'), sees: names, isPageOnly: true },
  "signed-in": { word: "Damson", mdx: within('for="signed-in"'), sees: ["reader", "staff", "both"] },
  "signed-out": { word: "Cherry", mdx: within('for="signed-out"'), sees: ["stranger"] },
  "an expression": {
    word: "Walnut",
    mdx: within('for={"signed-" + "in"}'),
    sees: ["reader", "staff", "both"],
  },
  "one group": { word: "Medlar", mdx: within('for={{ groups: ["staff"] }}'), sees: ["staff", "both"] },
  "several groups": {
    word: "Mulberry",
    mdx: within('for={{ groups: ["partner", "admin"] }}'),
    sees: ["both"],
  },
  "a rule with includes": {
    word: "Rowan",
    mdx: within('for={{ groups: [{ includes: ["admin"] }] }}'),
    sees: ["both"],
  },
  "no groups": { word: "Loquat", mdx: within("for={{ groups: [] }}"), sees: [] },
  "a rule with excludes": {
    word: "Bilberry",
    mdx: within('for={{ groups: [{ includes: ["staff"], excludes: ["x"] }] }}'),
    sees: [],
  },
  "an unknown word": { word: "Bullace", mdx: within('for="members"'), sees: [] },
  "an unknown key": { word: "Juniper", mdx: within('for={{ roles: ["staff"] }}'), sees: [] },
  "an additional key": {
    word: "Hawthorn",
    mdx: within('for={{ groups: ["staff"], plan: "pro" }}'),
    sees: [],
  },
  "a list": { word: "Tamarind", mdx: within('for={["humans"]}'), sees: [] },
  "a failed expression": { word: "Guava", mdx: within("for={nowhere.at.all}"), sees: [] },
  "no for": { word: "Lychee", mdx: within(""), sees: [] },
  "another prop": { word: "Papaya", mdx: within('for="humans" groups={["staff"]}'), sees: [] },
  "in a line": {
    word: "Pomelo",
    mdx: 'A <Visibility for="signed-in">WORD</Visibility> line.',
    sees: ["reader", "staff", "both"],
  },
  "nested rules": {
    word: "Currant",
    mdx: within('for={{ groups: ["staff"] }}', within('for={{ groups: ["partner", "admin"] }}')),
    sees: ["both"],
  },
  heading: {
    word: "Persimmon",
    mdx: within('for="signed-in"', "## WORD section"),
    sees: ["reader", "staff", "both"],
  },
  "part of a heading": {
    word: "Kumquat",
    mdx: '## Keys <Visibility for="signed-in">WORD</Visibility>',
    sees: ["reader", "staff", "both"],
  },
  "a prop": {
    word: "Sorrel",
    mdx: '<Card title={<Visibility for="signed-in">WORD</Visibility>}>Text.</Card>',
    sees: ["reader", "staff", "both"],
  },
  tab: {
    word: "Elder",
    mdx: `<Tabs>\n<Tab title="Open">Text.</Tab>\n${within('for="signed-in"', '<Tab title="WORD">WORD.</Tab>')}\n</Tabs>`,
    sees: ["reader", "staff", "both"],
  },
  "example in the right column": {
    word: "Fennel",
    mdx: within('for="signed-in"', "<RequestExample>\n```bash\nWORD\n```\n</RequestExample>"),
    sees: ["reader", "staff", "both"],
  },
  footnote: {
    word: "Sloe",
    mdx: `${within('for="signed-in"', "See[^s].")}\n\n[^s]: WORD note.`,
    sees: ["reader", "staff", "both"],
  },
  "footnote inside": {
    word: "Whin",
    mdx: `See[^w].\n\n${within('for="signed-in"', "[^w]: WORD note.")}`,
    sees: ["reader", "staff", "both"],
  },
  "changelog entry": {
    word: "Yarrow",
    mdx: within('for="signed-in"', '<Update label="WORD">WORD news.</Update>'),
    sees: ["reader", "staff", "both"],
  },
  "author component": {
    word: "Zinnia",
    mdx: "<Inner>\n\nWORD text.\n\n</Inner>",
    sees: ["reader", "staff", "both"],
  },
  "code component": { word: "Oxlip", mdx: '<Listed items={["WORD"]} />', sees: ["reader", "staff", "both"] },
};
/** Each page can have three different lists of groups, so each rule has its own page. */
const pageOf = (rule: string) => `p-${rule.toLowerCase().replaceAll(" ", "-")}`;

const sources: Sources = siteOf(
  {
    "index.mdx": "---\npublic: true\n---\n\nHome.",
    ...Object.fromEntries(
      Object.entries(rules).map(([name, { word, mdx }]) => [
        `${pageOf(name)}.mdx`,
        `---\ntitle: Page\npublic: true\nrss: true\n---\n\nimport Inner from "/snippets/inner.mdx";\nimport { Listed } from "/snippets/listed.jsx";\n\nCommon text.\n\n${mdx.replaceAll("WORD", word)}\n`,
      ]),
    ),
    "inner-staff.mdx": `---\ngroups: [staff]\n---\n\n${within('for={{ groups: ["admin"] }}', "Bergamot text.")}\n`,
    "live.mdx": '---\npublic: true\n---\n\nimport { Live } from "/snippets/live.jsx";\n\n<Live />\n',
    "picture.mdx": `---\npublic: true\n---\n\n${within('for="signed-in"', "![A](/images/inner.png)")}\n\n![B](/images/open.png)\n`,
    "images/inner.png": "inner",
    "images/open.png": "open",
    "snippets/inner.mdx": '<Visibility for="signed-in">{children}</Visibility>\n',
    "snippets/listed.jsx":
      'export const Listed = ({ items }) => <ul>{items.map((item) => <li><Visibility for="signed-in">{item}</Visibility></li>)}</ul>;',
    "snippets/live.jsx":
      'export const Live = () => { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}><Visibility for="signed-in">Cardoon</Visibility></button>; };',
  },
  { errors: { 404: { redirect: false, description: within('for="signed-in"', "Teasel.") } } },
);

const host = useHost();
const site = "docs.acme.test";
const cookies: Partial<Record<Name, string>> = {};
const files = new FileCache(host.directory);
const tables = new TablesOfSites(files);
const searches = new SiteSearches(files);
const docs = new SiteDocs({ files, tables, searches, service: {} } as unknown as ConstructorParameters<
  typeof SiteDocs
>[0]);
let passwordHash = "";
let problems: string[] = [];

const settings = (reader: Reader | undefined) => ({
  mode: "password" as const,
  passwordHash,
  groups: [...(reader?.groups ?? [])],
});
const requested = () => ({ site: host.directory.sites.get(site)!, origin: `http://${site}` });

beforeAll(async () => {
  passwordHash = await hashPassword("open sesame");
  const published = await host.directory.publish(site, sources, {
    signIn: settings(undefined),
    projectId: "p1",
  });
  problems = briefly(published.problems);
  await host.listen();
  for (const name of names.slice(1)) {
    host.directory.change(site, { signIn: settings(readers[name]) });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await host.ask(site, "/_octavo/sign-in", form, "POST", "password=open sesame");
    cookies[name] = reply.cookies.map((cookie) => cookie.split(";")[0]!).join("; ");
  }
});

async function open(name: Name, path: string, headers: Record<string, string> = browser): Promise<string> {
  host.directory.change(site, { signIn: settings(readers[name]) });
  const reply = await host.ask(site, path, {
    ...(cookies[name] ? { cookie: cookies[name] } : {}),
    ...headers,
  });
  expect([200, 204, 302, 308, 401, 404]).toContain(reply.status);
  return reply.text;
}

const mcpCall = (name: Name) =>
  ({ visit: { reader: readers[name], basePath: "" }, site: requested(), docs }) as unknown as McpCall;

/** The outputs of a hosted site: the text that a reader gets from each. */
const outputs: Record<string, (name: Name, page: string, word: string) => Promise<string>> = {
  page: (name, page) => open(name, `/${page}`),
  Markdown: (name, page) => open(name, `/${page}.md`, {}),
  "Markdown by Accept": (name, page) => open(name, `/${page}`, { accept: "text/markdown" }),
  "search (API, MCP)": async (name, _, word) =>
    JSON.stringify(
      await docs.search(requested(), readers[name], {
        text: word,
        limit: 10,
        language: undefined,
        filter: {},
      }),
      leaveOut,
    ),
  "page (MCP)": async (name, page) => (await docs.page(requested(), readers[name], page))?.content ?? "",
  "resource (MCP)": async (name, page) =>
    (await readResource(mcpCall(name), `http://${site}/${page}.md`)) ?? "",
  assistant: async (name, _, word) => {
    const indexes = await searches.of(requested().site, readers[name], undefined);
    return JSON.stringify(
      (await retrieve(indexes, word, { limit_sections: 10, limit_chars: 10_000 })).sections,
    );
  },
};
/** Search terms contain the query. */
const leaveOut = (key: string, value: unknown) => (key === "terms" ? undefined : value);
const pageOnly = (output: string) => output === "page";

describe.each(Object.entries(rules))("%s", (name, { word, sees, isPageOnly }) => {
  test.each(Object.entries(outputs))("%s", async (output, read) => {
    const shown: Name[] = [];
    for (const reader of names)
      if ((await read(reader, pageOf(name), word)).includes(word)) shown.push(reader);
    expect(shown).toEqual(isPageOnly && !pageOnly(output) ? [] : [...sees]);
  });
});

test("a restricted part of a restricted page needs both groups", async () => {
  for (const [output, read] of Object.entries(outputs))
    for (const reader of names)
      expect(
        (await read(reader, "inner-staff", "Bergamot")).includes("Bergamot"),
        `${output} ${reader}`,
      ).toBe(reader === "both");
});

describe("files that are the same for all readers contain what visitors see who aren't signed in", () => {
  test.each(["/llms.txt", "/llms-full.txt", "/sitemap.xml", "/nothing-here"])("%s", async (path) => {
    for (const reader of names) {
      const text = await open(reader, path);
      for (const { word, sees } of Object.values(rules))
        if (!sees.includes("stranger")) expect(text.includes(word), word).toBe(false);
      expect(text).not.toMatch("Teasel");
    }
  });
  test("llms-full.txt", async () =>
    expect(await open("stranger", "/llms-full.txt")).toMatch(/Quince text[\s\S]*Cherry text/));
});

test("the list of MCP resources is the same for all readers, without restricted pages and parts", async () => {
  const lists = await Promise.all(names.map((name) => listResources(mcpCall(name), 0)));
  for (const list of lists) expect(list).toEqual(lists[0]);
  const text = JSON.stringify(lists[0]);
  expect(text).toContain(`http://${site}/${pageOf("signed-in")}.md`);
  expect(text).not.toContain("inner-staff");
  for (const { word, sees } of Object.values(rules))
    if (!sees.includes("stranger")) expect(text.includes(word), word).toBe(false);
});

test("no file that a reader may open directly contains more", async () => {
  const { manifest } = requested().site;
  for (const reader of names)
    for (const path of Object.keys(manifest.files)) {
      if (!/\.(?:html|md|js|xml|txt|json)$/.test(path) || path.includes("/asking-")) continue;
      const text = await open(reader, `/${path}`, {});
      for (const { word, sees } of Object.values(rules))
        if (!sees.includes(reader) && !(word === "Cherry" && reader !== "stranger"))
          expect(text.includes(word), `${reader} ${path}`).toBe(false);
      expect(text.includes("Cardoon"), path).toBe(false);
    }
});

test("a page that depends on the reader isn't cached for others", async () => {
  for (const reader of names) {
    host.directory.change(site, { signIn: settings(readers[reader]) });
    const reply = await host.ask(
      site,
      `/${pageOf("signed-in")}`,
      cookies[reader] ? { cookie: cookies[reader], ...browser } : browser,
    );
    expect(reply.headers["cache-control"]).toBe("private, no-store");
  }
});

describe("a file that only restricted content refers to is restricted", () => {
  const references: Record<string, string> = {
    image: "![A](FILE)",
    "relative image": "![A](./images/a.png)",
    link: "[A](FILE)",
    srcset: '<img src="/images/open.png" srcset="FILE 2x" />',
    "relative srcset": '<img src="/images/open.png" srcSet="images/open.png, images/a.png 2x" />',
    source: '<picture><source srcSet="FILE" /><img src="/images/open.png" /></picture>',
    video: '<video src="FILE" />',
    poster: '<video src="https://example.com/a.mp4" poster="FILE" />',
    "style attribute": '<div style={{ backgroundImage: "url(FILE)" }} />',
    "style element": "<style>{`.a { background: url(FILE) }`}</style>",
    "SVG image": '<svg><image href="FILE" /></svg>',
    card: '<Card title="A" img="FILE" />',
    component: 'export const A = () => <img src={"FILE"} />;\n\n<A />',
    "interactive component":
      'export const A = () => { const [a] = useState("FILE"); return <img src={a} />; };\n\n<A />',
    "prop of a component":
      'export const A = ({ from }) => { const [a] = useState(from); return <b>{a.length}</b>; };\n\n<A from="FILE" />',
    "page head": "",
  };
  test.each(Object.entries(references))("%s", async (name, mdx) => {
    const front = name === "page head" ? '"og:image": FILE\n' : "";
    const page = (rule: string) =>
      `---\ntitle: A\n${rule}${front}---\n\n${mdx}\n`.replaceAll("FILE", "/images/a.png");
    const pictures = { "images/a.png": "a", "images/open.png": "b" };
    const accessOf = async (pages: Sources) =>
      (
        await host.directory.publish("files.test", siteOf({ ...pages, ...pictures }), {
          signIn: settings(undefined),
        })
      ).manifest.files["images/a.png"]?.access;
    expect(await accessOf({ "index.mdx": page("groups: [staff]\n") })).toEqual(["staff"]);
    expect(await accessOf({ "index.mdx": page("groups: [staff]\n"), "b.mdx": page("public: true\n") })).toBe(
      "anyone",
    );
    if (front) return;
    const parts = mdx.split("\n\n");
    const part = [...parts.slice(0, -1), within('for="signed-in"', parts.at(-1))]
      .join("\n\n")
      .replaceAll("FILE", "/images/a.png");
    expect(await accessOf({ "index.mdx": `---\npublic: true\n---\n\n${part}\n` })).toEqual(signedInOnly);
    const built = await buildSiteFrom(siteOf({ "index.mdx": part, ...pictures }));
    expect(built.paths).not.toContain("images/a.png");
  });
});

test("unknown audiences are reported", () => {
  const unknown = [
    "rule with excludes",
    "unknown word",
    "unknown key",
    "additional key",
    "list",
    "failed expression",
  ].map((name) => pageOf(`${/^[ue]/.test(name) ? "an" : name.startsWith("a") ? "an" : "a"} ${name}`));
  for (const page of [...unknown, pageOf("no for"), pageOf("another prop")])
    expect(
      problems.some((found) => found.startsWith(`unknown-audience ${page}.mdx:`)),
      page,
    ).toBe(true);
  expect(problems.filter((found) => found.startsWith("unknown-audience"))).toHaveLength(8);
});

describe("exports without sign-in", () => {
  test.each([
    ["cloud", "clean"],
    ["client-hosted", "html"],
    ["air-gapped", "html"],
  ] as const)("%s", async (kind, links) => {
    const built = await buildSiteFrom(sources, { kind, links });
    const texts = built.paths
      .filter((path) => /\.(?:html|md|js|xml|txt|json)$/.test(path))
      .map((path) => built.read(path));
    for (const { word, sees } of Object.values(rules))
      expect(
        texts.some((text) => text.includes(word)),
        word,
      ).toBe(sees.includes("stranger"));
    expect(built.paths).not.toContain("images/inner.png");
  });

  test("a preview for the author shows all known audiences", async () => {
    const built = await buildSiteFrom(sources, { kind: "cloud", links: "clean", readers: "author" });
    for (const [name, { word, sees }] of Object.entries(rules))
      expect(built.read(`${pageOf(name)}.html`).includes(word), name).toBe(
        sees.length > 0 || name === "no groups",
      );
  });
});

describe("an access rule that Octavo doesn't know closes the page, and is reported", () => {
  const frontmatter: [front: string, closes: boolean][] = [
    ["audience: staff", true],
    ["audience: [staff]", true],
    ["Audiences: { groups: [staff] }", true],
    ["auth: true", true],
    ["isPublic: false", true],
    ["is_public: no", true],
    ["private: true", true],
    ["Groups: [staff]", true],
    ["roles:\n  - staff", true],
    ["public: true\naudience: staff", true],
    ["groups:\n  - includes: [staff]\n    excludes: [x]", true],
    ['title: "broken\naudience:\n  - staff', true],
    // These rules restrict nothing.
    ["isPublic: true", false],
    ["auth: false", false],
    ["private: false", false],
    ["audience:", false],
  ];
  test.each(frontmatter)("frontmatter %j", async (front, closes) => {
    const pages = {
      "index.mdx": `---\n${front}\n---\n\nQuince text.`,
      "b.mdx": "---\npublic: true\n---\n\nOther.",
    };
    const { manifest, problems } = await host.directory.publish("rules.test", siteOf(pages), {
      signIn: settings(undefined),
    });
    const built = await buildSiteFrom(siteOf(pages));
    expect(manifest.files["index.md"]?.access).toEqual(closes ? undefined : "readers");
    expect(built.paths.includes("index.md")).toBe(!closes);
    expect(built.read("llms-full.txt").includes("Quince")).toBe(!closes);
    expect(problems.length > 0).toBe(closes);
  });

  const levels: [rule: object, access: unknown][] = [
    [{ audience: "staff" }, undefined],
    [{ auth: { groups: ["staff"] } }, undefined],
    [{ isPublic: false }, undefined],
    [{ roles: ["staff"], public: true }, undefined],
    [{ public: "yes" }, signedInOnly],
    [{ public: "false" }, signedInOnly],
    [{ isPublic: true }, "anyone"],
    [{}, "anyone"],
  ];
  test.each(levels)("navigation %j", async (rule, access) => {
    const navigation = {
      groups: [{ group: "Outer", public: true, pages: [{ group: "Inner", pages: ["a"], ...rule }, "b"] }],
    };
    const pages = { "a.mdx": "Quince text.", "b.mdx": "Other." };
    const { manifest, problems } = await host.directory.publish("rules.test", siteOf(pages, { navigation }), {
      signIn: settings(undefined),
    });
    expect(manifest.files["a.html"]?.access).toEqual(access);
    expect(manifest.files["b.html"]?.access).toBe("anyone");
    expect(problems.some(({ code }) => code === "unknown-access-rule")).toBe(access !== "anyone");
    const built = await buildSiteFrom(siteOf(pages, { navigation }));
    expect(built.paths.includes("a.html")).toBe(access === "anyone");
  });

  test.each(["auth", "userAuth", "audience", "isPublic", "private", "public"])(
    "docs.json %s",
    async (key) => {
      const value = /public/i.test(key) ? false : { groups: ["staff"] };
      const built = await buildSiteFrom(siteOf({ "index.mdx": "Text." }, { [key]: value }));
      expect(briefly(built.problems)[0]).toMatch("config-sign-in docs.json");
    },
  );

  test("descriptions are the same for all readers, so they show no restricted content", async () => {
    const hidden = '<Visibility for="signed-in">Quince <Note>Medlar</Note></Visibility>';
    const built = await buildSiteFrom(
      siteOf(
        {
          "index.mdx": `---\ndescription: 'Open. ${hidden} <Note>Shown</Note>'\n---\n\nText.`,
          "b.mdx": `---\ndescription: 'Open. ${hidden}'\n---\n\nText.`,
        },
        { contextual: { options: ["copy"] } },
      ),
    );
    for (const path of built.paths.filter((name) => /\.(?:html|md|js|txt)$/.test(name)))
      expect(built.read(path), path).not.toMatch(/Quince|Medlar/);
    expect(built.read("index.html")).toMatch("Shown");
  });
});
