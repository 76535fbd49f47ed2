/** Air-gapped sites load nothing from other hosts, however it is written. */

import { expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

test.each([
  "<div style={{ backgroundImage: \"image-set('https://cdn.example/a.png' 1x)\" }}>Text</div>",
  "<div style={{ backgroundImage: String.raw`u\\72l(h\\74 tps\\3a //cdn.example/a.png)` }}>Text</div>",
  "<style>{String.raw`p { background: url('h\\74tps:\\\\cdn.example/a.png') }`}</style>\n\nText",
  "<style>{String.raw`p { background: -webkit-image-set(url(a.png) 1x, 'https:/cdn.example/a.png' 2x) }`}</style>\n\nText",
  "<style>{String.raw`p { background: url(\\/\\/cdn.example/a.png) }`}</style>\n\nText",
  ...[
    "https:\\\\cdn.example",
    "https:/cdn.example",
    "https:cdn.example",
    "/\\cdn.example",
    "\\\\cdn.example",
    "///cdn.example",
  ].flatMap((host) => [
    `<img src={${JSON.stringify(`${host}/a.png`)}} />Text`,
    `<video src={${JSON.stringify(`${host}/a.mp4`)}} poster={${JSON.stringify(`${host}/a.png`)}} />Text`,
  ]),
  '<div style={{ backgroundImage: "URL(https://cdn.example/a.png)" }}>Text</div>',
  "<style>{`@IMPORT 'https://cdn.example/a.css'; p { background: URL(https://cdn.example/b.png) }`}</style>\n\nText",
])("%s", async (mdx) => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": mdx }), { kind: "air-gapped" });
  expect(site.read("index.html")).toContain("Text");
  for (const file of site.paths.filter((path) => /\.(?:html|css)$/.test(path)))
    expect(loadedFrom(site.read(file))).not.toContain("cdn.example");
});

/** The text of a file without its links and attributes for readers. */
function loadedFrom(text: string): string {
  return text.replace(/<a [^>]*>.*?<\/a>/gs, "").replace(/<noscript.*?<\/noscript>/gs, "");
}

test("style sheets with escapes and without other hosts aren't changed", async () => {
  const css = String.raw`.md\:flex::before { content: "\e900 \"x\" \74"; background: image-set("a.png" 1x) }`;
  const site = await buildSiteFrom(siteOf({ "index.mdx": "Text", "style.css": css }), { kind: "air-gapped" });
  const text = site.paths.map((path) => (/\.(?:html|css)$/.test(path) ? site.read(path) : "")).join("\n");
  expect(text).toContain(String.raw`content: "\e900 \"x\" \74"`);
});

test("an image button becomes a link on an air-gapped site, and other sites allow its host", async () => {
  const files = siteOf({ "index.mdx": '<input type="image" src="https://cdn.example/a.png" alt="Start" />' });
  const airGapped = await buildSiteFrom(files, { kind: "air-gapped" });
  expect(mainOf(airGapped.read("index.html"))).toMatch(
    /<a [^>]*href="https:\/\/cdn\.example\/a\.png"[^>]*>Start/,
  );
  expect(mainOf(airGapped.read("index.html"))).not.toContain("<input");
  const hosted = await buildSiteFrom(files);
  expect(hosted.read("_octavo/security.json")).toContain("img-src 'self' data: blob: https://cdn.example");
});

test("the page of a playground's sign-in loads no icon from another host", async () => {
  const files = {
    "index.mdx": "Text",
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Plants", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/plants": { get: { responses: { 200: { description: "OK" } } } } },
    }),
  };
  const settings = {
    favicon: "https://cdn.example/icon.svg",
    navigation: {
      groups: [
        { group: "Guides", pages: ["index"] },
        { group: "API", openapi: "api.json" },
      ],
    },
  };
  const site = await buildSiteFrom(siteOf(files, settings), { kind: "client-hosted", links: "html" });
  const page = site.paths.find((path) => /oauth.*\.html$/.test(path))!;
  expect(site.read(page).replace(/<noscript.*?<\/noscript>/gs, "")).not.toContain("cdn.example");
});
