/** What code frames mark: the place of a missing comma, and the whole of a broken link. */

import { expect, test } from "vitest";
import { buildSiteFrom, type Sources, siteOf } from "../../test/engine/build.ts";

async function marked(files: Sources): Promise<string[]> {
  const { problems } = await buildSiteFrom(files);
  return problems.map(({ line, column, frame }) => {
    const lines = frame!.split("\n");
    const at = lines.findIndex((text) => text.startsWith(">"));
    return `${line}:${column}\n${lines.slice(at, at + 2).join("\n")}`;
  });
}

test.each([
  ['{\n  "name": "A"\n\n  "theme": "mint"\n}', '2:14\n> 2 |   "name": "A"\n    |              ^'],
  ['{ "name": "A" "theme": "mint" }', '1:14\n> 1 | { "name": "A" "theme": "mint" }\n    |              ^'],
  ['{\n  "a": [\n    1 // one\n  ]\n}', "3:6\n> 3 |     1 // one\n    |      ^"],
  ['{\n  "name": "A"', '2:14\n> 2 |   "name": "A"\n    |              ^'],
])("a missing comma is marked after the value: %j", async (text, frame) => {
  expect(await marked({ "docs.json": text, "index.mdx": "Text." })).toEqual([frame]);
});

test.each([
  ["See [there](/gone/page), too.", "See [there](/gone/page), too.", "    ^^^^^^^^^^^^^^^^^^^"],
  ['<Card title="A" href="/gone">x</Card>', '<Card title="A" href="/gone">x</Card>', "^".repeat(28)],
  ["![An image](/gone.png)", "![An image](/gone.png)", "^".repeat(22)],
  ["[here](#nowhere)", "[here](#nowhere)", "^".repeat(16)],
  ["[here](gone)", "[here](gone)", "^".repeat(12)],
])("a broken link is marked whole: %s", async (text, line, carets) => {
  const [frame] = await marked(siteOf({ "index.mdx": `---\ntitle: A\n---\n\n${text}\n` }));
  expect(frame!.split("\n").slice(1)).toEqual([`> 5 | ${line}`, `    | ${carets}`]);
});
