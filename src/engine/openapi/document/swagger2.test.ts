/** Tests the conversion of Swagger 2.0 documents. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { dump } from "js-yaml";
import { describe, expect, test } from "vitest";
import { corpusOf, inCorpus } from "../../../../test/shared/corpus.ts";
import type { Raw } from "../nodes/refs.ts";
import { readDocument } from "./api-document.ts";

const base = { swagger: "2.0", info: { title: "T", version: "1" } };
const fine = { responses: { 200: { description: "Fine" } } };

async function converted(more: Raw): Promise<{ root: Raw; codes: string[] }> {
  const { document, problems } = await readDocument(
    "api.json",
    JSON.stringify({ ...base, paths: { "/a": { get: fine } }, ...more }),
  );
  return { root: document!.root, codes: problems.map(({ code }) => code) };
}

/** Converts an operation with the method `post`. */
async function operationOf(operation: Raw, more: Raw = {}): Promise<Raw> {
  const { root, codes } = await converted({ paths: { "/a": { post: { ...fine, ...operation } } }, ...more });
  expect(codes).toEqual(["openapi-converted"]);
  return (root.paths as Record<string, Record<string, Raw>>)["/a"]!.post!;
}

const pet = { type: "object", properties: { name: { type: "string" } } };

test.each<[string, Raw, Raw | undefined]>([
  [
    "https first",
    { host: "api.example.com", basePath: "/v1/", schemes: ["http", "https"] },
    [{ url: "https://api.example.com/v1" }, { url: "http://api.example.com/v1" }] as never,
  ],
  ["no schemes", { host: "api.example.com" }, [{ url: "https://api.example.com" }] as never],
  ["no host", { basePath: "/v1" }, [{ url: "/v1" }] as never],
  ["neither", {}, undefined],
])("servers: %s", async (_, more, servers) => {
  expect((await converted(more)).root.servers).toEqual(servers);
});

test.each<[string, Raw, Raw]>([
  [
    "basic",
    { type: "basic", description: "Ask us" },
    { type: "http", scheme: "basic", description: "Ask us" },
  ],
  [
    "API key",
    { type: "apiKey", in: "header", name: "X-Key" },
    { type: "apiKey", in: "header", name: "X-Key" },
  ],
  [
    "OAuth",
    {
      type: "oauth2",
      flow: "accessCode",
      authorizationUrl: "https://a.example/o",
      tokenUrl: "https://a.example/t",
      scopes: { r: "Read" },
    },
    {
      type: "oauth2",
      flows: {
        authorizationCode: {
          authorizationUrl: "https://a.example/o",
          tokenUrl: "https://a.example/t",
          scopes: { r: "Read" },
        },
      },
    },
  ],
])("security: %s", async (_, scheme, expected) => {
  const { root } = await converted({ securityDefinitions: { key: scheme } });
  expect(root.components).toEqual({ securitySchemes: { key: expected } });
});

