/**
 * Tests that no word of a page is lost: each word of prose, code, props, and alternative texts in a source is
 * in the HTML and in the Markdown. The expected words come from a walker that knows nothing of the engine.
 * The long test covers the corpus.
 */

import path from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../test/engine/build.ts";
import { conservationOf } from "../../test/engine/conservation.ts";
import { corpusEntries, corpusOf } from "../../test/shared/corpus.ts";
import { components } from "./components/components.ts";

test("our documentation", async () => {
  const { checked, found, excepted, missing } = await conservationOf(path.join(root, "docs"));
  console.log(`docs: ${checked} words checked, ${found} found, ${excepted} excepted`);
  expect(missing).toEqual([]);
  expect(checked).toBeGreaterThan(100_000);
  expect(excepted / checked).toBeLessThan(0.005);
});

const cases = corpusOf.fieldCases;
const folders = ["repos", "sites"].flatMap((kind) =>
  corpusEntries(path.join(cases, kind)).map((name) => path.join(cases, kind, name, "docs")),
);
describe.skipIf(folders.length === 0)("field cases", () => {
  test("exist", () => expect(folders.length).toBeGreaterThan(10));
  test.each(folders.map((folder) => [path.relative(cases, folder), folder]))("%s", async (_, folder) => {
    expect((await conservationOf(folder!)).missing).toEqual([]);
  });
});

test("fails if a component isn't rendered", async () => {
  const { render, markdown } = components.Tooltip;
  try {
    Object.assign(components.Tooltip, { render: () => null, markdown: { inline: () => "" } });
    const { missing } = await conservationOf(path.join(root, "docs"));
    expect(
      missing.filter((found) => found.startsWith("components/badges-and-tooltips.mdx")).length,
    ).toBeGreaterThan(3);
  } finally {
    Object.assign(components.Tooltip, { render, markdown });
  }
});
