/** Tests the validation of values, requests and responses. Expected findings are written as `code path`. */

import { describe, expect, test } from "vitest";
import { operationOf } from "../../../../test/engine/operation.ts";
import { type Raw, Refs } from "../nodes/refs.ts";
import type { RequestInputs } from "../request/request-model.ts";
import { schemaRef } from "../schema/schema-view.ts";
import { checkRequest, checkResponse } from "./check-contract.ts";
import { type CheckOptions, checkValue } from "./check-value.ts";

function check(
  schema: unknown,
  value: unknown,
  options: { components?: Raw; direction?: "request" | "response" } & CheckOptions = {},
): string[] {
  const refs = new Refs({ openapi: "3.1.0", components: { schemas: { it: schema, ...options.components } } });
  return checkValue(
    value,
    schemaRef(refs.at("#/components/schemas/it")!),
    refs,
    options.direction ?? "response",
    "body",
    options,
  ).map(({ code, path }) => `${code} ${path}`);
}

const object = (properties: Raw, more: Raw = {}) => ({ type: "object", properties, ...more });

describe("keywords", () => {
  test.each<[unknown, unknown, string[]]>([
    [{ type: "string" }, 1, ["type body"]],
    [{ type: ["string", "integer"] }, 1.5, ["type body"]],
    [{ type: "integer" }, 1.0, []],
    [{ type: "number" }, 1n, []],
    [{ type: "integer" }, 12345678901234567890n, []],
    [{ type: "string" }, null, ["type body"]],
    [{ type: ["string", "null"] }, null, []],
    [{ type: "string", nullable: true }, null, []],
    [{ type: "string", nullable: true, enum: ["a"] }, null, []],
    [{ oneOf: [{ type: "string" }, { type: "null" }] }, null, []],
    [{ type: "null" }, 1, ["type body"]],
    [{ minLength: 3 }, 7, []],
    [true, 1, []],
    [false, 1, ["never body"]],
    [{ enum: ["a", 1, { b: 2, c: 3 }] }, { c: 3, b: 2 }, []],
    [{ enum: ["a"] }, "b", ["enum body"]],
    [{ const: null }, 1, ["const body"]],
    [{ minimum: 2, maximum: 4 }, 5, ["maximum body"]],
    [{ minimum: 2 }, 1n, ["minimum body"]],
    [{ minimum: 2, exclusiveMinimum: true }, 2, ["exclusiveMinimum body"]],
    [{ exclusiveMaximum: 2 }, 2, ["exclusiveMaximum body"]],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ multipleOf: 3 }, 12345678901234567890n, []],
    [{ multipleOf: 7 }, 12345678901234567890n, ["multipleOf body"]],
    [{ format: "int32" }, 2147483648, ["format body"]],
    [{ format: "int64" }, 9223372036854775808n, ["format body"]],
    [{ minLength: 2, maxLength: 2 }, "😀é", []],
    [{ maxLength: 1 }, "ab", ["maxLength body"]],
    [{ minItems: 1 }, [], ["minItems body"]],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ["uniqueItems body"],
    ],
    [{ items: { type: "string" } }, ["a", 1, 2], ["type body[1]", "type body[2]"]],
    [
      { prefixItems: [{ type: "string" }], items: { type: "number" } },
      [1, "a"],
      ["type body[0]", "type body[1]"],
    ],
    [{ contains: { const: 1 } }, [2], ["contains body"]],
    [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, [1, 1], ["maxContains body"]],
    [object({ a: { type: "string" } }, { required: ["a", "z"] }), {}, ["required body.a", "required body.z"]],
    [object({ "a b": { type: "string" } }), { "a b": 1 }, ['type body["a b"]']],
    [object({ a: {} }, { additionalProperties: false }), { a: 1, b: 2 }, ["additionalProperties body.b"]],
    [object({ a: {} }, { additionalProperties: { type: "string" } }), { a: 1, b: 2 }, ["type body.b"]],
    [
      { additionalProperties: false },
      JSON.parse('{"constructor": 1}'),
      ["additionalProperties body.constructor"],
    ],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ["propertyNames body"]],
    [{ minProperties: 1, maxProperties: 0 }, { a: undefined }, ["minProperties body"]],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ["dependentRequired body"]],
    [{ not: { type: "string" } }, "a", ["not body"]],
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    [{ if: { type: "string" }, then: { minLength: 2 }, else: { minimum: 2 } }, 1, ["minimum body"]],
    [
      { allOf: [object({ a: {} }, { additionalProperties: false }), object({ b: {} })] },
      { a: 1, b: 1 },
      ["additionalProperties body.b"],
    ],
    [{ allOf: [{ minLength: 2 }, { maxLength: 3 }] }, "a", ["minLength body"]],
    [{ anyOf: [{ type: "string" }, { minimum: 2 }] }, 3, []],
    [{ anyOf: [{ type: "string" }, { type: "number", minimum: 2 }] }, 1, ["minimum body"]],
    [{ anyOf: [{ type: "string" }, { type: "boolean" }] }, 1, ["anyOf body"]],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, ["oneOfSeveral body"]],
    [
      { oneOf: [object({ a: {} }), object({ b: {} })], unevaluatedProperties: false },
      { a: 1 },
      ["oneOfSeveral body"],
    ],
    [
      { anyOf: [object({ a: {} }), object({ b: {} })], unevaluatedProperties: false },
      { a: 1, c: 1 },
      ["additionalProperties body.c"],
    ],
  ])("%j with %o", (schema, value, wanted) => {
    expect(check(schema, value)).toEqual(wanted);
  });
});

