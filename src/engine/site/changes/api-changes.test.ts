/** `api.changes`: the page with the changes of an API, its files, and the labels on operations and fields. */

import { describe, expect, test } from "vitest";
import { buildSiteFrom, mainOf, type Sources, siteOf } from "../../../../test/engine/build.ts";
import type { ApiVersions, ReadVersions } from "../../../base/api-versions.ts";
import { MemoryStore } from "../../incremental/store.ts";

type Json = Record<string, unknown>;

const ok = { 200: { description: "OK" } };
const text = { type: "string" };
const query = (name: string, more: Json = {}) => ({ name, in: "query", schema: text, ...more });
const body = (schema: Json) => ({ content: { "application/json": { schema } } });

const documentOf = (paths: Json, more: Json = {}) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths, ...more });

/** Target of a site on which readers sign in. */
const signedIn = {
  kind: "cloud",
  links: "clean",
  readers: "signed-in",
  origin: "https://a.example",
} as const;

/** Versions with one file each, or several. */
function history(
  versions: readonly (string | Sources)[],
  state: ApiVersions["history"] = "complete",
): ReadVersions & { read: string[] } {
  const read: string[] = [];
  const listed = versions.map((version, index) => {
    const files = typeof version === "string" ? { "api.json": version } : (version as Record<string, string>);
    return {
      label: `v${index + 1}`,
      date: `2026-0${index + 1}-01`,
      idOf: (file: string) => (file in files ? `${index} ${files[file]!.length}` : undefined),
      textOf: (file: string) => {
        read.push(`v${index + 1}`);
        return files[file]!;
      },
    };
  });
  return Object.assign(() => ({ versions: listed, history: state }), { read });
}

const settings = (changes: Json = {}) => ({
  api: { changes },
  navigation: { pages: ["index"], openapi: "api.json" },
});

const build = (
  current: string,
  versions: ReadVersions,
  { changes = {}, target = {}, pages = {}, store = new MemoryStore() as MemoryStore, more = {} } = {},
) =>
  buildSiteFrom(
    siteOf({ "index.mdx": "Text.", ...pages, "api.json": current }, { ...settings(changes), ...more }),
    target,
    store,
    {},
    versions,
  );

const first = documentOf({ "/pets": { get: { summary: "List pets", responses: ok } } });
const second = documentOf({
  "/pets": { get: { summary: "List pets", parameters: [query("limit")], responses: ok } },
  "/cats": { get: { summary: "List cats", responses: ok } },
});
const third = documentOf({
  "/pets": {
    get: { summary: "List pets", parameters: [query("limit", { required: true })], responses: ok },
  },
});

