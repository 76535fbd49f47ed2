import { describe, expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../test/engine/build.ts";
import { withLayeredResets } from "./layered-resets.ts";

const spaces = "*, ::before { margin: 0 }";
const layered = "@layer reset{*, ::before {margin: 0}}";

describe("resets in authors' style sheets", () => {
  test.each([
    ["spacing of all elements", "*{margin:0;padding:0}", "@layer reset{*{margin:0;padding:0}}"],
    [
      "size of headings",
      "h1, h2 { font-size: inherit; color: inherit }",
      "@layer reset{h1, h2 {font-size: inherit;color: inherit}}",
    ],
    [
      "borders of all elements, with their color",
      "*,::after{border-width:0;border-color:#e5e7eb}",
      "@layer reset{*,::after{border-width:0;border-color:#e5e7eb}}",
    ],
    [
      "lists and links of the same style sheet",
      `${spaces} ol, ul { list-style: none } a { color: inherit; text-decoration: inherit }`,
      `${layered}@layer reset{ ol, ul {list-style: none}}@layer reset{ a {color: inherit;text-decoration: inherit}}`,
    ],
    [
      "only the values that remove styles",
      `${spaces} h2 { margin: 0; color: red; font-size: 2rem }`,
      `${layered}@layer reset{ h2 {margin: 0}} h2 {color: red;font-size: 2rem}`,
    ],
    ["in layers and media queries", "@layer base{*{margin:0}}", "@layer base{@layer reset{*{margin:0}}}"],
    [
      "selectors with functions",
      "*,a:where([b='{']){padding:0}",
      "@layer reset{*,a:where([b='{']){padding:0}}",
    ],
    ["after a comment", "/* h2 { */*{margin:0}", "/* h2 { */@layer reset{*{margin:0}}"],
  ])("are in a layer: %s", (_, css, expected) => {
    expect(withLayeredResets(css)).toBe(expected);
  });

  test.each([
    ["other rules of elements", "h2 { color: red; margin: 0 } a { text-decoration: none }"],
    ["the box model", "* { box-sizing: border-box } a { text-decoration: none }"],
    ["classes and IDs", `.prose h2 { font-size: inherit } #content-area h2 { font-size: 100% }`],
    ["important declarations", "h2 { font-size: inherit !important } * { border: 0 !important }"],
    ["custom properties", "* { --gap: 0 }"],
    ["text in strings and comments", `a::after { content: "*{margin:0}" } /* *{margin:0} */`],
    ["rules in other at-rules", "@font-face { font-size: inherit } @keyframes a { from { margin: 0 } }"],
    ["rules without an end", "*{margin:0"],
    ["nested rules", "* { margin: 0; &:hover { margin: 0 } }"],
  ])("are nothing else: %s", (_, css) => {
    expect(withLayeredResets(css)).toBe(css);
  });

  test("are read in linear time", () => {
    for (const part of [
      "/*",
      "/**/",
      "*{margin:0;",
      "/*{*/",
      "{",
      "}",
      '"',
      "h1,",
      "(",
      "*{margin:0}",
      "@media x{",
      ";",
    ]) {
      const css = `*{margin:0}${part.repeat(100_000)}`;
      expect(withLayeredResets(css).length).toBeGreaterThan(css.length);
    }
  });

  test("keep an author's file as it is on hosted sites, and are layered on all kinds of sites", async () => {
    const files = siteOf({ "index.mdx": "Text", "a.css": "\ufeff.a{color:red}", "b.css": "*{margin:0}" });
    for (const kind of ["cloud", "client-hosted", "air-gapped"] as const) {
      const site = await buildSiteFrom(files, { kind });
      expect(site.read("b.css")).toBe("@layer reset{*{margin:0}}");
      expect([...site.bytes("a.css").slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    }
  });
});