test.each<[string, string[], string[]]>([
  ["date", ["2024-02-29"], ["2023-02-29", "2024-13-01", "2024-1-1"]],
  [
    "date-time",
    ["2024-05-17T09:30:00Z", "2024-05-17t01:59:60.123+02:00"],
    ["2024-05-17T23:59:60+02:00", "2024-05-17T09:30:00", "2024-05-17T24:00:00Z", "2024-05-17"],
  ],
  ["email", ["a.b+c@example.com"], ["a", "a@", "@b.c", "a b@c.d"]],
  ["uuid", ["5F0C7A52-8f0f-4e0b-9a3e-2d6b1c4e7f90"], ["5f0c7a528f0f4e0b9a3e2d6b1c4e7f90"]],
  ["uri", ["https://a.b/c?d#e", "urn:x:y"], ["/a", "a b:c", "http://a/%zz"]],
  ["ipv4", ["192.0.2.1"], ["256.1.1.1", "1.2.3", "1.2.3.4."]],
  [
    "ipv6",
    ["::", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"],
    ["1:2", ":::", "1:2:3:4:5:6:7:8:9", "::g"],
  ],
  ["made-up", ["anything"], []],
])("format %s", (format, good, bad) => {
  expect([...good, ...bad].map((value) => check({ type: "string", format }, value).length)).toEqual([
    ...good.map(() => 0),
    ...bad.map(() => 1),
  ]);
});

describe("schemas", () => {
  const components = {
    Cat: object({ kind: { type: "string" }, lives: { type: "integer" } }, { required: ["lives"] }),
    Dog: object({ kind: { type: "string" }, bark: { type: "string" } }),
    Pet: object(
      { kind: { type: "string" } },
      { discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } } },
    ),
    One: object({ t: { const: "one" } }),
    Two: object({ t: { enum: ["two"] } }, { required: ["x"] }),
    Tree: object({
      value: { type: "integer" },
      children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    }),
    Loop: { allOf: [{ $ref: "#/components/schemas/Loop" }] },
    Maze: {
      type: "object",
      anyOf: [
        { $ref: "#/components/schemas/Maze" },
        { not: { $ref: "#/components/schemas/Maze" } },
        { type: "string" },
      ],
    },
  };
  const pets = {
    oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
    discriminator: {
      propertyName: "kind",
      mapping: { cat: "#/components/schemas/Cat", kitten: "Cat", dog: "Dog" },
    },
  };
  test.each<[string, unknown, unknown, string[]]>([
    ["a discriminator selects a schema", pets, { kind: "cat", lives: "9" }, ["type body.lives"]],
    [
      "a discriminator can have several values for a schema",
      pets,
      { kind: "kitten" },
      ["required body.lives"],
    ],
    ["a discriminator rejects unknown values", pets, { kind: "bird" }, ["discriminator body.kind"]],
    [
      "a parent's discriminator selects a child",
      { $ref: "#/components/schemas/Pet" },
      { kind: "cat" },
      ["required body.lives"],
    ],
    [
      "a parent accepts values that its discriminator doesn't list",
      { $ref: "#/components/schemas/Pet" },
      { kind: "bird" },
      [],
    ],
    ["a parent accepts values without its discriminator", { $ref: "#/components/schemas/Pet" }, {}, []],
    [
      "recursion follows the value",
      { $ref: "#/components/schemas/Tree" },
      { children: [{ children: [{ value: "x" }] }] },
      ["type body.children[0].children[0].value"],
    ],
    ["a schema that only refers to itself", { $ref: "#/components/schemas/Loop" }, 1, []],
    ["circular alternatives", { $ref: "#/components/schemas/Maze" }, {}, []],
    [
      "other items of an old tuple",
      { items: [{}], additionalItems: { type: "string" } },
      [1, "a", 2],
      ["type body[2]"],
    ],
    ["no other items of an old tuple", { items: [{}], additionalItems: false }, [1, 2], ["never body[1]"]],
    ["JSON in a text", { contentSchema: object({ n: { type: "integer" } }) }, '{"n": "x"}', ["type body.n"]],
    [
      "a text that should be JSON",
      { contentMediaType: "application/json", contentSchema: {} },
      "{",
      ["syntax body"],
    ],
    ["a text in another format", { contentMediaType: "text/csv", contentSchema: {} }, "{", []],
    ["an encoded text", { contentEncoding: "base64", contentSchema: {} }, "{", []],
    ["any value is valid for an unresolved reference", { $ref: "#/components/schemas/Gone" }, 1, []],
    [
      "any value is valid for the negation of an unresolved reference",
      { not: { $ref: "#/components/schemas/Gone" } },
      1,
      [],
    ],
  ])("%s", (_, schema, value, wanted) => {
    expect(check(schema, value, { components })).toEqual(wanted);
  });

  test("missing references are collected", () => {
    const refs = new Refs({});
    checkValue(
      { a: 1 },
      schemaRef({ value: { properties: { a: { $ref: "#/components/schemas/Far" } } }, pointer: "#/x" }),
      refs,
      "response",
      "body",
    );
    expect([...refs.missing]).toEqual(["#/components/schemas/Far"]);
  });

  test("readOnly and writeOnly", () => {
    const schema = object(
      { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
      { required: ["id", "secret"] },
    );
    const value = { id: "1", secret: "2" };
    expect(check(schema, value, { direction: "request" })).toEqual(["readOnly body.id"]);
    expect(check(schema, value, { direction: "response" })).toEqual(["writeOnly body.secret"]);
    expect(check(schema, { secret: "2" }, { direction: "request" })).toEqual([]);
    expect(check(schema, { id: "1" }, { direction: "response" })).toEqual([]);
  });

  test("patterns are checked only with testPattern", () => {
    const schema = {
      type: "object",
      patternProperties: { "^x-": { type: "string" } },
      properties: { a: { pattern: "^b" } },
      additionalProperties: false,
    };
    const value = { a: "c", "x-1": 1, other: 1 };
    const testPattern = (pattern: string, text: string) => new RegExp(pattern).test(text);
    expect(check(schema, value)).toEqual([]);
    expect(check(schema, value, { testPattern })).toEqual(
      ["pattern body.a", 'type body["x-1"]', "additionalProperties body.other"].map((row) =>
        row.replace('["x-1"]', ".x-1"),
      ),
    );
  });

  test("findings and steps are limited", () => {
    expect(check({ items: { type: "string" } }, Array(1000).fill(1))).toHaveLength(50);
    const wide = {
      type: "number",
      anyOf: Array.from({ length: 50 }, () => ({ $ref: "#/components/schemas/it" })),
    };
    const start = performance.now();
    check(wide, 1);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("a finding has a pointer in the document", () => {
    const refs = new Refs({
      components: { schemas: { Pet: { allOf: [{ properties: { "a/b": { minimum: 2 } } }] } } },
    });
    expect(
      checkValue({ "a/b": 1 }, schemaRef(refs.at("#/components/schemas/Pet")!), refs, "request", "body"),
    ).toEqual([
      {
        code: "minimum",
        wanted: "2",
        found: "1",
        path: 'body["a/b"]',
        pointer: "#/components/schemas/Pet/allOf/0/properties/a~1b/minimum",
      },
    ]);
  });
});

describe("requests", () => {
  const { operation, refs } = operationOf(
    {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
        { name: "limit", in: "query", schema: { type: "integer", maximum: 10 } },
        {
          name: "filter",
          in: "query",
          required: true,
          style: "deepObject",
          schema: object({ a: { type: "string" } }),
        },
        { name: "Authorization", in: "header", required: true, schema: {} },
        { name: "flag", in: "query", allowEmptyValue: true, schema: { type: "boolean" } },
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: object({ n: { type: "integer", format: "int64" } }) },
          "image/*": {},
        },
      },
    },
    { path: "/pets/{id}", method: "post" },
  );
  const findings = (parameters: Raw, body?: RequestInputs["body"]) =>
    checkRequest(operation, { server: "", parameters, credentials: [], ...(body && { body }) }, refs).map(
      ({ code, path }) => `${code} ${path}`,
    );
  const good = { "path.id": "1", "query.filter": { a: "b" }, "query.flag": "" };
  const json = (text: string): RequestInputs["body"] => ({
    mediaType: "application/json",
    content: { text },
  });

  test.each<[string, Raw, RequestInputs["body"], string[]]>([
    ["no inputs", {}, undefined, ["required path.id", "required query.filter", "required body"]],
    ["valid inputs", good, json('{"n": 9007199254740993}'), []],
    [
      "invalid values",
      { ...good, "query.limit": 11, "query.filter": "b" },
      json("{}"),
      ["maximum query.limit", "type query.filter"],
    ],
    [
      "numbers and their texts are equal in a URL",
      { ...good, "path.id": 7, "query.limit": "7" },
      json("{}"),
      [],
    ],
    ["text instead of a number", { ...good, "query.limit": "x" }, json("{}"), ["type query.limit"]],
    ["a value that would change the path", { ...good, "path.id": ".." }, json("{}"), ["pathSegment path.id"]],
    ["invalid JSON", good, json("{"), ["syntax body"]],
    ["a number that is too large", good, json('{"n": 9223372036854775808}'), ["format body.n"]],
    [
      "an undeclared media type",
      good,
      { mediaType: "text/plain", content: { text: "" } },
      ["contentType body"],
    ],
    [
      "a media type in a declared range",
      good,
      { mediaType: "image/png", content: { value: { file: { name: "a", type: "image/png" } } } },
      [],
    ],
  ])("%s", (_, parameters, body, wanted) => {
    expect(findings(parameters, body)).toEqual(wanted);
  });
});

