/**
 * Tests that a path of the site with a colon, such as `/javascript:alert(1)`, never becomes a URL with a
 * scheme.
 */

import { expect, test, vi } from "vitest";
import { type BuiltSite, buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { hrefOf } from "../../browser/site-urls.ts";

const schemes = [
  "javascript:void(0)//quokka",
  "vbscript:quokka",
  "data:text/html,quokka",
  "https:quokka",
  "xmpp:quokka",
  "JavaScript:quokka",
];

/**
 * Returns the URLs in the HTML files that contain the word and, resolved as a browser does, leave the site.
 */
function leaving(site: BuiltSite): string[] {
  const root = "http://site.example/docs/";
  return site.paths
    .filter((path) => path.endsWith(".html"))
    .flatMap((path) => {
      const html = site.read(path).replaceAll("&amp;", "&").replaceAll("&quot;", '"');
      const values = [
        ...html.matchAll(/\s(?:href|src|srcset|action|poster|data|cite|content|data-[\w-]+)="([^"]*)"/g),
      ].map(([, value]) => value!);
      return values.filter((value) => {
        if (!value.includes("quokka") || value.startsWith("{")) return false;
        const url = new URL(value.replace(/^0;\s*url=/i, ""), root + path);
        return url.origin !== "http://site.example" && url.origin !== "https://docs.example.com";
      });
    });
}

const sinks: [
  name: string,
  files: (path: string) => Record<string, string>,
  settings?: (path: string) => Record<string, unknown>,
][] = [
  ["a link", (path) => ({ "index.mdx": `[Go](/${path})` })],
  [
    "a link in a folder",
    (path) => ({ "index.mdx": "Text.", "guides/a.mdx": `[Go](/${path}) [Up](../${path}) [Here](./${path})` }),
  ],
  ["a relative link", (path) => ({ "index.mdx": `[Go](./${path})` })],
  [
    "a link in HTML",
    (path) => ({
      "index.mdx": `<a href="/${path}">Go</a> <area href="/${path}" /> <q cite="/${path}">Text</q>`,
    }),
  ],
  [
    "an image",
    (path) => ({ "index.mdx": `![Alt](/${path})\n\n<img src="/${path}" srcSet="/${path} 2x" alt="" />` }),
  ],
  [
    "media",
    (path) => ({
      "index.mdx": `<video src="/${path}" poster="/${path}"></video>\n\n<iframe src="/${path}" title="x" />\n\n<object data="/${path}" />`,
    }),
  ],
  [
    "a form",
    (path) => ({ "index.mdx": `<form action="/${path}"><button formAction="/${path}">Go</button></form>` }),
  ],
  [
    "a card",
    (path) => ({
      "index.mdx": `<Card title="A" href="/${path}" img="/${path}">Text</Card>\n\n<Tile title="A" href="/${path}" />`,
    }),
  ],
  [
    "frontmatter",
    (path) => ({
      "index.mdx": "Text.",
      "a.mdx": `---\nurl: "/${path}"\ncanonical: "/${path}"\n"og:image": "/${path}"\nrelated: ["/${path}"]\n---\n\nText.`,
    }),
  ],
  ["a description", (path) => ({ "index.mdx": `---\ndescription: "[Go](/${path})"\n---\n\nText.` })],
  [
    "an OpenAPI document",
    (path) => ({
      "index.mdx": "Text.",
      "single.mdx": "---\nopenapi: openapi.json GET /a\n---\n",
      "openapi.json": JSON.stringify({
        openapi: "3.1.0",
        info: {
          title: "T",
          version: "1",
          description: `[Go](/${path})`,
          contact: { url: `/${path}` },
          license: { name: "x", url: `/${path}` },
        },
        externalDocs: { url: `/${path}` },
        tags: [{ name: "t", description: `[Go](/${path})`, externalDocs: { url: `/${path}` } }],
        paths: {
          "/a": {
            get: {
              tags: ["t"],
              description: `[Go](/${path})`,
              externalDocs: { url: `/${path}` },
              parameters: [
                {
                  name: "p",
                  in: "query",
                  description: `[Go](/${path})`,
                  schema: { type: "string", externalDocs: { url: `/${path}` } },
                },
              ],
              responses: { 200: { description: `[Go](/${path})` } },
            },
          },
        },
      }),
    }),
    () => ({ navigation: { pages: ["index"], openapi: "openapi.json" } }),
  ],
  [
    "settings",
    () => ({ "index.mdx": "Text." }),
    (path) => ({
      logo: { light: `/${path}`, dark: `/${path}`, href: `/${path}` },
      favicon: `/${path}`,
      banner: { content: `[Go](/${path})` },
      navbar: {
        links: [{ label: "A", href: `/${path}` }],
        primary: { type: "button", label: "B", href: `/${path}` },
      },
      footer: { links: [{ header: "H", items: [{ label: "A", href: `/${path}` }] }] },
      navigation: {
        global: { anchors: [{ anchor: "A", href: `/${path}` }] },
        pages: ["index"],
        tabs: [{ tab: "T", href: `/${path}` }],
      },
      redirects: [{ source: "/old", destination: `/${path}` }],
      errors: { "404": { title: "x", description: `[Go](/${path})` } },
    }),
  ],
];

test.each(sinks)("%s", async (_, files, settings) => {
  for (const scheme of schemes)
    for (const target of [{}, { origin: "https://docs.example.com" }]) {
      const site = await buildSiteFrom(siteOf(files(scheme), settings?.(scheme) ?? {}), {
        ...target,
        links: "html",
      });
      expect(leaving(site), scheme).toEqual([]);
    }
});

test.each(["html", "clean"] as const)(
  "a page and a file whose names have a colon, with %s links",
  async (links) => {
    const files = {
      "index.mdx": "[Go](/javascript:quokka) ![](/data:quokka.png)",
      "javascript:quokka.mdx": "Text.",
      "data:quokka.png": "x",
    };
    const site = await buildSiteFrom(siteOf(files), { links });
    const html = site.read("index.html");
    const urls = [...html.matchAll(/(?:href|src)="([^"]*quokka[^"]*)"/g)].map(
      ([, url]) => new URL(url!, "https://docs.example.com/").origin,
    );
    expect(urls.length).toBeGreaterThan(0);
    expect(new Set(urls)).toEqual(new Set(["https://docs.example.com"]));
  },
);

test("the base path isn't followed by a host", async () => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": "[Go](/docs//quokka.example)" }), {
    links: "html",
    origin: "https://docs.example.com/docs",
  });
  expect(site.read("index.html")).not.toMatch(/href="\/\/?quokka/);
});

test("in the browser, the links of the sidebar", () => {
  const location = "https://docs.example.com/";
  for (const dataset of [{}, { root: "", linkSuffix: ".html" }, { root: "/" }, { root: "../" }]) {
    vi.stubGlobal("document", { documentElement: { dataset } });
    for (const scheme of [
      "javascript:quokka",
      "vbscript:quokka",
      "data:quokka",
      "tel:quokka",
      "a/javascript:quokka",
    ])
      expect(new URL(hrefOf(scheme), location).origin).toBe("https://docs.example.com");
  }
  vi.unstubAllGlobals();
});
