/** Air-gapped sites load nothing from other hosts, however it is written. */

import { expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";

test.each([
  '<div style={{ backgroundImage: "URL(https://cdn.example/a.png)" }}>Text</div>',
  "<style>{`@IMPORT 'https://cdn.example/a.css'; p { background: URL(https://cdn.example/b.png) }`}</style>\n\nText",
])("%s", async (mdx) => {
  const site = await buildSiteFrom(siteOf({ "index.mdx": mdx }), { kind: "air-gapped" });
  expect(site.read("index.html")).toContain("Text");
  for (const file of site.paths.filter((path) => /\.(?:html|css)$/.test(path)))
    expect(site.read(file)).not.toContain("cdn.example");
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
