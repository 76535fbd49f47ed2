/** Links, redirects and paths of folders lead to a page or file, or are reported. */

import { describe, expect, test } from "vitest";
import {
  type BuiltSite,
  briefly,
  buildSiteFrom,
  mainOf,
  type Sources,
  siteOf,
} from "../../../../test/engine/build.ts";
import { readRedirectTable, resolvePath } from "../../../host/resolve-path.ts";
import type { ExportTarget } from "../../plan/export-target.ts";

const garden: Sources = {
  "start.mdx": "Text.",
  "tools/hand/trowel.mdx": "## Care\n\nText.",
  "tools/hand/rake.mdx": "## Care\n\nText.",
  "tools/power/mower.mdx": "Text.",
  "plants/index.mdx": "Text.",
  "plants/rose.mdx": "Text.",
  "images/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

const navigation = {
  groups: [
    { group: "Start", pages: ["start"] },
    { group: "Tools", pages: ["tools/hand/rake", "tools/hand/trowel", "tools/power/mower"] },
    { group: "Plants", pages: ["plants/index", "plants/rose"] },
  ],
};

/** Builds the garden with more files and settings. */
function build(
  files: Sources,
  settings: Record<string, unknown> = {},
  target: Partial<ExportTarget> = {},
): Promise<BuiltSite> {
  return buildSiteFrom(siteOf({ ...garden, ...files }, { navigation, ...settings }), target);
}

/** What a server with this export responds to a path: the file, or the status and location. */
function answer(site: BuiltSite, path: string): string {
  const paths = new Set(site.paths);
  const found = resolvePath(
    decodeURIComponent(path),
    { has: (file) => paths.has(file) },
    readRedirectTable(site.bytes("_octavo/redirects.json")),
  );
  if ("location" in found) return `${found.status} ${found.location}`;
  return found.status === 200 ? found.path : "404";
}

describe("links", () => {
  test.each([
    ["to the home page of a site without one", "/", "start.html"],
    ["to a folder, which lead to its first page in the navigation", "/tools/hand", "tools/hand/rake.html"],
    ["to a folder with a slash", "/tools/hand/", "tools/hand/rake.html"],
    ["to a folder with an anchor", "/tools/hand#care", "tools/hand/rake.html#care"],
    ["to a folder of folders", "/tools", "tools/hand/rake.html"],
    ["to a folder with an index page", "/plants", "plants.html"],
    ["in capitals", "/Tools/Hand/Rake", "tools/hand/rake.html"],
    ["below the base path", "/acme/docs/plants/rose", "plants/rose.html"],
    ["to the base path", "/acme/docs", "start.html"],
    ["to a folder below the base path", "/acme/docs/tools", "tools/hand/rake.html"],
    ["to a file below the base path", "/acme/docs/images/dot.svg", "images/dot.svg"],
  ])("%s", async (_, href, expected) => {
    const forms = [
      `[Text](${href})`,
      `<a href="${href}">Text</a>`,
      `<Card title="Text" href="${href}">Text</Card>`,
    ];
    const origin = "https://example.com/acme/docs";
    const site = await build({ "start.mdx": forms.join("\n\n") }, {}, { origin });
    expect(site.problems).toEqual([]);
    const hrefs = [
      .../<article[\s\S]*<\/article>/.exec(site.read("start.html"))![0].matchAll(/<a\s[^>]*?href="([^"]*)"/g),
    ].map((match) => match[1]);
    expect(hrefs.slice(0, 3)).toEqual([expected, expected, expected]);
  });

  test.each(["/acme/other", "/acme/docs/none", "/acme/docsets/start", "/images", "/tools/none"])(
    "to %s are reported",
    async (href) => {
      const { problems } = await build(
        { "start.mdx": `[Text](${href})` },
        {},
        { origin: "https://example.com/acme/docs" },
      );
      expect(briefly(problems)).toEqual(["dead-link start.mdx:1"]);
    },
  );

  test.each([
    ["plants/index.mdx", "plants/rose", "plants/rose.html"],
    ["plants/index.mdx", "./rose", "plants/rose.html"],
    ["plants/index.mdx", "rose", "plants/rose.html"],
    ["plants/index.mdx", "tools/hand/rake#care", "tools/hand/rake.html#care"],
    ["plants/index.mdx", "start.mdx", "start.html"],
    ["plants/index.mdx", "../start", "start.html"],
    ["plants/index.mdx", "images/dot.svg", "images/dot.svg"],
    ["plants/rose.mdx", "tulip", "plants/tulip.html"],
    ["plants/rose.mdx", "./tulip", "plants/tulip.html"],
    ["index.mdx", "plants/rose", "plants/rose.html"],
  ])("in %s to %s are relative to the page or its file", async (file, href, expected) => {
    const site = await build({ "plants/tulip.mdx": "Text.", [file]: `[Text](${href})` });
    expect(site.problems).toEqual([]);
    const html = site.read(file.replace("/index.mdx", ".html").replace(".mdx", ".html"));
    expect(html).toContain(`href="${file.includes("rose") ? "../" : ""}${expected}">Text`);
  });

  test("images below the base path of the canonical URL in docs.json are shown", async () => {
    const page = '![Dot](/acme/docs/images/dot.svg)\n\n<img src="/acme/docs/images/dot.svg" alt="Dot" />';
    const seo = { metatags: { canonical: "https://example.com/acme/docs/" } };
    const site = await build({ "start.mdx": page }, { seo }, { kind: "air-gapped" });
    expect(site.problems).toEqual([]);
    expect(mainOf(site.read("start.html")).match(/src="images\/dot\.svg"/g)).toHaveLength(2);
  });

  test("a folder of the site comes before the base path", async () => {
    const files = { "start.mdx": "[Text](/acme/start)", "acme/start.mdx": "Text." };
    const site = await build(files, {}, { origin: "https://example.com/acme" });
    expect(site.read("start.html")).toContain('href="acme/start.html">Text');
  });

  test("a redirect comes before the first page of a folder", async () => {
    const redirects = [{ source: "/tools/hand", destination: "/plants/rose" }];
    const site = await build({ "start.mdx": "[Text](/tools/hand)" }, { redirects });
    expect(site.read("start.html")).toContain('href="plants/rose.html">Text');
    expect(site.read("tools/hand.html")).toContain("../plants/rose.html");
    expect(answer(site, "/tools/hand")).toBe("308 /plants/rose");
  });

  test("a folder whose first page is restricted leads strangers to a page that they may read", async () => {
    const files = {
      "tools/hand/rake.mdx": "---\ngroups: [staff]\n---\n\nText.",
      "start.mdx": "---\npublic: true\n---\n\n[Text](/tools/hand)",
      "tools/hand/trowel.mdx": "---\npublic: true\n---\n\nText.",
    };
    const site = await build(files, {}, { readers: "signed-in", links: "clean" });
    expect(site.read("start.html")).toContain('href="/tools/hand/trowel">Text');
    expect(answer(site, "/tools/hand")).toBe("307 /tools/hand/trowel");
  });
});

