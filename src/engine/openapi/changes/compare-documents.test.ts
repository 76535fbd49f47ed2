// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { corpusEntries, corpusOf } from "../../../../test/shared/corpus.ts";
import { changeRules } from "../../../base/change-rules.ts";
import { readDocument } from "../document/api-document.ts";
import { compareDocuments } from "./compare-documents.ts";

type Json = Record<string, unknown>;

async function read(document: Json) {
  const { document: found } = await readDocument("api.json", JSON.stringify(document), { isChecked: false });
  return found!;
}

const compare = async (before: Json, after: Json) => compareDocuments(await read(before), await read(after));

const api = (more: Json, operation: Json = {}, schemas: Json = {}): Json => ({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { post: { operationId: "addPet", responses: {}, ...operation } }, ...more },
  components: {
    schemas,
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      token: { type: "http", scheme: "bearer" },
      oauth: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://a.example", scopes: {} } } },
    },
  },
});
const operation = (change: Json) => api({}, change);
const body = (schema: Json, required = true) =>
  operation({ requestBody: { required, content: { "application/json": { schema } } } });
const response = (schema: Json) =>
  operation({ responses: { 200: { description: "", content: { "application/json": { schema } } } } });
const parameter = (change: Json) =>
  operation({ parameters: [{ name: "limit", in: "query", schema: { type: "integer" }, ...change }] });
const object = (properties: Json, required: string[] = []) => ({ type: "object", properties, required });
const text = { type: "string" };
const security = (...names: string[]) => operation({ security: names.map((name) => ({ [name]: [] })) });

const open = operation({});
const other = api({ "/cats": { get: { responses: {} } } });