describe("operations", () => {
  test.each<[string, Raw, Raw]>([
    [
      "a query list",
      { in: "query", type: "array", items: { type: "string", enum: ["a"] } },
      { style: "form", explode: false, schema: { type: "array", items: { type: "string", enum: ["a"] } } },
    ],
    [
      "a repeated name",
      { in: "query", type: "array", items: {}, collectionFormat: "multi" },
      { style: "form", explode: true, schema: { type: "array", items: {} } },
    ],
    [
      "pipes",
      { in: "query", type: "array", items: {}, collectionFormat: "pipes" },
      { style: "pipeDelimited", explode: false, schema: { type: "array", items: {} } },
    ],
    [
      "limits",
      { in: "header", type: "integer", minimum: 1, default: 5, description: "Text" },
      { description: "Text", schema: { type: "integer", minimum: 1, default: 5 } },
    ],
  ])("parameter: %s", async (_, parameter, expected) => {
    const { parameters } = await operationOf({ parameters: [{ name: "p", ...parameter }] });
    expect(parameters).toEqual([{ name: "p", in: parameter.in, ...expected }]);
  });

  test.each<[object, boolean]>([
    [{ in: "query", collectionFormat: "tsv" }, true],
    [{ in: "formData", collectionFormat: "tsv" }, true],
    [{ in: "path", collectionFormat: "pipes" }, true],
    [{ in: "header", collectionFormat: "ssv" }, true],
    [{ in: "query", collectionFormat: "ssv" }, false],
    [{ in: "formData", collectionFormat: "multi" }, false],
    [{ in: "header" }, false],
  ])("the message says whether the separator of a list is lost: %j", async (list, isLost) => {
    const parameter = { name: "p", type: "array", items: { type: "string" }, required: true, ...list };
    const operation = { parameters: [parameter], responses: { 200: { description: "Fine" } } };
    const { problems } = await readDocument(
      "api.json",
      JSON.stringify({
        swagger: "2.0",
        info: { title: "T", version: "1" },
        paths: { "/{p}": { get: operation } },
      }),
    );
    expect(problems.some(({ message }) => message.includes("the values of 1 list"))).toBe(isLost);
  });

  test("a collectionFormat in items is no error", async () => {
    const items = {
      type: "array",
      collectionFormat: "pipes",
      items: { type: "integer", collectionFormat: "csv" },
    };
    const text = JSON.stringify({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: {
        "/a": {
          get: {
            parameters: [{ name: "ranges", in: "query", type: "array", collectionFormat: "csv", items }],
            responses: { 200: { description: "Fine", headers: { "X-A": { type: "array", items } } } },
          },
        },
      },
    });
    const { problems } = await readDocument("api.json", text);
    expect(problems.map(({ code }) => code)).toEqual(["openapi-converted"]);
    expect(problems[0]!.message).toContain("Commas separate the values of 2 lists");
  });

  test("a body has the media types of the operation, or else of the document", async () => {
    const parameters = [
      { in: "body", name: "x", required: true, description: "Pet", schema: { $ref: "#/definitions/Pet" } },
    ];
    const schema = { $ref: "#/components/schemas/Pet" };
    const definitions = { Pet: pet };
    const own = await operationOf(
      { parameters, consumes: ["application/xml"] },
      { definitions, consumes: ["text/plain"] },
    );
    expect(own.requestBody).toEqual({
      required: true,
      description: "Pet",
      content: { "application/xml": { schema } },
    });
    const shared = await operationOf({ parameters }, { definitions, consumes: ["text/plain"] });
    expect(shared.requestBody).toMatchObject({ content: { "text/plain": { schema } } });
    expect((await operationOf({ parameters }, { definitions })).requestBody).toMatchObject({
      content: { "application/json": { schema } },
    });
  });

  test("form fields keep their limits, and files need multipart", async () => {
    const size = {
      in: "formData",
      name: "size",
      type: "string",
      enum: ["S", "M"],
      default: "M",
      description: "Size",
    };
    const file = { in: "formData", name: "image", type: "file", required: true };
    const form = await operationOf({ parameters: [size], consumes: ["application/x-www-form-urlencoded"] });
    expect(form.requestBody).toEqual({
      content: {
        "application/x-www-form-urlencoded": {
          schema: {
            type: "object",
            properties: { size: { type: "string", enum: ["S", "M"], default: "M", description: "Size" } },
          },
        },
      },
    });
    const upload = await operationOf(
      { parameters: [{ $ref: "#/parameters/Image" }, size] },
      { parameters: { Image: file } },
    );
    expect(upload.requestBody).toMatchObject({
      required: true,
      content: {
        "multipart/form-data": {
          schema: { properties: { image: { type: "string", format: "binary" } }, required: ["image"] },
        },
      },
    });
  });

  test("responses have the media types of the operation, their examples and headers", async () => {
    const response = {
      description: "Pets",
      schema: { type: "array", items: { $ref: "#/definitions/Pet" } },
      headers: { "X-Rate": { type: "integer", description: "Left" } },
      examples: { "application/json": [{ name: "Rex", type: "file" }] },
    };
    const { responses } = await operationOf(
      { produces: ["application/json", "text/csv"], responses: { 200: response } },
      { definitions: { Pet: pet }, produces: ["text/html"] },
    );
    const schema = { type: "array", items: { $ref: "#/components/schemas/Pet" } };
    expect(responses).toEqual({
      200: {
        description: "Pets",
        headers: { "X-Rate": { description: "Left", schema: { type: "integer" } } },
        content: {
          "application/json": { schema, example: [{ name: "Rex", type: "file" }] },
          "text/csv": { schema },
        },
      },
    });
  });

  test("shared parameters and responses are referred to", async () => {
    const operation = await operationOf(
      { parameters: [{ $ref: "#/parameters/Page" }], responses: { 404: { $ref: "#/responses/Missing" } } },
      {
        parameters: { Page: { in: "query", name: "page", type: "integer" } },
        responses: { Missing: { description: "Gone" } },
      },
    );
    expect(operation).toMatchObject({
      parameters: [{ $ref: "#/components/parameters/Page" }],
      responses: { 404: { $ref: "#/components/responses/Missing" } },
    });
  });
});

