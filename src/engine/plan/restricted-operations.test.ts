/** Tests that names that only restricted operations use are in no public file. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";

const scheme = (name: string) => ({ type: "apiKey", in: "header", name, description: `About ${name}` });
const responses = { 200: { description: "stays" } };

const build = (rule: object, security: object[] | undefined) =>
  buildSiteFrom(
    siteOf(
      {
        "overview.mdx": "---\ntitle: Overview\nopenapi: api.json\n---\n",
        "api.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "API", version: "1" },
          servers: [{ url: "https://api.acme.test" }],
          ...(security ? { security } : {}),
          paths: {
            "/open": {
              get: { summary: "stays", tags: ["open-tag"], security: [{ "open-scheme": [] }], responses },
            },
            "/closed": {
              post: {
                summary: "canary",
                tags: ["canary-tag", "open-tag"],
                security: [{ "canary-scheme": ["canary-scope"], "open-scheme": [] }],
                responses,
                ...rule,
              },
            },
          },
          components: {
            securitySchemes: {
              "open-scheme": { $ref: "#/components/securitySchemes/open-target" },
              "open-target": scheme("open-key"),
              "unused-scheme": scheme("unused-key"),
              "canary-scheme": { $ref: "#/components/securitySchemes/canary-target" },
              "canary-target": scheme("canary-key"),
            },
          },
          tags: [{ name: "open-tag" }, { name: "canary-tag" }],
          "x-tagGroups": [
            { name: "open-group", tags: ["canary-tag", "open-tag"] },
            { name: "canary-group", tags: ["canary-tag"] },
            { name: "empty-group", tags: [] },
          ],
        }),
      },
      {
        navigation: { groups: [{ group: "API", openapi: "api.json" }] },
        contextual: { options: ["download-spec"] },
      },
    ),
  );

const staff = { "x-platform": { groups: ["staff"] } };

test.each<[string, object]>([
  ["groups", staff],
  ["an unknown rule", { "x-platform": { audience: "staff" } }],
])("the tags and security schemes of an operation with %s", async (_, rule) => {
  const site = await build(rule, undefined);
  expect(site.paths.filter((path) => /canary/i.test(site.read(path)))).toEqual([]);

  const served = JSON.parse(site.read("api.json"));
  expect(Object.keys(served.components.securitySchemes)).toEqual([
    "open-scheme",
    "open-target",
    "unused-scheme",
  ]);
  expect(served["x-tagGroups"]).toEqual([
    { name: "open-group", tags: ["open-tag"] },
    { name: "empty-group", tags: [] },
  ]);
  expect(site.paths.filter((path) => site.read(path).includes("open-key")).length).toBeGreaterThan(3);
});

test("a security scheme stays if the whole document requires it", async () => {
  const served = JSON.parse((await build(staff, [{ "canary-scheme": [] }])).read("api.json"));
  expect(Object.keys(served.components.securitySchemes)).toContain("canary-target");
});

test("the script of an operation has only the security schemes that it uses", async () => {
  const site = await build({}, undefined);
  const scripts = site.paths.filter((path) => /\/operation-[^/]*\.js$/.test(path));
  const open = scripts.filter((path) => !site.read(path).includes("canary-key"));
  expect(scripts.map((path) => site.read(path).includes("open-key"))).toEqual([true, true]);
  expect(open).toHaveLength(1);
});

test.each<[string, "anyone" | "signed-in", object, RegExp]>([
  ["is left out without sign-in", "anyone", { pages: ["index"] }, /^(?!.*canary)[\s\S]*stays/],
  ["is kept for signed-in readers", "signed-in", { pages: ["index"] }, /canary/],
])("an operation with public: false and no page %s", async (_, readers, start, expected) => {
  const metadata = { public: false };
  const site = await buildSiteFrom(
    siteOf(
      {
        "index.mdx": "---\npublic: true\n---\n[Document](/api.json)",
        "api.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "API", version: "1" },
          paths: {
            "/open": {
              get: { summary: "stays", "x-platform": { metadata: { public: true } }, responses },
            },
            "/closed": { get: { summary: "canary", "x-platform": { metadata }, responses } },
          },
        }),
      },
      {
        navigation: {
          groups: [
            { group: "Start", ...start },
            { group: "API", openapi: "api.json", pages: ["GET /open"] },
          ],
        },
      },
    ),
    { readers },
  );
  expect(site.read("api.json").replaceAll("\n", " ")).toMatch(expected);
  expect(site.access("api.json")).toEqual(readers === "anyone" ? "anyone" : { allOf: [] });
});

test.each<[string, object, Record<string, string>, object]>([
  ["public: false", { "x-platform": { metadata: { public: false } } }, {}, {}],
  [
    "a page for a group",
    {},
    { "safe.mdx": "---\ntitle: Safe\nopenapi: POST /closed\ngroups: [staff]\n---\n" },
    {},
  ],
  [
    "a level that isn't public",
    {},
    {},
    { group: "Vault", public: false, openapi: "api.json", pages: ["POST /closed"] },
  ],
])(
  "the overview has no tag and no security scheme of an operation with %s",
  async (_, rule, pages, level) => {
    const site = await buildSiteFrom(
      siteOf(
        {
          "index.mdx": "Text.",
          "overview.mdx": "---\ntitle: Overview\nopenapi: api.json\n---\n",
          ...pages,
          "api.json": JSON.stringify({
            openapi: "3.1.0",
            info: { title: "API", version: "1" },
            paths: {
              "/open": { get: { summary: "stays", tags: ["open-tag"], security: [{ open: [] }], responses } },
              "/closed": {
                post: {
                  summary: "canary",
                  tags: ["canary-tag"],
                  security: [{ canary: [] }],
                  responses,
                  ...rule,
                },
              },
            },
            components: { securitySchemes: { open: scheme("open-key"), canary: scheme("canary-key") } },
            tags: ["open-tag", "canary-tag"].map((name) => ({ name, description: `Uses ${name}.` })),
          }),
        },
        {
          navigation: {
            groups: [
              { group: "API", openapi: "api.json", pages: ["index", "overview", "GET /open"] },
              ...("group" in level ? [level] : []),
            ],
          },
        },
      ),
    );
    expect(site.read("overview.md")).toMatch(/open-key[\s\S]*Uses open-tag/);
    for (const file of ["overview.html", "overview.md", "llms-full.txt"])
      expect(site.read(file).includes("canary"), file).toBe(false);
  },
);