describe("responses", () => {
  const { operation, refs } = operationOf({
    responses: {
      200: {
        headers: {
          "X-Total": { required: true, schema: { type: "integer" } },
          "X-Tags": { schema: { type: "array", items: { type: "integer" } } },
        },
        content: { "application/json": { schema: object({ id: { type: "integer" } }) } },
      },
      "4XX": { content: { "*/*": {} } },
      204: {},
    },
  });
  const findings = (status: number, headers: Record<string, string>, value?: unknown) =>
    checkResponse(
      operation,
      { status, headers: Object.entries(headers), ...(value !== undefined && { body: { value } }) },
      refs,
    ).map(({ code, path }) => `${code} ${path}`);
  const json = { "content-type": "Application/JSON; charset=utf-8", "x-total": "3" };

  test.each<[string, string[], string[]]>([
    ["a valid response", findings(200, json, { id: 1 }), []],
    ["an invalid body", findings(200, json, { id: "1" }), ["type response.id"]],
    [
      "a header is missing",
      findings(200, { "content-type": "application/json" }, {}),
      ["header header.X-Total"],
    ],
    [
      "headers with invalid types",
      findings(200, { ...json, "x-total": "many", "x-tags": "1, x" }, {}),
      ["type header.X-Total", "type header.X-Tags[1]"],
    ],
    [
      "an undeclared media type",
      findings(200, { ...json, "content-type": "text/html" }, "<html>"),
      ["contentType response"],
    ],
    ["a range of statuses", findings(404, { "content-type": "text/plain" }, "no"), []],
    ["no content", findings(204, {}), []],
    ["an undocumented status", findings(500, {}), ["status response.status"]],
  ])("%s", (_, found, wanted) => {
    expect(found).toEqual(wanted);
  });
});
