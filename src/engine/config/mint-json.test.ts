import { describe, expect, test } from "vitest";
import { briefly, buildSiteFrom, type Sources } from "../../../test/engine/build.ts";
import { fromMintJson } from "./mint-json.ts";

const mint = {
  $schema: "https://example.com/schema.json",
  name: "Garden",
  logo: { light: "/logo.svg", dark: "/logo.svg" },
  favicon: "/logo.svg",
  colors: {
    primary: "#0D9373",
    light: "#07C983",
    dark: "#0D9373",
    background: { dark: "#101010" },
    anchors: { from: "#0D9373", to: "#07C983" },
  },
  topbarLinks: [{ name: "Support", url: "mailto:hi@example.com" }],
  topbarCtaButton: { name: "Shop", url: "https://shop.example.com" },
  tabs: [
    { name: "Reference", url: "reference" },
    { name: "Blog", url: "https://blog.example.com" },
  ],
  anchors: [{ name: "Forum", icon: "comments", url: "https://forum.example.com" }],
  primaryTab: { name: "Guides" },
  navigation: [
    { group: "Start", pages: ["index", { group: "More", pages: ["more/soil"] }] },
    { group: "Plants", pages: ["reference/roses"] },
  ],
  footerSocials: [{ type: "github", url: "https://github.com/acme" }],
  api: { baseUrl: "https://api.example.com", auth: { method: "bearer" }, playground: { mode: "simple" } },
  openapi: "garden.json",
  analytics: { ga4: { measurementId: "G-1" } },
  redirects: [{ source: "/old", destination: "/more/soil" }],
  modeToggle: { default: "dark", isHidden: true },
  rounded: "default",
};

const files: Sources = {
  "mint.json": JSON.stringify(mint),
  "index.mdx": "Welcome.",
  "more/soil.mdx": "Text.",
  "reference/roses.mdx": "---\ntitle: Roses\napi: GET /roses\n---\n",
  "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
  "garden.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths: { "/a": { get: { responses: { 200: { description: "OK" } } } } },
  }),
};

describe("mint.json", () => {
  test("is read if there is no docs.json, which is reported once", async () => {
    const site = await buildSiteFrom(files);
    expect(briefly(site.problems)).toEqual(["config-mint mint.json"]);
    expect(site.problems[0]!.hint).toContain("Keys without an effect: colors.anchors, rounded.");
    const html = site.read("index.html");
    for (const part of [
      "Garden",
      ">Guides<",
      ">Reference<",
      "https://blog.example.com",
      "https://forum.example.com",
      "mailto:hi@example.com",
      "https://shop.example.com",
      "https://github.com/acme",
    ])
      expect(html).toContain(part);
    expect(html).not.toContain('reference/roses.html">Roses');
    expect(site.read("reference/roses.html")).toContain("https://api.example.com");
    expect(site.read("old.html")).toContain("more/soil.html");
    expect(site.paths).not.toContain("mint.json");
  });

  test("is ignored if there is a docs.json", async () => {
    const docs = {
      theme: "mint",
      name: "Other",
      colors: { primary: "#000000" },
      navigation: { pages: ["index"] },
    };
    const site = await buildSiteFrom({ ...files, "docs.json": JSON.stringify(docs) });
    expect(site.problems).toEqual([]);
    expect(site.read("index.html")).toContain("Other");
  });

  test("that isn't an object or JSON is an error", async () => {
    for (const text of ["[]", "{"])
      expect((await buildSiteFrom({ "mint.json": text, "index.mdx": "Hi" })).problems[0]).toMatchObject({
        severity: "error",
        file: "mint.json",
      });
  });

  const groups = [
    { group: "A", pages: ["a"], version: "v2" },
    { group: "B", pages: ["b"], version: "v1" },
    { group: "C", pages: ["c"] },
  ];
  const [a, b, c] = groups.map(({ group, pages }) => ({ group, pages }));
  test.each([
    ["groups", { navigation: groups }, { groups: [a, b, c] }],
    [
      "versions",
      { navigation: groups, versions: ["v2", { name: "v1", default: true }] },
      {
        versions: [
          { version: "v2", groups: [a, c] },
          { version: "v1", default: true, groups: [b, c] },
        ],
      },
    ],
    [
      "languages",
      {
        navigation: [
          { group: "A", pages: ["a"], version: "en" },
          { group: "B", pages: ["b"], version: "French" },
        ],
        versions: [
          { name: "English", locale: "en" },
          { name: "French", locale: "fr" },
        ],
      },
      {
        languages: [
          { language: "en", groups: [a] },
          { language: "fr", groups: [b] },
        ],
      },
    ],
    [
      "anchors with pages",
      {
        navigation: [
          { group: "A", pages: ["a"] },
          { group: "B", pages: ["sdk/b"] },
        ],
        anchors: [{ name: "SDK", url: "sdk", icon: "code" }],
        topAnchor: { name: "Docs" },
      },
      {
        anchors: [
          { anchor: "Docs", groups: [a] },
          { anchor: "SDK", icon: "code", groups: [{ group: "B", pages: ["sdk/b"] }] },
        ],
      },
    ],
    [
      "tabs of a version",
      {
        navigation: [{ group: "A", pages: ["a"] }],
        versions: ["v1", "v2"],
        tabs: [{ name: "New", url: "https://x.example", version: "v2" }],
      },
      {
        versions: [
          { version: "v1", groups: [a] },
          {
            version: "v2",
            tabs: [
              { tab: "Documentation", groups: [a] },
              { tab: "New", href: "https://x.example" },
            ],
          },
        ],
      },
    ],
    ["wrong types", { navigation: "x", tabs: [1, {}], anchors: {}, versions: [2] }, { groups: [] }],
  ])("%s", (_, settings, navigation) =>
    expect(fromMintJson(settings).settings.navigation).toEqual(navigation),
  );
});

test("keys without an effect, also below other keys, are listed", () => {
  const { settings, leftOut } = fromMintJson({
    eyebrow: { display: "breadcrumbs" },
    colors: { primary: "#123456", ultraDark: "#000000" },
    tabs: [
      { name: "A", url: "a", isDefaultHidden: true },
      { name: "B", url: "b", isDefaultHidden: false },
    ],
    topAnchor: { name: "Docs" },
    sidebar: "card",
  });
  expect(settings.styling).toEqual({ eyebrows: "breadcrumbs" });
  expect(leftOut).toEqual(["colors.ultraDark", "tabs.isDefaultHidden", "topAnchor", "sidebar"]);
});