describe("the page", () => {
  test("lists each version with the worst changes first, and links to operations and fields", async () => {
    const site = await build(third, history([first, second, third]));
    expect(site.problems).toEqual([]);
    expect(site.read("api-changes.md")).toBe(`# API changes

> Index of this documentation: [llms.txt](/llms.txt)

## v3

2026-03-01

### Breaking changes

- [\`GET /pets\`](/api-reference/list-pets#param-limit): The query parameter \`limit\` is now required
- \`GET /cats\`: Removed

## v2

2026-02-01

### Compatible changes

- [\`GET /pets\`](/api-reference/list-pets#param-limit): The query parameter \`limit\` was added
- \`GET /cats\`: Added
`);
    const html = mainOf(site.read("api-changes.html"));
    expect(html).toContain('href="api-reference/list-pets.html#param-limit"');
    expect(site.read("api-reference/list-pets.html")).toContain('id="param-limit"');
  });

  test("follows the generated pages in the navigation, unless it's listed elsewhere", async () => {
    const site = await build(second, history([first, second]));
    const sidebar = site.read("index.html");
    expect(sidebar.indexOf("API changes")).toBeGreaterThan(sidebar.indexOf("List cats"));
    const listed = await build(second, history([first, second]), {
      more: { navigation: { pages: ["api-changes", "index"], openapi: "api.json" } },
    });
    const other = listed.read("index.html");
    expect(other.indexOf("API changes")).toBeLessThan(other.indexOf("List cats"));
    expect(other.match(/>API changes</g)?.length).toBe(sidebar.match(/>API changes</g)?.length);
  });

  test("lists what changed since the last version as unreleased", async () => {
    const site = await build(third, history([first, second]));
    expect(site.read("api-changes.md")).toMatch(
      /^# API changes\n\n> Index .*\n\n## Unreleased\n\n### Breaking changes/,
    );
    expect(site.read("api-reference/list-pets.md")).not.toContain("Unreleased");
  });

  test("can be at another path, and have text of its author", async () => {
    const site = await build(second, history([first, second]), {
      changes: { page: "/api/history" },
      pages: { "api/history.mdx": "---\ntitle: What changed\n---\nOur policy." },
    });
    expect(site.read("api/history.md")).toMatch(/^# What changed\n\n> Index .*\n\nOur policy\.\n\n## v2\n/);
    expect(site.paths).toContain("api/history.json");
    expect(site.paths).not.toContain("api-changes.html");
  });

  test("is empty without versions", async () => {
    const site = await build(first, history([first]));
    expect(site.read("api-changes.md")).toBe(
      "# API changes\n\n> Index of this documentation: [llms.txt](/llms.txt)\n\nNo changes yet.\n",
    );
  });

  test("has a heading for each of several documents", async () => {
    const birds = (paths: Json) =>
      JSON.stringify({ openapi: "3.1.0", info: { title: "Birds", version: "1" }, paths });
    const site = await build(
      second,
      history([
        { "api.json": first, "birds.json": birds({}) },
        { "api.json": second, "birds.json": birds({ "/owls": { get: { responses: ok } } }) },
      ]),
      {
        pages: { "birds.json": birds({ "/owls": { get: { responses: ok } } }) },
      },
    );
    expect(site.read("api-changes.md")).toContain("### Pets\n\n#### Compatible changes");
    expect(site.read("api-changes.md")).toContain(
      "### Birds\n\n#### Compatible changes\n\n- `GET /owls`: Added",
    );
  });

  test("names at most 200 changes of a version. The JSON file has all", async () => {
    const many = documentOf(
      Object.fromEntries(Array.from({ length: 230 }, (_, n) => [`/a${n}`, { get: { responses: ok } }])),
    );
    const site = await build(many, history([documentOf({}), many]));
    const markdown = site.read("api-changes.md");
    expect(markdown.match(/: Added/g)).toHaveLength(200);
    expect(markdown).toContain("[30 more changes are in the JSON file](/api-changes.json)");
    expect(JSON.parse(site.read("api-changes.json")).versions[0].documents[0].changes).toHaveLength(230);
  });

  test("shows other levels for rules of docs.json, and leaves out ignored ones", async () => {
    const site = await build(third, history([first, second, third]), {
      changes: { rules: { "operation-removed": "compatible", "parameter-required": "ignore" } },
    });
    const [newest] = site.read("api-changes.md").split("## v2");
    expect(newest).toContain("### Compatible changes\n\n- `GET /cats`: Removed");
    expect(newest).not.toContain("required");
    const { problems } = await build(third, history([first]), {
      changes: { rules: { "operation-gone": "text" } },
    });
    expect(problems.map(({ code }) => code)).toEqual(["config-unknown-key"]);
  });
});

describe("other formats", () => {
  test("the JSON file has each version with its changes", async () => {
    const site = await build(second, history([first, second]));
    expect(JSON.parse(site.read("api-changes.json"))).toEqual({
      versions: [
        {
          version: "v2",
          date: "2026-02-01",
          documents: [
            {
              file: "api.json",
              title: "Pets",
              changes: [
                {
                  rule: "optional-parameter-added",
                  level: "compatible",
                  message: "The query parameter `limit` was added",
                  field: "limit",
                  operations: ["GET /pets"],
                },
                { rule: "operation-added", level: "compatible", message: "Added", operations: ["GET /cats"] },
              ],
            },
          ],
        },
      ],
    });
  });

  test("the feed has an item for each version with its day", async () => {
    const site = await build(third, history([first, second, third]), {
      target: { origin: "https://docs.example.com" },
    });
    const feed = site.read("api-changes/rss.xml");
    expect([...feed.matchAll(/<item><title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      "v3",
      "v2",
    ]);
    expect(feed).toContain("<pubDate>Sun, 01 Mar 2026 00:00:00 GMT</pubDate>");
    expect(feed).toContain(
      "Breaking changes: GET /pets: The query parameter `limit` is now required; GET /cats: Removed.",
    );
  });
});

describe("labels", () => {
  const pet = (properties: Json, more: Json = {}) =>
    documentOf(
      {
        "/pets": {
          get: {
            summary: "List pets",
            ...more,
            responses: { 200: { description: "OK", ...body({ $ref: "#/components/schemas/Pet" }) } },
          },
        },
      },
      { components: { schemas: { Pet: { type: "object", properties } } } },
    );

  test("say when fields were added, deprecated, and changed, on the page and in Markdown", async () => {
    const versions = [
      pet({ name: text }),
      pet({ name: text, age: { type: "integer" } }),
      pet({ name: { ...text, maxLength: 9 }, age: { type: "integer", deprecated: true } }),
    ];
    const site = await build(versions[2]!, history(versions));
    const markdown = site.read("api-reference/list-pets.md");
    expect(markdown).toMatch(/`name` \(.*Changed in v3/);
    expect(markdown).toMatch(/`age` \(.*Added in v2 · Deprecated since v3/);
    expect(markdown).toContain("`Changed in v3`");
    const html = site.read("api-reference/list-pets.html");
    for (const label of ["Added in v2", "Deprecated since v3", "Changed in v3"])
      expect(html).toContain(label);
  });

  test("say when operations were added and deprecated", async () => {
    const versions = [documentOf({}), pet({}), pet({}, { deprecated: true })];
    const site = await build(versions[2]!, history(versions));
    expect(site.read("api-reference/list-pets.md")).toContain("`Added in v2` `Deprecated since v3`");
  });

  test("stay with a parameter when others are added before it", async () => {
    const at = (...names: string[]) =>
      documentOf({
        "/pets": {
          get: { summary: "List pets", parameters: names.map((name) => query(name)), responses: ok },
        },
      });
    const versions = [at("b"), at("b", "c"), at("a", "b", "c")];
    const markdown = (await build(versions[2]!, history(versions))).read("api-reference/list-pets.md");
    expect(
      [...markdown.matchAll(/- `(\w)` \((.*?)\)/g)].map(([, name, about]) => [
        name,
        /Added in (v\d)/.exec(about!)?.[1],
      ]),
    ).toEqual([
      ["a", "v3"],
      ["b", undefined],
      ["c", "v2"],
    ]);
  });

  test("don't count a new value as a new field", async () => {
    const versions = [pet({ color: { enum: ["red"] } }), pet({ color: { enum: ["red", "blue"] } })];
    const markdown = (await build(versions[1]!, history(versions))).read("api-reference/list-pets.md");
    expect(markdown).toContain("Changed in v2");
    expect(markdown).not.toContain("Added in");
  });
});

describe("parts that not everyone may see", () => {
  const withSecret = (groups: string[] | undefined, more: Json = {}, pets: Json = {}) =>
    documentOf({
      "/pets": { get: { summary: "List pets", ...pets, responses: ok } },
      "/vault": {
        get: {
          summary: "Open the vault",
          ...(groups ? { "x-mint": { metadata: { groups } } } : {}),
          ...more,
          responses: ok,
        },
      },
    });

  test("restricted operations appear only for their group", async () => {
    const versions = [
      withSecret(["staff"]),
      withSecret(["staff"], { parameters: [query("combination")] }, { parameters: [query("limit")] }),
    ];
    const site = await build(versions[1]!, history(versions), { target: signedIn });
    for (const file of ["api-changes.html", "api-changes.md", "api-changes.json", "llms-full.txt"])
      expect(site.read(file)).not.toMatch(/vault|combination/i);
    const staff = site.paths.filter((file) => /^_octavo\/.*\/api-changes\.md$/.test(file));
    expect(staff.map((file) => site.read(file)).join()).toContain(
      "The query parameter `combination` was added",
    );
    expect(site.read("api-changes.md")).toContain("The query parameter `limit` was added");
  });

  /** A document whose parts named canary have `groups`, if given, apart from a field that everyone may see. */
  const withParts = (groups: string[] | undefined, names: { has?: boolean; visible?: string } = {}) => {
    const rule = groups ? { "x-platform": { groups } } : {};
    const { has = true, visible = "name" } = names;
    const part = (name: string, value: Json) => (has ? { [name]: { ...value, ...rule } } : {});
    const fields = {
      [visible]: text,
      color: {
        enum: ["red", ...(has ? ["canaryValue"] : [])],
        ...(has && groups ? { "x-platform-enum": { canaryValue: groups } } : {}),
      },
      inner: { type: "object", properties: { deep: text, ...part("canaryDeep", text) } },
      ...part("canaryField", text),
      kind: { oneOf: [text, ...(has ? [{ $ref: "#/components/schemas/CanaryVariant" }] : [])] },
    };
    return documentOf(
      {
        "/pets": {
          post: {
            summary: "Add a pet",
            parameters: [query("limit"), ...(has ? [{ ...query("canaryQuery"), ...rule }] : [])],
            requestBody: body({ type: "object", properties: fields }),
            responses: {
              200: {
                description: "OK",
                headers: { Age: { schema: text }, ...part("Canary-Header", { schema: text }) },
                ...body({ type: "object", properties: fields }),
              },
            },
          },
        },
      },
      { components: { schemas: has ? { CanaryVariant: { type: "object", ...rule } } : {} } },
    );
  };

  test.each<[string, string[], string]>([
    ["restricted in the next version", [withParts(undefined), withParts(["staff"])], withParts(["staff"])],
    [
      "added, and restricted later",
      [withParts(undefined, { has: false }), withParts(undefined), withParts(["staff"])],
      withParts(["staff"]),
    ],
    [
      "added, and restricted today",
      [withParts(undefined, { has: false }), withParts(undefined)],
      withParts(["staff"]),
    ],
    ["removed", [withParts(["staff"]), withParts(undefined)], withParts(["staff"])],
  ])("a part that is %s isn't named", async (_name, versions, current) => {
    const site = await build(current, history(versions), { target: signedIn });
    for (const file of site.paths.filter((path) => /\.(?:html|md|json|xml|txt|js)$/.test(path)))
      expect([file, /.{0,80}canary.{0,40}/i.exec(site.read(file))?.[0]]).toEqual([file, undefined]);
  });

  test("changes of other parts stay", async () => {
    const versions = [withParts(["staff"]), withParts(["staff"], { visible: "title" })];
    const site = await build(versions[1]!, history(versions), { target: signedIn });
    expect(site.read("api-changes.md")).toContain("The property `name` in the 200 response was removed");
    expect(site.read("api-changes.md")).toContain("The property `title` in the 200 response was added");
  });

  test.each<[string, ReturnType<typeof history>, string]>([
    [
      "hidden now",
      history([withSecret(undefined), withSecret(undefined, { parameters: [query("combination")] })]),
      withSecret(undefined, { "x-hidden": true, parameters: [query("combination")] }),
    ],
    [
      "hidden always",
      history([
        withSecret(undefined, { "x-hidden": true }),
        withSecret(undefined, { "x-hidden": true, parameters: [query("combination")] }),
      ]),
      withSecret(undefined, { "x-hidden": true, parameters: [query("combination")] }),
    ],
    [
      "internal",
      history([
        withSecret(undefined, { "x-internal": true }),
        withSecret(undefined, { "x-internal": true, parameters: [query("combination")] }),
      ]),
      withSecret(undefined, { "x-internal": true, parameters: [query("combination")] }),
    ],
    [
      "restricted now",
      history([withSecret(undefined), withSecret(undefined, { parameters: [query("combination")] })]),
      withSecret(["staff"], { parameters: [query("combination")] }),
    ],
    [
      "restricted before",
      history([withSecret(["staff"]), withSecret(undefined, { parameters: [query("combination")] })]),
      withSecret(["staff"], { parameters: [query("combination")] }),
    ],
    [
      "removed",
      history([withSecret(["staff"]), withSecret(["staff"], { parameters: [query("combination")] }), first]),
      first,
    ],
  ])("nothing about an operation that is %s", async (_, versions, current) => {
    const site = await build(current, versions, { target: { readers: "anyone" } });
    for (const file of ["api-changes.html", "api-changes.md", "api-changes.json", "llms-full.txt"])
      expect(site.read(file)).not.toMatch(/vault|combination/i);
  });

  test("an operation that stops being hidden counts as added", async () => {
    const site = await build(
      withSecret(undefined),
      history([withSecret(undefined, { "x-hidden": true }), withSecret(undefined)]),
    );
    expect(site.read("api-changes.md")).toContain("[`GET /vault`](/api-reference/open-the-vault): Added");
  });

  test("overlays of each version apply to it", async () => {
    const overlay = JSON.stringify({
      overlay: "1.0.0",
      info: { title: "Public", version: "1" },
      actions: [{ target: "$.paths['/vault']", remove: true }],
    });
    const files = (document: string) => ({ "api.json": document, "public.json": overlay });
    const [older, newer] = [
      withSecret(undefined),
      withSecret(undefined, { parameters: [query("combination")] }),
    ];
    const site = await build(newer, history([files(older), files(newer)]), {
      pages: { "public.json": overlay },
      more: { navigation: { pages: ["index"], openapi: { source: "api.json", overlays: "public.json" } } },
    });
    expect(site.read("api-changes.md")).not.toMatch(/vault|combination/);
  });
});

describe("operations whose pages not everyone may see", () => {
  const vault = (metadata: Json | undefined, limits: string[]) =>
    documentOf({
      "/pets": {
        get: {
          summary: "List pets",
          ...(metadata ? { "x-platform": { metadata: { public: true } } } : {}),
          parameters: limits.map((name) => query(`limit${name}`)),
          responses: ok,
        },
      },
      "/vault": {
        get: {
          summary: "Open the vault",
          ...(metadata ? { "x-platform": { metadata } } : {}),
          parameters: limits.map((name) => query(`combination${name}`)),
          responses: ok,
        },
      },
    });
  const page = (rule: string) => `---\ntitle: Safe\nopenapi: GET /vault\n${rule}\n---\n`;
  const listed = (more: Json = {}, other: Json = {}) => ({
    navigation: {
      groups: [
        { group: "Start", pages: ["index"] },
        { group: "API", openapi: "api.json", pages: ["GET /pets"], ...more },
        ...(Object.keys(other).length
          ? [{ group: "Vault", openapi: "api.json", pages: ["GET /vault"], ...other }]
          : []),
      ],
    },
  });

  test.each<[string, Json | undefined, Sources, Json]>([
    ["shown only to a group", undefined, { "safe.mdx": page("groups: [staff]") }, listed()],
    ["on no public page", undefined, { "safe.mdx": page("public: false") }, listed()],
    ["on a page with an unknown rule", undefined, { "safe.mdx": page("audience: internal") }, listed()],
    ["not public in the document", { public: false }, {}, listed()],
    ["not public in the document, with a page", { public: false }, {}, settings()],
    ["below a level that isn't public", undefined, {}, listed({}, { public: false })],
    ["below a level with an unknown rule", undefined, {}, listed({}, { audience: "internal" })],
  ])("nothing about an operation that is %s", async (_, metadata, pages, more) => {
    const versions = [vault(metadata, []), vault(metadata, ["A"]), vault(metadata, ["A", "B"])];
    const site = await build(versions[2]!, history(versions), { pages, more });
    expect(site.read("api-changes.md")).toContain("The query parameter `limitB` was added");
    for (const file of ["api-changes.html", "api-changes.md", "api-changes.json", "llms-full.txt"])
      expect(site.read(file), file).not.toMatch(/vault|combination|safe/i);
  });

  test("nothing about a removed operation that wasn't public", async () => {
    const site = await build(
      first,
      history([vault({ public: false }, []), vault({ public: false }, ["A"]), first]),
    );
    expect(site.read("api-changes.md")).not.toMatch(/vault|combination/i);
  });

  test("readers of the page see them", async () => {
    const versions = [vault(undefined, []), vault(undefined, ["A"])];
    const pages = { "safe.mdx": page("groups: [staff]") };
    const site = await build(versions[1]!, history(versions), { target: signedIn, pages, more: listed() });
    expect(site.read("api-changes.md")).not.toMatch(/vault|combination|safe/i);
    const staff = site.paths.filter((file) => /^_octavo\/.*\/api-changes\.md$/.test(file));
    expect(staff.map((file) => site.read(file)).join()).toContain("combinationA");
  });

  test("a public page has no changes for signed-in readers, who see them there", async () => {
    const rest = { version: "1" };
    const versions = [vault(rest, []), vault(rest, ["A"]), vault(rest, ["A", "B"])];
    const pages = { "api-changes.mdx": "---\ntitle: Changes\npublic: true\n---\n" };
    const site = await build(versions[2]!, history(versions), { target: signedIn, pages });
    expect(site.read("api-changes.md")).toContain("limitB");
    for (const file of ["api-changes.html", "api-changes.md", "api-changes.json", "llms-full.txt"])
      expect(site.read(file), file).not.toMatch(/vault|combination/i);
    const forReaders = site.paths.filter((file) => /^_octavo\/.*\/api-changes\.md$/.test(file));
    expect(forReaders.map((file) => site.read(file)).join()).toContain("combinationB");

    const closed = await build(versions[2]!, history(versions), { target: signedIn });
    expect(closed.read("api-changes.json")).toContain("combinationB");
  });
});

describe("what can't be read", () => {
  test.each<[ApiVersions["history"], RegExp]>([
    ["none", /no Git history/],
    ["cut", /shallow/],
    ["late", /within a minute/],
    ["many", /last 100 versions/],
    ["unknown", /no version "v9"/],
  ])("a history that is %s is reported", async (state, message) => {
    const { problems } = await build(first, history([], state), { changes: { since: "v9" } });
    expect(problems.map(({ code }) => code)).toEqual(["api-history"]);
    expect(problems[0]!.message).toMatch(message);
  });

  test("a version with an invalid document is skipped", async () => {
    const site = await build(second, history([first, "{", second]));
    expect(site.read("api-changes.md")).toContain("The query parameter `limit` was added");
  });

  test("a document at a URL is reported", async () => {
    const url = "https://api.example.com/openapi.json";
    const site = await buildSiteFrom(
      siteOf({ "index.mdx": "Text." }, { ...settings(), navigation: { pages: ["index"], openapi: url } }),
      {},
      new MemoryStore(),
      { [url]: first },
      history([]),
    );
    expect(site.problems.map(({ code }) => code)).toEqual(["api-history"]);
  });
});

test("later builds read only what they haven't compared", async () => {
  const store = new MemoryStore(true);
  const versions = history([first, second]);
  await build(second, versions, { store });
  expect(versions.read).toEqual(["v1", "v2"]);
  await build(third, versions, { store });
  expect(versions.read).toEqual(["v1", "v2", "v2"]);
  await build(third, versions, { store });
  expect(versions.read).toEqual(["v1", "v2", "v2"]);
});
