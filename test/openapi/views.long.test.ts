/** All views of an operation agree: document, page, Markdown, library, form, checker and sample. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { corpusEntries, corpusOf } from "../shared/corpus.ts";
import { asVersion3 } from "./swagger2-facts.ts";
import { compareViews, useBrowserGlobals } from "./views.ts";

const files = [corpusOf.openapi, corpusOf.openapiMore].flatMap((folder) =>
  corpusEntries(folder)
    .filter((name) => /-[23]\.\d\.(?:json|ya?ml)$/.test(name))
    .map((name) => path.join(folder, name)),
);

const totals = { operations: 0, facts: 0 };

describe.runIf(files.length > 0)("views agree", () => {
  beforeAll(useBrowserGlobals);

  test.each(files)("%s", async (file) => {
    const text = readFileSync(file, "utf8");
    const source = file.endsWith(".json")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, merge: true });
    const root = source.swagger ? asVersion3(source) : source;
    const { operations, facts, different } = await compareViews(root, JSON.stringify(source));
    totals.operations += operations;
    totals.facts += facts;
    expect(different).toEqual([]);
  });

  test("are many", () => {
    expect(totals.operations).toBeGreaterThan(1_900);
    expect(totals.facts).toBeGreaterThan(44_000);
  });
});
