/**
 * Ajv accepts the examples of parameters, requests and responses of real documents. The examples that
 * authors wrote are removed from the document first, and put back for a second look.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { ErrorObject } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { corpusEntries, corpusOf } from "../shared/corpus.ts";
import { invalidSamples, removeExamples } from "./judged-samples.ts";

const files = [corpusOf.openapi, corpusOf.openapiMore].flatMap((folder) =>
  corpusEntries(folder)
    .filter((name) => /-[23]\.\d\.(?:json|ya?ml)$/.test(name))
    .map((name) => path.join(folder, name)),
);

type Exception = "author" | "ambiguous" | "contradictory" | "long";

/** Why examples aren't valid, and how many aren't. `is`: finds them by their place and by Ajv's error. */
const exceptions: Record<
  Exception,
  { reason: string; is: (where: string, error: ErrorObject) => boolean; most: number }
> = {
  author: {
    reason: "the author's own example, default or enum isn't valid, and a generated one is",
    is: () => false,
    most: 78,
  },
  ambiguous: {
    reason: "several alternatives of oneOf accept it, since they require and forbid nothing",
    is: (_, { keyword, params }) => keyword === "oneOf" && params.passingSchemas !== null,
    most: 20,
  },
  contradictory: {
    reason: "no value is valid, or only an empty one",
    is: (where, { keyword, params }) =>
      /allof-(?:incompatible-types|strict)|quirks\/polymorphism|additional-properties-3/.test(where) ||
      // The pattern is in slashes, as in JavaScript: nothing comes before the start.
      (keyword === "pattern" && params.pattern.startsWith("/^")),
    most: 15,
  },
  long: {
    reason: "an example has at most 20 items of a list",
    is: (_, { keyword, params }) => keyword === "minItems" && params.limit > 20,
    most: 1,
  },
};

const totals = {
  checked: 0,
  unjudged: [] as string[],
  excepted: { author: 0, ambiguous: 0, contradictory: 0, long: 0 } as Record<Exception, number>,
};

function except(where: string, error: ErrorObject): boolean {
  const found = Object.entries(exceptions).find(([, { is }]) => is(where, error));
  if (found) totals.excepted[found[0] as Exception]++;
  return found !== undefined;
}

describe.runIf(files.length > 0)("examples are valid", () => {
  test.each(files)("%s", async (file) => {
    const text = readFileSync(file, "utf8");
    const source = file.endsWith(".json")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, merge: true });
    const generated = structuredClone(source);
    removeExamples(generated);
    const invalid = await invalidSamples(generated, totals);
    const lost = [...invalid].filter(([where, error]) => !except(`${path.basename(file)} ${where}`, error));
    expect(lost).toEqual([]);

    for (const [where] of await invalidSamples(source, totals))
      if (!invalid.has(where)) totals.excepted.author++;
  });

  test.each(Object.entries(exceptions))("except %s", (exception, { most }) => {
    expect(totals.excepted[exception as Exception]).toBeLessThanOrEqual(most);
  });

  test("are many", () => {
    expect(totals.checked).toBeGreaterThan(16_000);
    expect(new Set(totals.unjudged)).toEqual(
      new Set([
        // In metaculus, reported as `openapi-invalid`.
        'required value must be ["array"]',
        // In discriminator-3.0: alternatives that include the schema that lists them.
        "Maximum call stack size exceeded",
      ]),
    );
    expect(totals.unjudged.length).toBeLessThan(10);
  });
});
