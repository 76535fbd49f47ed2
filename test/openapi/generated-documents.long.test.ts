/** The laws of real documents hold for generated documents. */

import { env } from "node:process";
import { beforeAll, expect, test } from "vitest";
import { checkDocument, noTotals } from "./conservation.ts";
import { generatedDocuments } from "./generated-documents.ts";
import { asVersion3 } from "./swagger2-facts.ts";
import { compareViews, useBrowserGlobals } from "./views.ts";

/** `GENERATED_DOCUMENTS`: how many documents are generated, and `GENERATED_SEED`: which ones. */
const documents = generatedDocuments(
  Number(env["GENERATED_DOCUMENTS"] ?? 120),
  Number(env["GENERATED_SEED"] ?? 2),
);

beforeAll(useBrowserGlobals);

test("every text and constraint is on the page and in Markdown", async () => {
  const totals = noTotals(documents.length);
  for (const [index, source] of documents.entries())
    await checkDocument(`document ${index}`, structuredClone(source), Number.POSITIVE_INFINITY, totals);
  expect(totals.lost).toEqual([]);
  expect(totals.checked).toBeGreaterThan(documents.length * 100);
});

test("all views agree", async () => {
  const found = { facts: 0, different: [] as string[] };
  for (const [index, source] of documents.entries()) {
    const root = source["swagger"] ? asVersion3(source) : source;
    const { facts, different } = await compareViews(root, JSON.stringify(source));
    found.facts += facts;
    found.different.push(...different.map((one) => `document ${index} ${one}`));
  }
  expect(found.different).toEqual([]);
  expect(found.facts).toBeGreaterThan(documents.length * 50);
});
