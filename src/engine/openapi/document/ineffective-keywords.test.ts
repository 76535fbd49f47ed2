/** Keywords without effect are reported: those that Ajv's strict mode rejects. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { schemaKeywords } from "../../../../test/openapi/specification-keys.ts";
import { readDocument } from "./api-document.ts";

async function reported(schema: object, version = "3.1.0"): Promise<string[]> {
  const { problems } = await readDocument(
    "api.json",
    JSON.stringify({
      openapi: version,
      info: { title: "Test", version: "1" },
      paths: { "/": { get: { responses: { 200: { description: "Fine" } } } } },
      components: { schemas: { it: schema, Shared: { type: "string" } } },
    }),
  );
  return problems
    .filter(({ code }) => code === "openapi-ineffective-keyword")
    .map(({ message }) => message.replace(/ \(at .*/, ""));
}

const ajv = new Ajv2020({ strict: false, strictTypes: true, validateSchema: false, allowUnionTypes: true });

/** Whether Ajv knows that a keyword of a schema doesn't apply to its type. */
function isRejected(schema: object): boolean {
  try {
    ajv.compile(schema);
    return false;
  } catch (error) {
    return /missing type .* for keyword/.test((error as Error).message);
  }
}

describe("each keyword with each type", () => {
  const types = ["string", "number", "integer", "boolean", "array", "object", "null"];
  const keywords = schemaKeywords("3.1", () => "mark").filter(
    // Ajv doesn't know or ignores those for content. A `format` can be for any type (Validation, 7.1).
    ({ name }) => !/^(?:content.*|format|type|\$ref|\$dynamicRef)$/.test(name),
  );
  test.each(keywords)("$name", async ({ name, schema, without }) => {
    const value = (schema as Record<string, unknown>)[name];
    for (const type of types) {
      const it = { ...without, type, [name]: value };
      const found = (await reported(it)).filter((message) => message.startsWith(`${name} `));
      expect([type, found]).toEqual([
        type,
        isRejected({ type, [name]: value }) ? [`${name} has no effect on the type ${type}`] : [],
      ]);
    }
  });
});

test.each<[schema: object, found: string[]]>([
  [{ type: "string", contentMediaType: "image/png", contentEncoding: "base64" }, []],
  [{ type: "object", contentEncoding: "base64" }, ["contentEncoding has no effect on the type object"]],
  [
    { type: ["integer", "null"], contentSchema: {} },
    ["contentSchema has no effect on the type integer or null"],
  ],
  [{ type: ["array", "null"], items: {} }, []],
  [{ items: {} }, []],
  [{ ["then" as string]: { required: ["a"] } }, ["then has no effect on a schema without if"]],
  [{ else: {} }, ["else has no effect on a schema without if"]],
  [{ type: "array", minContains: 1 }, ["minContains has no effect on a schema without contains"]],
  // Names of properties and values aren't keywords.
  [{ type: "object", properties: { type: { type: "string" }, items: { type: "string" } } }, []],
  [{ type: "object", example: { type: "string", items: [] } }, []],
  [
    { properties: { a: { items: { type: "string", properties: {} } } } },
    ["properties has no effect on the type string"],
  ],
  [
    { contentSchema: { type: "string", items: {} }, contentMediaType: "application/json" },
    ["items has no effect on the type string"],
  ],
])("%j", async (schema, found) => {
  expect(await reported(schema)).toEqual(found);
});

test("each kind is reported once, with its first place", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`p${index}`, { type: "array", maxLength: 3 }]),
  );
  const { problems } = await readDocument(
    "api.yaml",
    JSON.stringify({
      swagger: "2.0",
      info: { title: "Test", version: "1" },
      paths: { "/": { get: { responses: { 200: { description: "Fine" } } } } },
      definitions: { it: { type: "object", properties } },
    }),
  );
  expect(
    problems.filter(({ code }) => code === "openapi-ineffective-keyword").map(({ message }) => message),
  ).toEqual([
    "maxLength has no effect on the type array (at #/definitions/it/properties/p0/maxLength) (and 19 more like it)",
  ]);
});