test("schemas: references, discriminators and nullable", async () => {
  const { root } = await converted({
    definitions: {
      Pet: {
        type: "object",
        discriminator: "kind",
        properties: {
          kind: { type: "string" },
          type: { type: "string" },
          note: { type: "string", "x-nullable": true },
        },
      },
      Cat: { allOf: [{ $ref: "#/definitions/Pet" }] },
    },
  });
  expect(root.components).toMatchObject({
    schemas: {
      Pet: {
        discriminator: { propertyName: "kind" },
        properties: { type: { type: "string" }, note: { nullable: true } },
      },
      Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] },
    },
  });
});

test("problems have positions in the source", async () => {
  const text = dump({
    ...base,
    paths: {
      "/a": {
        get: {
          ...fine,
          operationId: 5,
          parameters: [{ in: "query", name: "q", type: "integer", default: "x" }],
        },
      },
    },
    definitions: { Pet: { type: "wrong" } },
  });
  const { problems } = await readDocument("api.yaml", text);
  const lineOf = (part: string) => text.split("\n").findIndex((line) => line.includes(part)) + 1;
  expect(problems.map(({ code, line }) => `${code} ${line}`).sort()).toEqual(
    [
      `openapi-converted ${lineOf("swagger")}`,
      `openapi-invalid ${lineOf("operationId")}`,
      `openapi-invalid ${lineOf("wrong")}`,
      `openapi-value-type ${lineOf("default")}`,
    ].sort(),
  );
  expect(problems.map(({ message }) => message).join("\n")).not.toContain("#/components");
});

test.each<[string, string]>([
  [
    "prototype keys",
    '{"swagger":"2.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"description":"x"}}}}},"definitions":{"__proto__":{"type":"object"},"constructor":{"$ref":"#/definitions/__proto__"}}}',
  ],
  [
    "circular references",
    JSON.stringify({
      ...base,
      paths: { "/a": { get: { ...fine, parameters: [{ $ref: "#/parameters/A" }] } } },
      parameters: { A: { $ref: "#/parameters/A" } },
    }),
  ],
  [
    "wrong types",
    JSON.stringify({
      ...base,
      paths: { "/a": { get: { parameters: 3, responses: [] } }, "/b": 5 },
      parameters: [],
      responses: 3,
      definitions: "x",
      host: 3,
      schemes: "x",
      securityDefinitions: { a: 3 },
    }),
  ],
])("hostile input: %s", async (_, text) => {
  const { problems } = await readDocument("api.json", text);
  expect(problems[0]!.code).toMatch(/^openapi-/);
  expect(({} as Raw).type).toBeUndefined();
});

test("many media types and operations take time in proportion to the document", async () => {
  const types = Array.from({ length: 2_000 }, (_, index) => `application/x-${index}`);
  const paths = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [
      `/p${index}`,
      { get: { responses: { 200: { description: "x", schema: {} } } } },
    ]),
  );
  const { document } = await readDocument("api.json", JSON.stringify({ ...base, produces: types, paths }));
  expect(document?.operations).toHaveLength(2_000);
});

test.runIf(inCorpus(corpusOf.openapi))("a real document is valid after the conversion", async () => {
  const text = readFileSync(path.join(corpusOf.openapi, "petstore-2.0.json"), "utf8");
  const { document, problems } = await readDocument("petstore-2.0.json", text);
  expect(document?.operations).toHaveLength(20);
  expect(problems.map(({ code }) => code)).toEqual(["openapi-converted"]);
});
