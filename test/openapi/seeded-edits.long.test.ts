/**
 * 200 random edits of large documents are found, and nothing else. GitHub's and Stripe's documents are in npm packages
 * that are too large for development dependencies. To add them:
 *
 *     npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz
 *     OPENAPI_DOCUMENT=package/generated/api.github.com.json npx vitest run --project long test/openapi/seeded-edits
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { env } from "node:process";
import { expect, test } from "vitest";
import type { Change } from "../../src/engine/openapi/changes/change.ts";
import { compareDocuments } from "../../src/engine/openapi/changes/compare-documents.ts";
import { readDocument } from "../../src/engine/openapi/document/api-document.ts";
import { corpusEntries, corpusOf } from "../shared/corpus.ts";
import { type ExpectedChange, editDocument, type Json } from "./seeded-edits.ts";

const edits_count = 200;
const files = [
  ...corpusEntries(corpusOf.openapi)
    .filter((name) => /^(?:twilio|adyen|box|star-trek).*\.json$/.test(name))
    .map((name) => path.join(corpusOf.openapi, name)),
  ...(env["OPENAPI_DOCUMENT"] === undefined ? [] : [env["OPENAPI_DOCUMENT"]]),
];

async function compare(before: Json, after: Json): Promise<Change[]> {
  const [earlier, later] = await Promise.all(
    [before, after].map((json) => readDocument("api.json", JSON.stringify(json), { isChecked: false })),
  );
  return compareDocuments(earlier!.document!, later!.document!);
}

const isAt = (change: Change, { rules, before, after }: ExpectedChange) =>
  rules.test(change.rule) && (before === undefined ? change.after === after : change.before === before);

const small: Json = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `/pets/${index}`,
      {
        post: {
          operationId: `pet${index}`,
          parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
          requestBody: {
            content: { "application/json": { schema: { $ref: `#/components/schemas/Pet${index}` } } },
          },
          responses: {
            200: {
              description: "",
              content: { "application/json": { schema: { $ref: `#/components/schemas/Pet${index}` } } },
            },
            404: { description: "" },
          },
        },
      },
    ]),
  ),
  components: {
    schemas: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `Pet${index}`,
        {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string" },
            kind: { type: "string", enum: ["cat", "dog"] },
            tags: { type: "array", items: { type: "string" } },
            owner: { type: "object", properties: { id: { type: "string" }, age: { type: "integer" } } },
          },
        },
      ]),
    ),
  },
};

const documents: [name: string, read: () => Json][] = [
  ["a small document", () => small],
  ...files.map((file): [string, () => Json] => [
    path.basename(file),
    () => JSON.parse(readFileSync(file, "utf8")) as Json,
  ]),
];

test.each(documents)("%s", { timeout: 300_000 }, async (_, read) => {
  const source = read();
  const kinds = new Set<string>();
  for (const seed of [1, 2, 3]) {
    const { document, expected } = editDocument(source, edits_count, seed);
    const changes = await compare(source, document);
    const missing = expected.filter(
      (one) => !changes.some((change) => isAt(change, one) && change.operations.includes(one.operation)),
    );
    const invented = changes.filter((change) => !expected.some((one) => isAt(change, one)));
    for (const { edit } of expected) kinds.add(edit);
    expect({ seed, missing, invented }).toEqual({ seed, missing: [], invented: [] });
  }
  expect(kinds.size).toBeGreaterThan(20);
});
