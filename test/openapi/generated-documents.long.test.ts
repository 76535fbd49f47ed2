/** The laws of real documents hold for generated documents. */

import { env } from "node:process";
import type { ErrorObject } from "ajv/dist/2020.js";
import { beforeAll, expect, test, vi } from "vitest";
import { checkDocument, noTotals } from "./conservation.ts";
import { generatedDocuments } from "./generated-documents.ts";
import { differentJudgments, type InvalidSample, invalidSamples, removeExamples } from "./judged-samples.ts";
import { asVersion3 } from "./swagger2-facts.ts";
import { compareViews, useBrowserGlobals } from "./views.ts";

/** `GENERATED_DOCUMENTS`: how many documents are generated, and `GENERATED_SEED`: which ones. */
const documents = generatedDocuments(
  Number(env["GENERATED_DOCUMENTS"] ?? 120),
  Number(env["GENERATED_SEED"] ?? 2),
);

beforeAll(useBrowserGlobals);

vi.setConfig({ testTimeout: Math.max(120_000, documents.length * 2_000) });

test("every text and constraint is on the page and in Markdown", async () => {
  const totals = noTotals(documents.length);
  for (const [index, source] of documents.entries())
    await checkDocument(`document ${index}`, structuredClone(source), Number.POSITIVE_INFINITY, totals);
  expect(totals.lost).toEqual([]);
  expect(totals.checked).toBeGreaterThan(documents.length * 100);
});

test("limits, patterns, and formats of allOf that restrict each other are on the page", async () => {
  const conflicting = generatedDocuments(documents.length, 3, true);
  const totals = noTotals(conflicting.length);
  for (const [index, source] of conflicting.entries())
    await checkDocument(`document ${index}`, source, Number.POSITIVE_INFINITY, totals);
  expect(totals.lost).toEqual([]);
  expect(totals.checked).toBeGreaterThan(conflicting.length * 100);
});

test("samples are valid", async () => {
  const totals = { checked: 0, unjudged: [] as string[] };
  const invalid: string[] = [];
  const excepted: Partial<Record<keyof typeof exceptions, number>> = {};
  for (const [index, source] of documents.entries()) {
    const written = structuredClone(source);
    removeExamples(written);
    for (const [where, sample] of await invalidSamples(written, totals)) {
      const reason = reasonOf(sample);
      if (reason) excepted[reason] = (excepted[reason] ?? 0) + 1;
      else invalid.push(`document ${index} ${where} ${sample.schemaPath} ${JSON.stringify(sample.sample)}`);
    }
  }
  expect(invalid).toEqual([]);
  expect(totals.unjudged).toEqual([]);
  expect(totals.checked).toBeGreaterThan(documents.length * 10);
  for (const [reason, share] of Object.entries(exceptions) as [keyof typeof exceptions, number][])
    expect((excepted[reason] ?? 0) / totals.checked, reason).toBeLessThanOrEqual(share);
});

/** Why samples aren't valid, and the largest share of them. */
const exceptions = {
  "several alternatives of oneOf accept it": 0.02,
  "only a much smaller value is valid": 0.015,
  "it must match a pattern of another part, and patterns aren't run": 0.015,
} as const;

/** Why a sample isn't valid. Undefined if it should be. */
function reasonOf({ errors, sample, better }: InvalidSample): keyof typeof exceptions | undefined {
  const isAmbiguous = ({ keyword, params, schema }: ErrorObject) =>
    (keyword === "oneOf" && params.passingSchemas !== null) ||
    (keyword === "contains" && JSON.stringify(schema).includes('"oneOf"'));
  const isPattern = ({ keyword, schemaPath }: ErrorObject) =>
    keyword === "pattern" || schemaPath.includes("/patternProperties/");
  if (errors.some(isAmbiguous)) return "several alternatives of oneOf accept it";
  if (errors.some(isPattern)) return "it must match a pattern of another part, and patterns aren't run";
  return better === undefined || JSON.stringify(better).length < 0.5 * JSON.stringify(sample).length
    ? "only a much smaller value is valid"
    : undefined;
}

test("answers are judged as Ajv judges them", async () => {
  // OpenAPI 3.1.1, 4.8.25: without a mapping, a value that is the name of no schema should be invalid. Many
  // documents have other values, so it's ignored.
  const isImplicit = (error: ErrorObject | undefined) =>
    error?.keyword === "oneOf" && JSON.stringify(error.schema).includes('"allOf":[{"$ref"');
  let checked = 0;
  const different: string[] = [];
  let implicit = 0;
  for (const [index, source] of documents.entries()) {
    const found = await differentJudgments(source, 10);
    checked += found.checked;
    expect(found.unjudged).toEqual([]);
    for (const [value, error] of found.different)
      if (isImplicit(error)) implicit++;
      else different.push(`document ${index} ${value} ${error?.schemaPath}`);
  }
  expect(different).toEqual([]);
  expect(checked).toBeGreaterThan(documents.length * 100);
  expect(implicit).toBeLessThanOrEqual(checked * 0.001);
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
