import { describe, expect, test } from "vitest";
import { buildSiteFrom, mainOf, siteOf } from "../../../test/engine/build.ts";
import type { RecordedParts } from "./body.ts";
import { BodyReader, splitUrls } from "./read-body.ts";

function read(html: string) {
  const reader = new BodyReader("guides");
  const empty = { description: "", lead: "", aside: "", markdown: "", reference: "", toc: "" };
  const body = reader.readBody({ ...empty, html });
  const recorded = (JSON.parse(body.holes) as RecordedParts).html;
  return { text: body.html, ...recorded, hosts: reader.embeddedHosts, files: reader.files };
}

test("URLs and content are holes, whose positions are in bytes", () => {
  expect(read('<p>ü <a href="\x7f/a?b&amp;c">A <img src="\x7f/a.png"></a></p>')).toMatchObject({
    text: '<p>ü <a href="">A </a></p>',
    holes: [
      { kind: "url", at: 15, value: "/a?b&c" },
      { kind: "content", at: 19, value: '<img src="\x7f/a.png">', isInLink: true },
    ],
    files: ["/a.png"],
  });
});

test("content that loads files is recorded as a whole, with its hosts and styles", () => {
  const video = '<video src="https://a.example/a.mp4"><track src="\x7f/t.vtt"></video>';
  const style = "<style>.a{background:url(b.png)}</style>";
  const found = read(`<b style="color:red">B</b>${video}${style}<i data-src="/c.png"></i>`);
  expect(found.holes.map(({ value }) => value)).toEqual([video, style]);
  expect(found.styles).toEqual(["color:red"]);
  expect(found.hosts).toEqual({ media: ["https://a.example"], image: ["https://a.example"] });
  expect(found.files.sort()).toEqual(["/c.png", "/guides/b.png", "/t.vtt"]);
});

test.each([
  ["text", "<p>\x7f/a</p>"],
  ["text after a URL", '<a href="/b">\x7f/a</a>'],
  ["code with quotation marks", '<code>href="\x7f/a"</code>'],
  ["text with >", '<p title=">">href="\x7f/a"</p>'],
  ["a text attribute", '<p title="\x7f/a">'],
  ["data for scripts", '<p data-props="{&quot;href&quot;:&quot;\x7f/a&quot;}">'],
  ["a style sheet", '<style>[href="\x7f/a"]{}</style>'],
  ["many texts", "\x7f/a ".repeat(50_000)],
])("a mark in %s is no hole", (_, html) => {
  expect(splitUrls(html)).toEqual([html]);
});

describe.each(["cloud", "client-hosted", "air-gapped"] as const)("on %s sites", (kind) => {
  test("an author's text can't forge holes", async () => {
    const mark = "\x7f/next";
    const written = JSON.stringify(mark);
    const page = [
      `<p title={${written}}>{${written}}</p><b>bold</b>`,
      `<Card title={${written}} href="/next">{${written}}</Card>`,
      `\`href="${mark}"\``,
      '<p>{"\\u007f/"}</p><img src="https://evil.example/a.png" alt="x" />',
      `<a href={${JSON.stringify("\x7fhttps://evil.example/")}}>A</a>`,
    ].join("\n\n");
    const site = await buildSiteFrom(siteOf({ "index.mdx": page, "next.mdx": "Text." }), {
      kind,
      links: "html",
    });
    const html = mainOf(site.read("index.html"));
    expect(html).toContain(`<p title="/next">${mark}</p>`);
    expect(html).toContain("<b>bold</b>");
    expect(html).toContain(`>href=&quot;${mark}&quot;</code>`);
    // The card, and the link to the next page.
    expect(html.match(/href="next\.html"/g)).toHaveLength(2);
    const loaded = html.replace(/<noscript.*?<\/noscript>/gs, "");
    expect(/<img[^>]*evil/.test(loaded)).toBe(kind === "cloud");
  });
});
