/** The code that the product's build generates finds the same violations as the library. */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ValidateFunction } from "ajv";
import { build } from "esbuild";
import { load } from "js-yaml";
import { beforeAll, describe, expect, test } from "vitest";
import { validatorCode } from "../../../../scripts/build/specification-schemas.js";
import { corpusOf, inCorpus } from "../../../../test/shared/corpus.ts";
import { readDocument } from "./api-document.ts";
import { specificationSchema } from "./specification-schema.ts";

const document = {
  info: {
    title: "Pets",
    version: "1",
    license: { name: "MIT", url: "https://example.com/license" },
    contact: { email: "pets@example.com" },
  },
  servers: [{ url: "https://{host}/", variables: { host: { default: "a", enum: ["a", "b"] } } }],
  security: [{ key: [] }],
  paths: {
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", pattern: "^p" } }],
      post: {
        tags: ["pets"],
        parameters: [
          { $ref: "#/components/parameters/Limit" },
          { name: "sort", in: "query", content: { "text/plain": {} } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Pet" },
              examples: { one: { value: 1 } },
            },
          },
        },
        responses: {
          "200": { description: "OK", headers: { Next: { schema: { type: "string" } } } },
          default: { description: "Error" },
        },
        callbacks: {
          done: { "{$request.body#/url}": { post: { responses: { "200": { description: "OK" } } } } },
        },
      },
    },
  },
  components: {
    parameters: {
      Limit: { name: "limit", in: "query", schema: { type: "integer", minimum: 1, default: 10 } },
    },
    schemas: {
      Pet: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", maxLength: 9 },
          owner: { allOf: [{ $ref: "#/components/schemas/Pet" }] },
          any: {},
        },
        discriminator: { propertyName: "name" },
        externalDocs: { url: "https://example.com" },
      },
    },
    securitySchemes: {
      key: { type: "apiKey", name: "key", in: "header" },
      login: {
        type: "oauth2",
        flows: { implicit: { authorizationUrl: "https://example.com", scopes: { read: "Read" } } },
      },
    },
  },
};

/** Copies of a value in which one value is replaced or one property added. */
function* variants(value: unknown): Generator<unknown> {
  yield* [null, 7, "x", ["x"], { x: {} }];
  if (Array.isArray(value))
    for (const [n, item] of value.entries()) for (const other of variants(item)) yield value.with(n, other);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const other of variants(item)) yield { ...rest, [key]: other };
    }
}

describe.each([
  ["3.0", false],
  ["3.0", true],
  ["3.1", false],
  ["3.1", true],
  ["3.2", false],
  ["3.2", true],
] as const)("OpenAPI %s, all errors: %s", (version, allErrors) => {
  let generated: ValidateFunction;
  let library: ValidateFunction;
  beforeAll(async () => {
    const stdin = { contents: validatorCode(version, allErrors), resolveDir: import.meta.dirname };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
    });
    const code = Buffer.from(outputFiles[0]!.contents).toString("base64");
    generated = (await import(`data:text/javascript;base64,${code}`)).default;
    library = await specificationSchema(version, allErrors);
  });

  function expectSameErrors(root: unknown): number {
    library(root);
    generated(root);
    expect(generated.errors).toEqual(library.errors);
    return library.errors?.length ?? 0;
  }

  test("a valid document has no violations, and changed documents have the same ones", () => {
    const valid = { openapi: `${version}.0`, ...document };
    expect(expectSameErrors(valid)).toBe(0);
    let invalid = 0;
    for (const variant of variants(valid)) if (expectSameErrors(variant) > 0) invalid++;
    expect(invalid).toBeGreaterThan(300);
  });

  test.runIf(inCorpus(corpusOf.openapi))("real documents", () => {
    const files = readdirSync(corpusOf.openapi).filter((name) => name.includes(`-${version}.`));
    for (const name of files) expectSameErrors(load(readFileSync(path.join(corpusOf.openapi, name), "utf8")));
    expect(files.length).toBeGreaterThan(0);
  });
});

test("an invalid name of a component is one problem", async () => {
  const openapi = "3.1.0";
  const components = { schemas: { "My pet": { type: "string" } } };
  const { problems } = await readDocument(
    "api.json",
    JSON.stringify({ openapi, ...document, components: { ...document.components, ...components } }),
  );
  const ofComponents = problems.filter(
    ({ code, message }) => code === "openapi-invalid" && message.startsWith("#/components/schemas"),
  );
  expect(ofComponents.map(({ message }) => message)).toEqual([expect.stringContaining("My pet")]);
});

test("a type that isn't one of the allowed ones is one problem, also in alternatives", async () => {
  const wrong = { type: ["string", "null"] };
  const text = JSON.stringify({
    swagger: "2.0",
    info: { title: "Test", version: "1" },
    paths: { "/": { get: { responses: { 200: { description: "Fine" } } } } },
    definitions: {
      it: { type: "object", additionalProperties: { type: "object", properties: { a: wrong } } },
    },
  });
  const { problems } = await readDocument("api.json", text);
  expect(problems.filter(({ code }) => code === "openapi-invalid").map(({ message }) => message)).toEqual([
    '#/definitions/it/additionalProperties/properties/a/type should be one of "array", "boolean", "integer", "number", "object", "string", but is ["string","null"]',
  ]);
});
