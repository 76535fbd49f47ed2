/** Frontmatter that is read without the YAML parser has the same value as with it. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readTextLines, splitPage } from "./frontmatter.ts";

const piece = fc.constantFrom(
  ..."a B 0 -1 true null Yes 1.5 0x1f : # : , - [ ] { } & * ! | > ' \" % @ ` ~ \\ / é 漢 … \u00a0 \u2028 \u3000 \t".split(
    " ",
  ),
  " ",
  ": ",
  " #",
);
const value = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
const quoted = fc.tuple(fc.constantFrom('"', "'"), value).map(([quote, text]) => `${quote}${text}${quote}`);
const key = fc.constantFrom("title", "description", "sidebarTitle", "x-y", "null", "True", "1");
const line = fc
  .tuple(key, fc.constantFrom(": ", ": ", ":"), fc.oneof(value, quoted))
  .map((parts) => parts.join(""));

test("lines of text have the values that the YAML parser reads", () => {
  let read_count = 0;
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const yaml = lines.join("\n");
      const values = readTextLines(yaml);
      if (!values) return;
      read_count++;
      expect(values).toEqual(parse(yaml, { schema: "core", logLevel: "error" }));
    }),
    { numRuns: 5_000 },
  );
  expect(read_count).toBeGreaterThan(100);
});

test("the usual frontmatter of a page consists of lines of text", () => {
  const yaml = `title: Quickstart\ndescription: "Build a site: in five minutes"\nicon: 'rocket'\nsidebarTitle: What's new & next`;
  expect(readTextLines(yaml)).toEqual({
    title: "Quickstart",
    description: "Build a site: in five minutes",
    icon: "rocket",
    sidebarTitle: "What's new & next",
  });
});

test.each([
  "title: true",
  "title: 3",
  "title: [a]",
  "title: a: b",
  "title: a # b",
  "title: |\n  a",
  "title: a\ntitle: b",
  "title:",
])("other frontmatter is left to the YAML parser: %j", (yaml) => {
  expect(readTextLines(yaml)).toBeUndefined();
  expect(splitPage(`---\n${yaml}\n---\n`, "page.mdx").body).toBe("");
});