describe("a file and an index file with the same path", () => {
  test.each([
    ["plants/index", "plants/index.mdx", "plants.mdx"],
    ["plants/index.mdx", "plants/index.mdx", "plants.mdx"],
    ["plants", "plants.mdx", "plants/index.mdx"],
    ["start", "plants.mdx", "plants/index.mdx"],
  ])("with the entry %s, %s is served", async (entry, served, other) => {
    const files = { "plants.mdx": "Text of plants.mdx.", "plants/index.mdx": "Text of plants/index.mdx." };
    const site = await build(files, { navigation: { pages: [entry, "plants/rose"] } });
    expect(site.read("plants.html")).toContain(`Text of ${served}.`);
    expect(briefly(site.problems)).toEqual([`path-conflict ${other}`]);
    expect(site.problems[0]!.message.includes("because the navigation lists it")).toBe(entry !== "start");
  });
});

test("pages generated in a folder with capitals have paths in lowercase", async () => {
  const operation = { tags: ["Roses"], summary: "Water roses", responses: { 200: { description: "OK" } } };
  const api = {
    openapi: "3.1.0",
    info: { title: "Garden", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths: { "/roses": { post: operation } },
  };
  const navigation = {
    groups: [
      { group: "Garden", pages: ["start"] },
      { group: "API", openapi: { source: "api.json", directory: "Garden/API" } },
    ],
  };
  const files = {
    "start.mdx": "[A](/garden/api/roses/water-roses) [B](/Garden/API/roses/water-roses)",
    "api.json": JSON.stringify(api),
  };
  const site = await build(files, { navigation });
  expect(site.problems).toEqual([]);
  expect(site.read("start.html").match(/href="garden\/api\/roses\/water-roses\.html">[AB]/g)).toHaveLength(2);
  expect(answer(site, "/Garden/API/roses/water-roses")).toBe("308 /garden/api/roses/water-roses");
});

describe("servers and static hosts", () => {
  test.each([
    ["/tools/hand", "307 /tools/hand/rake"],
    ["/tools/hand/", "307 /tools/hand/rake"],
    ["/tools", "307 /tools/hand/rake"],
    ["/plants", "plants.html"],
    ["/images", "404"],
    ["/Tools/Power/Mower", "308 /tools/power/mower"],
  ])("respond to %s with %s", async (path, expected) => {
    expect(answer(await build({}), path)).toBe(expected);
    expect(answer(await build({}, {}, { links: "clean" }), path)).toBe(expected);
  });

  test("a folder has a page that redirects, for hosts without redirects", async () => {
    const site = await build({});
    expect(site.read("tools.html")).toContain('url=tools/hand/rake.html"');
    expect(site.read("tools/hand.html")).toContain('url=../tools/hand/rake.html"');
    expect(site.paths).not.toContain("images.html");
  });
});

describe("redirects", () => {
  const target = "/plants/rose";
  test.each([
    ["/my%20shed", "/my%20shed", "my shed.html"],
    ["/g%C3%A4rten", "/g%C3%A4rten", "gärten.html"],
    ["/g%c3%a4rten", "/g%C3%A4rten/", "gärten.html"],
    ["/gärten", "/g%C3%A4rten", "gärten.html"],
    ["/old/", "/old", "old.html"],
    ["/old/", "/old/", "old.html"],
    ["old", "/old/", "old.html"],
    ["/a%3Ab", "/a:b", "a:b.html"],
    ["/%5Bid%5D/:slug*", "/[id]/x/y", undefined],
    ["/old/:slug/", "/old/x", undefined],
    ["/old/:slug/", "/old/x/", undefined],
    ["/old/:slug*/", "/old/x/y/", undefined],
    ["/old/:slug*", "/old", undefined],
    ["/old/:slug*", "/old/", undefined],
    ["/:lang/old/:slug*", "/fr/old", undefined],
  ])("from %s match %s", async (source, path, stub) => {
    const site = await build({}, { redirects: [{ source, destination: target }] });
    expect(site.problems).toEqual([]);
    expect(answer(site, path)).toBe(`308 ${target}`);
    if (stub) expect(site.paths.filter((file) => file === stub.replace(":", "-"))).toHaveLength(1);
  });

  test.each([
    ["/old/:slug", "/old"],
    ["/old/:slug*", "/older"],
    ["/a%3Ab", "/ax"],
  ])("from %s don't match %s", async (source, path) => {
    expect(answer(await build({}, { redirects: [{ source, destination: target }] }), path)).toBe("404");
  });

  test("an empty wildcard leaves no slash at the end", async () => {
    const site = await build({}, { redirects: [{ source: "/old/:slug*", destination: "/plants/:slug*" }] });
    expect(answer(site, "/old")).toBe("308 /plants");
    expect(answer(site, "/old/rose")).toBe("308 /plants/rose");
  });

  test("never hide a page", async () => {
    const redirects = [
      { source: "/plants/:slug*", destination: "/start" },
      { source: "/start", destination: "/plants/rose" },
    ];
    const site = await build({}, { redirects });
    expect(briefly(site.problems)).toEqual(["redirect-hides-page docs.json:37"]);
    expect(answer(site, "/plants/rose")).toBe("plants/rose.html");
    expect(answer(site, "/plants/tulip")).toBe("308 /start");
    expect(answer(site, "/start")).toBe("start.html");
  });

  test("to a page that a wildcard also matches aren't a loop", async () => {
    const site = await build({}, { redirects: [{ source: "/plants/:slug*", destination: "/plants/rose" }] });
    expect(site.problems).toEqual([]);
  });

  test.each([
    ["/none", "Page not found: /none (destination of /old)"],
    ["/plants/rose#none", "Anchor not found on /plants/rose: #none (destination of /old)"],
    ["/none/:slug*", "No page or file starts with /none/ (destination of /old/:slug*)"],
  ])("to %s are reported", async (destination, message) => {
    const source = destination.includes("*") ? "/old/:slug*" : "/old";
    const { problems } = await build({}, { redirects: [{ source, destination }] });
    expect(problems.map((found) => found.message)).toEqual([message]);
    expect(problems[0]).toMatchObject({ file: "docs.json", line: 35 });
  });

  test.each([
    "/plants/:slug*",
    "/:slug*",
    "/tools",
    "/",
    "/images/dot.svg",
    "/plants/rose?tab=1",
    "/plants/rose.md",
    "/llms.txt",
    "https://example.com/:slug*",
    "mailto:a@example.com",
    "/chain/:slug*",
  ])("to %s aren't reported", async (destination) => {
    const redirects = [
      { source: "/old/:slug*", destination },
      { source: "/chain/:slug*", destination: "/tools/hand/:slug*" },
    ];
    expect((await build({}, { redirects })).problems).toEqual([]);
  });

  test("a link to a redirect with a missing destination names the destination", async () => {
    const redirects = [
      { source: "/first", destination: "/second" },
      { source: "/second", destination: "/none" },
    ];
    const { problems } = await build({ "start.mdx": "[Text](/first)" }, { redirects });
    expect(problems.map(({ message }) => message)).toEqual([
      "Page not found: /second (destination of /first)",
      "Page not found: /none (destination of /second)",
      "Page not found: /first, which redirects to /none",
    ]);
  });
});

describe("broken links and missing files are reported with what was meant", () => {
  const picture = '<img src="/images/dot.svg" srcSet="/images/dot.svg 1x, /images/gone.svg 2x" alt="A" />';
  test.each<[string, Sources, Record<string, unknown>, string[], (string | undefined)?]>([
    [
      "an anchor made with a name",
      { "start.mdx": '<a name="part"></a>\n\n[Here](#part) and [there](/start#part)' },
      {},
      [],
    ],
    ["a missing file in srcset", { "start.mdx": picture }, {}, ["missing-image start.mdx:1"]],
    [
      "a page in capitals",
      {},
      { navigation: { pages: ["Tools/Hand/Rake"] } },
      ["nav-page-missing docs.json"],
      "Did you mean tools/hand/rake?",
    ],
    [
      "an image in capitals",
      { "start.mdx": "![A](/images/logo.svg)", "images/Logo.svg": "" },
      {},
      ["missing-image start.mdx:1"],
      "Did you mean /images/Logo.svg?",
    ],
    [
      "an image in lowercase",
      { "start.mdx": "![A](/Images/Dot.svg)" },
      {},
      ["missing-image start.mdx:1"],
      "Did you mean /images/dot.svg?",
    ],
    [
      "a link in the header",
      {},
      { navbar: { links: [{ label: "A", href: "/gone" }] } },
      ["dead-link docs.json"],
    ],
    [
      "a button",
      {},
      { navbar: { primary: { type: "button", label: "A", href: "/starts" } } },
      ["dead-link docs.json"],
      "Did you mean /start?",
    ],
    [
      "a link in the footer",
      {},
      { footer: { links: [{ header: "A", items: [{ label: "B", href: "/gone" }] }] } },
      ["dead-link docs.json"],
    ],
    [
      "a link in the banner",
      {},
      { banner: { content: "[A](/gone) [B](/start#no) [C](https://example.com)" } },
      ["dead-anchor docs.json", "dead-link docs.json"],
    ],
    [
      "a link of the logo",
      {},
      { logo: { light: "/images/dot.svg", dark: "/images/dot.svg", href: "/gone" } },
      ["dead-link docs.json"],
    ],
    [
      "a link on the 404 page",
      {},
      { errors: { 404: { description: "Go to [A](/gone)." } } },
      ["dead-link docs.json"],
    ],
    [
      "an anchor of the navigation",
      {},
      { navigation: { ...navigation, global: { anchors: [{ anchor: "A", href: "/gone" }] } } },
      ["dead-link docs.json"],
    ],
    ["a share image", {}, { seo: { metatags: { "og:image": "/gone.png" } } }, ["missing-image docs.json"]],
    [
      "a share image of a page",
      { "start.mdx": '---\n"og:image": /Images/Dot.svg\n---' },
      {},
      ["missing-image start.mdx:1"],
      "Did you mean /images/dot.svg?",
    ],
  ])("%s", async (_, files, settings, found, hint) => {
    const { problems } = await build(files, settings);
    expect(briefly(problems).map((text) => text.replace(/(docs\.json):\d+/, "$1"))).toEqual(found);
    if (hint) expect(problems[0]!.hint).toBe(hint);
    if (found[0]?.includes("docs.json")) expect(problems[0]!.line).toBeGreaterThan(1);
  });
});

test("files in .well-known are published", async () => {
  const site = await build({
    ".well-known/security.txt": "Contact: mailto:a@example.com",
    ".hidden/a.txt": "",
    "sub/.well-known/b.txt": "",
  });
  expect(site.paths.filter((path) => /\.txt$/.test(path))).toEqual([
    ".well-known/llms-full.txt",
    ".well-known/llms.txt",
    ".well-known/security.txt",
    "llms-full.txt",
    "llms.txt",
    "robots.txt",
  ]);
});
