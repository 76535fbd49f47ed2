/** llms-full.txt contains lists of fields and examples once, and links to them. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildSiteFrom } from "../../../test/engine/build.ts";
import { corpusOf, inCorpus } from "../../../test/shared/corpus.ts";
import { RepeatedBlocks } from "./repeated-blocks.ts";

const fields = (margin: string, count = 6) =>
  Array.from(
    { length: count },
    (_, n) => `${margin}- \`field${n}\` (\`string\` · required): A text about field ${n} that isn't short.`,
  ).join("\n");
const page = (title: string) => ({ title, url: `/${title.toLowerCase()}`, sameAs: "Same as {name}" });

test("a block of an earlier page becomes a link with its heading, and a list and its example become one", () => {
  const blocks = new RepeatedBlocks();
  const code = `\`\`\`json\n{\n\n${'  "text": "abc",\n'.repeat(10)}}\n\`\`\``;
  const error = `${fields("")}\n\n${code}`;
  const first = `## Responses\n\n### 404 Not Found\n\nText.\n\n${error}`;
  expect(blocks.replaceIn(first, page("One"))).toBe(first);
  expect(blocks.replaceIn(`### 500\n\nOther.\n\n${error}\n\nEnd.`, page("Two"))).toBe(
    "### 500\n\nOther.\n\nSame as [One: 404 Not Found](/one)\n\nEnd.",
  );
});

test("a fence ends at a line with its mark only, so code can contain other fences", () => {
  const blocks = new RepeatedBlocks();
  const code = `\`\`\`md\n\`\`\`js\n\n${"A line of code.\n".repeat(10)}\n~~~\n\n\`\`\``;
  const markdown = `Text.\n\n${code}\n\nEnd.`;
  expect(blocks.replaceIn(markdown, page("One"))).toBe(markdown);
  expect(blocks.replaceIn(markdown, page("Two"))).toBe("Text.\n\nSame as [One](/one)\n\nEnd.");
});

test("nested fields become a link with the name of their field, at any depth", () => {
  const blocks = new RepeatedBlocks();
  const item = (name: string, margin: string) =>
    `${margin}- \`${name}\` (\`object\`)\n${fields(`${margin}  `)}`;
  const first = `## Body\n\n${item("user", "")}`;
  expect(blocks.replaceIn(first, page("One"))).toBe(first);
  expect(
    blocks.replaceIn(
      `- \`id\` (\`string\`)\n- \`data\` (\`object\`)\n${item("owner", "  ")}\n- \`end\` (\`string\`)`,
      page("Two"),
    ),
  ).toBe(
    "- `id` (`string`)\n- `data` (`object`)\n  - `owner` (`object`)\n    - Same as [One: Body, user](/one)\n- `end` (`string`)",
  );
});

test("short blocks and other texts stay as they are", () => {
  const blocks = new RepeatedBlocks();
  const text = `- \`a\` (\`string\`)\n\n${"A long paragraph. ".repeat(20).trim()}`;
  for (const title of ["One", "Two"]) expect(blocks.replaceIn(text, page(title))).toBe(text);
});

const documents = ["qdrant-3.0.json", "nomad-3.0.yaml", "kratos-3.0.json", "moby-2.0.yaml"]
  .map((file) => path.join(corpusOf.openapiMore, file))
  .filter(inCorpus);

test.each(documents)("%s: the text is at most 1.5 times as long as the document", async (file) => {
  const name = path.basename(file);
  const text = readFileSync(file, "utf8");
  const site = await buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { tabs: [{ tab: "API", openapi: name }] },
    }),
    [name]: text,
  });
  const full = site.read("llms-full.txt");
  expect(full.length / text.length).toBeLessThan(1.5);

  // Each link to a page names a part of the file.
  const sources = new Set([...full.matchAll(/^Source: (\S+)$/gm)].map(([, url]) => url));
  const links = [...full.matchAll(/Same as \[(?:[^\]\\]|\\.)*\]\(([^)]*)\)/g)].map(([, url]) => url!);
  expect(links.length).toBeGreaterThan(20);
  expect(
    links.filter(
      (url) => !sources.has(url) && !sources.has(url.replace(/\.md$/, "")) && !url.includes("/_octavo/"),
    ),
  ).toEqual([]);

  // No label of a button is left, and no field without its name.
  expect(full).not.toMatch(/^\s*- Show `/m);
});