describe("each change has a rule", () => {
  test("texts and the order of lists in conditions make no difference", async () => {
    const before = { if: { required: ["a", "b"], title: "A", properties: { a: { enum: [1, 2] } } } };
    const after = { if: { properties: { a: { enum: [2, 1], description: "B" } }, required: ["b", "a"] } };
    expect(await compare(body(before), body(after))).toEqual([]);
    const items = (...prefixItems: Json[]) => body({ type: "array", prefixItems });
    expect(await compare(items(text, {}), items({}, text))).not.toEqual([]);
  });

  test.each<[expected: string, before: Json, after: Json]>([
    ["operation-added Added", open, other],
    ["operation-removed Removed", other, open],
    [
      "deprecated-operation-removed Removed",
      api({ "/cats": { get: { deprecated: true, responses: {} } } }),
      open,
    ],
    ["operation-deprecated Deprecated", open, operation({ deprecated: true })],
    ["operation-no-longer-deprecated No longer deprecated", operation({ deprecated: true }), open],
    [
      "operation-id-changed The `operationId` changed from addPet to createPet",
      open,
      operation({ operationId: "createPet" }),
    ],
    ["operation-text-changed The summary or description changed", open, operation({ summary: "Add" })],
    [
      "server-removed The server https://a.example was removed",
      operation({ servers: [{ url: "https://a.example" }, { url: "https://b.example" }] }),
      operation({ servers: [{ url: "https://b.example" }] }),
    ],
    ["security-required Credentials are now required", open, security("key")],
    ["security-optional Credentials are no longer required", security("key"), open],
    ["security-alternative-added Requests can now use token", security("key"), security("key", "token")],
    [
      "security-alternative-removed Requests can't use token anymore",
      security("key", "token"),
      security("key"),
    ],
    [
      "scope-required The scope `write` of OAuth is now required",
      operation({ security: [{ oauth: [] }] }),
      operation({ security: [{ oauth: ["write"] }] }),
    ],
    ["optional-parameter-added The query parameter `limit` was added", open, parameter({})],
    [
      "required-parameter-added The required query parameter `limit` was added",
      open,
      parameter({ required: true }),
    ],
    ["parameter-removed The query parameter `limit` was removed", parameter({}), open],
    [
      "parameter-required The query parameter `limit` is now required",
      parameter({}),
      parameter({ required: true }),
    ],
    [
      "parameter-optional The query parameter `limit` is now optional",
      parameter({ required: true }),
      parameter({}),
    ],
    [
      "parameter-deprecated The query parameter `limit` was deprecated",
      parameter({}),
      parameter({ deprecated: true }),
    ],
    [
      "parameter-serialization-changed The query parameter `limit` is sent in a different format",
      parameter({ schema: { type: "array", items: text } }),
      parameter({ schema: { type: "array", items: text }, explode: false }),
    ],
    [
      "request-limit-tightened `maximum` of the query parameter `limit` changed from `100` to `50`",
      parameter({ schema: { type: "integer", maximum: 100 } }),
      parameter({ schema: { type: "integer", maximum: 50 } }),
    ],
    ["required-body-added A required request body was added", open, body(text)],
    ["optional-body-added An optional request body was added", open, body(text, false)],
    ["body-removed The request body was removed", body(text), open],
    ["body-required The request body is now required", body(text, false), body(text)],
    [
      "request-type-narrowed The type of the request body changed from string | integer to string",
      body({ type: ["string", "integer"] }),
      body(text),
    ],
    [
      "request-type-widened The type of the request body changed from integer to number",
      body({ type: "integer" }),
      body({ type: "number" }),
    ],
    [
      "response-type-widened The type of the 200 response changed from string to string | null",
      response(text),
      response({ type: ["string", "null"] }),
    ],
    [
      'request-value-removed The value `"b"` of the request body was removed',
      body({ enum: ["a", "b"] }),
      body({ enum: ["a"] }),
    ],
    [
      'response-value-added The value `"b"` of the 200 response was added',
      response({ enum: ["a"] }),
      response({ enum: ["a", "b"] }),
    ],
    [
      "required-request-property-added The required property `age` in the request body was added",
      body(object({})),
      body(object({ age: text }, ["age"])),
    ],
    [
      "response-property-removed The property `age` in the 200 response was removed",
      response(object({ age: text })),
      response(object({})),
    ],
    [
      "response-property-optional The property `age` in the 200 response is now optional",
      response(object({ age: text }, ["age"])),
      response(object({ age: text })),
    ],
    [
      "property-deprecated The property `age` in the request body was deprecated",
      body(object({ age: text })),
      body(object({ age: { ...text, deprecated: true } })),
    ],
    [
      "request-limit-tightened Other properties of the request body aren't allowed anymore",
      body(object({})),
      body({ ...object({}), additionalProperties: false }),
    ],
    [
      "request-limit-tightened `contains` of the request body was added",
      body({ type: "array" }),
      body({ type: "array", contains: text }),
    ],
    [
      "response-limit-loosened The property `b` of the 200 response is no longer required with `a`",
      response({ ...object({}), dependentRequired: { a: ["b"] } }),
      response(object({})),
    ],
    [
      "limit-changed `if` of the request body changed",
      body({ if: { required: ["a"] }, then: { required: ["c"] }, else: { required: ["d"] } }),
      body({ if: { required: ["a", "b"] }, then: { required: ["c"] }, else: { required: ["d"] } }),
    ],
    [
      "request-limit-loosened `if` of the request body changed",
      body({ if: { required: ["a"] }, then: { required: ["c"] } }),
      body({ if: { required: ["a", "b"] }, then: { required: ["c"] } }),
    ],
    [
      "request-limit-tightened `not` of the request body changed",
      body({ not: { required: ["a", "b"] } }),
      body({ not: { required: ["a"] } }),
    ],
    [
      "response-limit-loosened `not` of the 200 response changed",
      response({ not: { maximum: 5 } }),
      response({ not: { maximum: 4 } }),
    ],
    [
      "request-property-required The property `b` in `then` of the request body is now required",
      body({ if: { required: ["a"] }, then: object({ b: text }) }),
      body({ if: { required: ["a"] }, then: object({ b: text }, ["b"]) }),
    ],
    [
      "request-type-narrowed The type of item 1 of the request body changed from string to integer",
      body({ type: "array", prefixItems: [text] }),
      body({ type: "array", prefixItems: [{ type: "integer" }] }),
    ],
    [
      "content-encoding-changed `contentEncoding` of the 200 response changed from `base64` to `base32`",
      response({ ...text, contentEncoding: "base64" }),
      response({ ...text, contentEncoding: "base32" }),
    ],
    [
      'response-values-replaced The value `"a"` of the 200 response was replaced by `"b"`',
      response({ const: "a" }),
      response({ const: "b" }),
    ],
    [
      'response-values-unlimited All values of the 200 response are allowed now, not only `"a"`',
      response({ ...text, enum: ["a"] }),
      response(text),
    ],
    [
      "request-limit-tightened `minimum` `5` of the query parameter `limit` was replaced by `exclusiveMinimum` `5`",
      parameter({ schema: { type: "integer", minimum: 5 } }),
      parameter({ schema: { type: "integer", exclusiveMinimum: 5 } }),
    ],
    [
      "request-type-widened The type of the query parameter `limit` changed from integer to string",
      parameter({}),
      parameter({ schema: text }),
    ],
    [
      "request-type-widened The type of the query parameter `limit` changed from integer to integer[]",
      parameter({}),
      parameter({ schema: { type: "array", items: { type: "integer" } } }),
    ],
    [
      "request-type-narrowed The type of the request body changed from object to A | B",
      body(object({ a: text, b: text })),
      body({ oneOf: ["A", "B"].map((title) => ({ title, ...object({ a: text, b: text }, ["a"]) })) }),
    ],
    [
      "request-type-widened The type of the request body changed from string to string | object",
      body(text),
      body({
        oneOf: [
          { title: "string", ...text },
          { title: "object", ...object({}) },
        ],
      }),
    ],
    [
      "response-media-type-removed The media type application/json of the 200 response was removed",
      response(text),
      response(false as never),
    ],
    [
      "request-limit-tightened Other items of the request body aren't allowed anymore",
      body({ type: "array", prefixItems: [text] }),
      body({ type: "array", prefixItems: [text], items: false }),
    ],
    [
      "request-type-narrowed The schema of application/json of the request body was added",
      operation({ requestBody: { required: true, content: { "application/json": {} } } }),
      body(text),
    ],
    [
      "response-type-widened The schema of application/json of the 200 response was removed",
      response(text),
      operation({ responses: { 200: { description: "", content: { "application/json": {} } } } }),
    ],
    ["request-type-narrowed No value of the request body is allowed anymore", body({}), body(false as never)],
    [
      "format-changed The format of the request body changed from none to `uuid`",
      body(text),
      body({ ...text, format: "uuid" }),
    ],
    [
      'default-changed The default of the request body changed from none to `"a"`',
      body(text),
      body({ ...text, default: "a" }),
    ],
    [
      "success-response-removed The 200 response was removed",
      response(text),
      operation({ responses: { 400: { description: "" } } }),
    ],
  ])("%s", async (expected, before, after) => {
    const found = (await compare(before, after)).map(({ rule, message }) => `${rule} ${message}`);
    expect(found).toContain(expected);
    // A response that replaces another one, or a server that is no longer the default, has a change of its
    // own.
    expect(found.length).toBeLessThanOrEqual(2);
  });

  test("a schema that a condition refers to is compared", async () => {
    const withLimit = (keyword: string, maximum: number) =>
      api(
        {},
        {
          requestBody: {
            content: {
              "application/json": {
                schema: { [keyword]: { $ref: "#/components/schemas/Age" }, then: { minimum: 3 } },
              },
            },
          },
        },
        { Age: { type: "integer", maximum } },
      );
    for (const keyword of ["if", "not"])
      expect(await compare(withLimit(keyword, 5), withLimit(keyword, 9))).toMatchObject([
        { rule: "request-limit-tightened", message: `\`${keyword}\` of the request body changed` },
      ]);
  });

  test("what allows the same values makes no difference", async () => {
    const items = (...prefixItems: Json[]) => ({ type: "array", items: text, prefixItems });
    const component = (name: string) =>
      api(
        {},
        {
          requestBody: {
            content: {
              "application/json": { schema: { anyOf: [{ $ref: `#/components/schemas/${name}` }, text] } },
            },
          },
        },
        { [name]: object({ a: text }) },
      );
    const pairs: [Json, Json][] = [
      [body({ type: ["string", "integer"] }), body({ anyOf: [text, { type: "integer" }] })],
      [body({ type: "array", items: text }), body(items(text, text))],
      [body({ ...text, minLength: 0, pattern: ".*" }), body(text)],
      [body({ contains: true } as never), body({ contains: { title: "A" } })],
      [
        response(true as never),
        operation({ responses: { 200: { description: "", content: { "application/json": {} } } } }),
      ],
      [component("Cat"), component("Kitty")],
      [
        body({
          anyOf: [
            { title: "Pet", ...object({ a: text }) },
            { title: "Pet", ...object({ b: text }) },
          ],
        }),
        body({
          anyOf: [
            { title: "Pet", ...object({ b: text }) },
            { title: "Pet", ...object({ a: text }) },
          ],
        }),
      ],
      [
        body({ oneOf: [object({ a: text }), object({ b: text }, ["b"])] }),
        body({ oneOf: [object({ b: text }, ["b"]), object({ a: text })] }),
      ],
    ];
    for (const [before, after] of pairs)
      for (const changes of [await compare(before, after), await compare(after, before)])
        expect(changes).toEqual([]);
  });

  test("a change below thousands of nested schemas is found", async () => {
    const chain = (maximum: number) =>
      api(
        {},
        { requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } } },
        Object.fromEntries(
          Array.from({ length: 5_000 }, (_, index) => [
            `S${index}`,
            index === 4_999
              ? { type: "integer", maximum }
              : object({ next: { $ref: `#/components/schemas/S${index + 1}` } }),
          ]),
        ),
      );
    expect(await compare(chain(5), chain(4))).toMatchObject([
      { rule: "request-limit-tightened", operations: ["POST /pets"] },
    ]);
  });

  test("a value with another type has one change", async () => {
    expect(await compare(body(object({ a: text })), body({ type: "array", items: text }))).toMatchObject([
      { rule: "request-type-narrowed" },
    ]);
  });

  test("parameters of a response's media type can be added", async () => {
    const typed = (...types: string[]) =>
      operation({
        responses: {
          200: {
            description: "",
            content: Object.fromEntries(types.map((type) => [type, { schema: text }])),
          },
        },
      });
    expect(await compare(typed("text/csv"), typed("text/csv; header=absent"))).toEqual([]);
    expect(await compare(typed("text/csv; header=absent"), typed("text/csv"))).toMatchObject([
      { rule: "response-media-type-removed" },
      { rule: "response-media-type-added" },
    ]);
  });

  test("alternatives are compared by their names", async () => {
    const choice = (...names: string[]) =>
      api(
        {},
        {
          requestBody: {
            content: {
              "application/json": {
                schema: { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
              },
            },
          },
        },
        { Cat: object({ a: text }), Dog: object({ b: text }), Bird: object({ c: text }) },
      );
    const found = await compare(choice("Cat", "Dog"), choice("Bird", "Cat"));
    expect(found.map(({ rule, message }) => `${rule} ${message}`)).toEqual([
      "request-alternative-removed The alternative Dog of the request body was removed",
      "request-alternative-added The alternative Bird of the request body was added",
    ]);
  });

  test("a change of a schema that operations share is listed once, with all of them", async () => {
    const shared = (schema: Json) => {
      const content = { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } };
      const get = { responses: { 200: { description: "", content } } };
      return api({ "/a": { get }, "/b": { get } }, {}, { Pet: schema });
    };
    expect(await compare(shared(object({ a: text, b: text })), shared(object({ a: text })))).toMatchObject([
      { rule: "response-property-removed", level: "breaking", operations: ["GET /a", "GET /b"] },
    ]);
  });

  test("a recursive schema ends", async () => {
    const tree = (more: Json) =>
      api(
        {},
        {
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
        },
        { Tree: object({ below: { type: "array", items: { $ref: "#/components/schemas/Tree" } }, ...more }) },
      );
    expect(await compare(tree({ name: text }), tree({}))).toMatchObject([
      { rule: "request-property-removed" },
    ]);
  });

  test("names of path parameters, inlined components, and the order of keys make no difference", async () => {
    const at = (name: string, schema: Json, schemas: Json = {}) =>
      api(
        {
          [`/pets/{${name}}`]: {
            get: {
              parameters: [{ name, in: "path", required: true, schema: text }],
              responses: { 200: { description: "", content: { "application/json": { schema } } } },
            },
          },
        },
        {},
        schemas,
      );
    const pet = object({ id: text, name: { ...text, maxLength: 3 } }, ["id"]);
    const turned = {
      required: ["id"],
      properties: { name: { maxLength: 3, ...text }, id: text },
      type: "object",
    };
    expect(
      await compare(at("id", pet), at("petId", { $ref: "#/components/schemas/Pet" }, { Pet: turned })),
    ).toEqual([]);
  });
});

