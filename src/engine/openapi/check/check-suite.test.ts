/** Runs the official JSON Schema Test Suite (draft 2020-12) against the validation of values. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { corpusOf, inCorpus } from "../../../../test/shared/corpus.ts";
import { parseJson } from "../nodes/json-text.ts";
import { isRaw, type Raw, Refs } from "../nodes/refs.ts";
import { resolveIdentifiers } from "../schema/schema-identifiers.ts";
import { schemaRef } from "../schema/schema-view.ts";
import { checkValue } from "./check-value.ts";

interface Group {
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/** Files and groups that don't apply, with the reason. */
const notApplicable: [reason: string, file: RegExp, group: RegExp][] = [
  [
    "formats are checked, and not only annotations",
    /^format\.json$|^optional\/format\/unknown/,
    /^(?!unknown)/,
  ],
  ["metaschemas and vocabularies are other documents", /./, /metaschema|vocabular|meta-schema/],
  ["references to other documents aren't followed", /^refRemote|^(?:anchor|defs|dynamicRef|ref)\.json/, /./],
];

const suite = corpusOf.schemaSuite;
const files = inCorpus(suite)
  ? readdirSync(suite, { recursive: true })
      .map((file) => String(file))
      .filter((file) => file.endsWith(".json"))
      .sort()
  : [];

const base = "http://localhost:1234/draft2020-12/";

/** Creates a document with one schema, which has an identifier, as the suite requires. */
function documentOf(schema: unknown): Raw {
  const identified = isRaw(schema)
    ? { ...schema, $id: typeof schema.$id === "string" ? schema.$id : `${base}test.json` }
    : schema;
  const root: Raw = { openapi: "3.1.0", components: { schemas: { it: structuredClone(identified) } } };
  resolveIdentifiers(root);
  return root;
}

/** Whether a schema still has references to other documents after its identifiers have been resolved. */
function refersOutside(root: Raw): boolean {
  return /"\$(?:ref|dynamicRef)":"(?!#)/.test(JSON.stringify(root));
}

const testPattern = (pattern: string, text: string) => new RegExp(pattern, "u").test(text);

const results = files.flatMap((file) =>
  (parseJson(readFileSync(path.join(suite, file), "utf8")) as Group[]).flatMap(
    ({ description, schema, tests }) => {
      const root = documentOf(schema);
      const refs = new Refs(root);
      const excluded = notApplicable.find(
        ([reason, inFile, inGroup]) =>
          inFile.test(file) &&
          inGroup.test(description) &&
          (!reason.startsWith("references") || refersOutside(root)),
      );
      return tests.map((one) => {
        const findings = excluded
          ? []
          : checkValue(one.data, schemaRef(refs.at("#/components/schemas/it")!), refs, "schema", "it", {
              testPattern,
            });
        return {
          name: `${file}: ${description}: ${one.description}`,
          reason: excluded?.[0],
          valid: one.valid,
          isValid: findings.length === 0,
        };
      });
    },
  ),
);

describe.runIf(files.length > 0)("the JSON Schema Test Suite", () => {
  const applicable = results.filter(({ reason }) => reason === undefined);

  test("no valid value has a finding", () => {
    expect(applicable.filter(({ valid, isValid }) => valid && !isValid).map(({ name }) => name)).toEqual([]);
  });

  test("every invalid value has a finding", () => {
    expect(applicable.filter(({ valid, isValid }) => !valid && isValid).map(({ name }) => name)).toEqual([]);
  });

  test("almost all tests apply", () => {
    const counts: Record<string, number> = {};
    for (const { reason = "applicable" } of results) counts[reason] = (counts[reason] ?? 0) + 1;
    expect(counts).toEqual({
      applicable: 1562,
      "formats are checked, and not only annotations": 133,
      "metaschemas and vocabularies are other documents": 7,
      "references to other documents aren't followed": 46,
    });
  });
});
