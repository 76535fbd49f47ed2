/** Air-gapped sites load nothing from other hosts, however it is written. */

import { expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

test.each([
  "<div style={{ backgroundImage: \"image-set('https://cdn.example/a.png' 1x)\" }}>Text</div>",
  "<div style={{ backgroundImage: String.raw`u\\72l(h\\74 tps\\3a //cdn.example/a.png)` }}>Text</div>",
  "<style>{String.raw`p { background: url('h\\74tps:\\\\cdn.example/a.png') }`}</style>\n\nText",
  "<style>{String.raw`p { background: -webkit-image-set(url(a.png) 1x, 'https:/cdn.example/a.png' 2x) }`}</style>\n\nText",
  "<style>{String.raw`p { background: url(\\/\\/cdn.example/a.png) }`}</style>\n\nText",
  '<svg viewBox="0 0 9 9"><rect fill="url(https://cdn.example/a.svg#b)" width="9" height="9" /></svg>Text',
  '<svg viewBox="0 0 9 9"><rect fill={String.raw`u\\72l(https://cdn.example/a.svg#b)`} width="9" height="9" /></svg>Text',
  '<svg viewBox="0 0 9 9"><g mask="url(https:/cdn.example/a.svg#b)"><path d="M0 0h9" /></g></svg>Text',
  '<svg viewBox="0 0 9 9"><g cursor="url(https://cdn.example/a.png), auto"><path d="M0 0h9" /></g></svg>Text',
  '<table background="https://cdn.example/a.png"><tbody><tr><td background="//cdn.example/b.png">Text</td></tr></tbody></table>',
  '<a href="/" ping="https://cdn.example/seen">Text</a>',
  '<video src="ftp://cdn.example/a.mp4" />Text',
  '<video><track src="https://cdn.example/a.vtt" /></video>Text',
  '<div data-style="background:url(https://cdn.example/a.png)" data-outside-style="x:url(https://cdn.example)" data-outside="https://cdn.example">Text</div>',
  "<style>{`@import/**/'https://cdn.example/a.css';`}</style>\n\nText",
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

test("unpaired surrogates on both sides of an image don't move what follows", async () => {
  const page = `${'{"a\\ud83d"}<img src="/i.png" alt="I" />{"\\ude00b"}'.repeat(30)}\n\n<p title="BBB">End</p>`;
  const files = { ...siteOf({ "index.mdx": page }), "i.png": "png" };
  const own = mainOf((await buildSiteFrom(files, { kind: "air-gapped" })).read("index.html"));
  expect(own.match(/<img [^>]*alt="I"[^>]*>/g)).toHaveLength(30);
  expect(own).toContain('<p title="BBB">End</p>');
});

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