const levels = Object.entries(changeRules);

test("what breaks clients in one direction is compatible in the other one", () => {
  for (const [rule, level] of levels) {
    const opposite = rule
      .replace(/^request-(type|value|limit)-(.*)/, "response-$1-$2")
      .replace(/^response-property-optional/, "request-property-optional");
    if (opposite === rule || level !== "breaking") continue;
    expect([opposite, changeRules[opposite as keyof typeof changeRules]]).toEqual([opposite, "compatible"]);
  }
});

const folder = corpusOf.openapi;
const files = corpusEntries(folder).filter((name) => /-3\.\d\.json$/.test(name));

/** Returns a copy with the keys of all objects in another order. */
function shuffled(value: unknown, next: () => number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shuffled(item, next));
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [next(), key, shuffled(item, next)] as const)
      .sort(([a], [b]) => a - b)
      .map(([, key, item]) => [key, item]),
  );
}

test.runIf(files.length > 0)(
  "real documents have no changes when their keys are in another order",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.integer({ min: 1, max: 1_000_000 }),
        async (file, seed) => {
          const source = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Json;
          let state = seed;
          const next = () => (state = (state * 48_271) % 2_147_483_647);
          expect(await compare(source, shuffled(source, next) as Json)).toEqual([]);
        },
      ),
      { numRuns: 10 },
    );
  },
);

test("each rule is documented with its level", () => {
  const page = readFileSync("docs/apis/changes.mdx", "utf8");
  const titles = { breaking: "Breaking", "may-break": "May break", compatible: "Compatible", text: "Texts" };
  const sections = new Map(
    page.split(/^### /m).map((section): [string, string] => [section.split("\n")[0]!, section]),
  );
  for (const [rule, level] of levels) expect(sections.get(titles[level]), rule).toContain(`| \`${rule}\` |`);
});
