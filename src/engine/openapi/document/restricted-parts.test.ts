/**
 * Tests that parts of an operation with `groups` are in no file of the site: page, Markdown, search index,
 * playground or download.
 */

import { describe, expect, test } from "vitest";
import { buildSiteFrom } from "../../../../test/engine/build.ts";

const staff = { "x-platform": { groups: ["staff"] } };
const text = { type: "string" };
const ref = (name: string, kind = "schemas") => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: object, more: object = {}) => ({
  content: { "application/json": { schema, ...more } },
});
const secret = { type: "object", properties: { stays: text, canary: { ...text, ...staff } } };

interface Parts {
  parameters?: object[];
  body?: object;
  response?: object;
  operation?: object;
  components?: object;
}

const documentOf = ({ parameters = [], body, response, operation = {}, components = {} }: Parts): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.acme.test" }],
    paths: {
      "/a": {
        post: {
          summary: "stays",
          parameters: [{ name: "stays", in: "query", schema: text }, ...parameters],
          ...(body ? { requestBody: body } : {}),
          responses: { 200: { description: "stays", ...response } },
          ...operation,
        },
      },
    },
    components,
  });

const build = (file: string, document: string) =>
  buildSiteFrom({
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Acme",
      colors: { primary: "#0D9373" },
      navigation: { groups: [{ group: "API", openapi: file }] },
      contextual: { options: ["download-spec"] },
      api: { examples: { prefill: true } },
    }),
    [file]: document,
  });

describe("restricted parts leave no trace", () => {
  test.each<[string, Parts]>([
    [
      "a parameter by $ref",
      {
        parameters: [ref("Canary", "parameters")],
        components: { parameters: { Canary: { name: "canary", in: "query", schema: text, ...staff } } },
      },
    ],
    [
      "a $ref with groups next to it",
      {
        parameters: [{ ...ref("Canary", "parameters"), ...staff }],
        components: { parameters: { Canary: { name: "canary", in: "query", schema: text } } },
      },
    ],
    [
      "a parameter by two $refs",
      {
        parameters: [ref("One", "parameters")],
        components: {
          parameters: { One: ref("Canary", "parameters"), Canary: { name: "canary", in: "query", ...staff } },
        },
      },
    ],
    [
      "a property whose component is restricted",
      {
        body: json({ type: "object", properties: { stays: text, hidden_canary: ref("Canary") } }),
        components: { schemas: { Canary: { ...text, ...staff } } },
      },
    ],
    [
      "a variant whose component is restricted",
      {
        body: json(
          {
            oneOf: [ref("Stays"), ref("Canary")],
            discriminator: {
              propertyName: "kind",
              mapping: { stays: "#/components/schemas/Stays", canary_kind: "Canary" },
            },
          },
          {
            examples: { stays: { value: { kind: "stays" } }, second: { value: { kind: "canary_kind" } } },
          },
        ),
        components: {
          schemas: {
            Stays: { type: "object", properties: { kind: text, stays: text } },
            Canary: { type: "object", properties: { kind: text, canary: text }, ...staff },
          },
        },
      },
    ],
    [
      "a restricted variant without a mapping",
      {
        response: json(
          { anyOf: [ref("Stays"), { ...ref("Canary"), ...staff }], discriminator: { propertyName: "kind" } },
          { example: { kind: "Canary" } },
        ),
        components: {
          schemas: {
            Stays: { type: "object", properties: { kind: text } },
            Canary: { type: "object", properties: { kind: text, other: text } },
          },
        },
      },
    ],
    [
      "required lists of the schema and of schemas that inherit the property",
      {
        body: json({
          allOf: [ref("Base")],
          required: ["canary"],
          if: { required: ["canary"] },
          dependentRequired: { stays: ["canary"], canary: ["stays"] },
        }),
        components: { schemas: { Base: { ...secret, required: ["stays", "canary"] } } },
      },
    ],
    [
      "another declaration of an inherited property",
      {
        body: json({
          allOf: [ref("Base")],
          properties: { canary: { description: "canary" } },
          anyOf: [{ properties: { canary: { const: "canary" } } }],
        }),
        components: { schemas: { Base: secret } },
      },
    ],
    [
      "examples of a request",
      {
        body: json(secret, { example: { stays: "stays", canary: "canary" } }),
        response: json(
          { type: "array", items: secret },
          { examples: { one: { value: [{ stays: "stays", canary: 7 }] }, two: ref("Shared", "examples") } },
        ),
        components: { examples: { Shared: { value: [{ stays: "x", canary: 7 }] } } },
      },
    ],
    [
      "examples, defaults and prefilled values of a schema",
      {
        body: json({
          ...secret,
          example: { canary: 1 },
          examples: [{ canary: 1 }],
          default: { canary: 1 },
          "x-default": { canary: 1 },
        }),
      },
    ],
    [
      "an example of a parent",
      {
        body: json({
          type: "object",
          properties: { stays: text, inner: ref("Inner") },
          example: { stays: "x", inner: { canary: 1 } },
        }),
        components: { schemas: { Inner: secret } },
      },
    ],
    [
      "an example of a parameter and of a header",
      {
        parameters: [
          { name: "filter", in: "query", style: "deepObject", schema: secret, example: { canary: 1 } },
        ],
        response: {
          headers: {
            "X-Stays": { schema: secret, example: { canary: 1 } },
            "X-Canary": { schema: text, ...staff },
          },
        },
      },
    ],
    [
      "an XML body as text",
      {
        body: {
          content: { "application/xml": { schema: secret, example: "<a><stays/><canary>1</canary></a>" } },
        },
      },
    ],
    [
      "an example whose schema doesn't declare the field",
      {
        body: json(secret),
        response: json({ type: "object" }, { example: { data: { canary: 1, stays: 1 } } }),
      },
    ],
    [
      "code samples",
      {
        body: json(secret),
        operation: {
          "x-codeSamples": [
            { lang: "bash", source: "curl -d '{\"canary\": 1}'" },
            { lang: "python", source: "stays()" },
          ],
        },
      },
    ],
    [
      "values of an enum",
      {
        parameters: [
          {
            name: "status",
            in: "query",
            schema: {
              type: "string",
              enum: ["stays", "canary"],
              "x-mint-enum": { canary: ["staff"] },
              "x-enum-varnames": ["Stays", "Canary"],
              "x-enum-descriptions": { stays: "stays", canary: "canary" },
              "x-ms-enum": { name: "Status", values: [{ value: "canary", description: "Secret (canary)" }] },
              "x-enum-comments": { Stays: "stays", Canary: "canary" },
              default: "canary",
              example: "canary",
            },
          },
        ],
        body: json(
          { type: "object", properties: { status: ref("Status") } },
          { example: { status: "canary" } },
        ),
        components: {
          schemas: {
            Status: { type: "string", enum: ["stays", "canary"], "x-platform-enum": { canary: ["staff"] } },
          },
        },
      },
    ],
    [
      "links, callbacks and headers",
      {
        response: {
          links: {
            Canary: { operationId: "stays", ...staff },
            Stays: { operationId: "stays", parameters: { "query.canary": "1" } },
          },
          headers: { "X-Canary": ref("Canary", "headers") },
        },
        operation: {
          parameters: [{ name: "canary", in: "query", schema: text, ...staff }],
          operationId: "stays",
          callbacks: {
            canary: {
              "{$request.body#/url}": { post: { responses: { 200: { description: "canary" } } } },
              ...staff,
            },
          },
        },
        components: { headers: { Canary: { schema: text, ...staff } } },
      },
    ],
    [
      "parts of a body",
      {
        body: {
          content: {
            "multipart/form-data": { schema: secret, encoding: { canary: { contentType: "text/canary" } } },
          },
        },
      },
    ],
    [
      "additional properties, items and media types",
      {
        body: json({
          type: "object",
          properties: { stays: text },
          additionalProperties: { ...text, description: "canary", ...staff },
        }),
        response: {
          content: {
            "application/json": { schema: { type: "array", items: { title: "canary", ...staff } } },
            "application/canary": { schema: text, ...staff },
          },
        },
      },
    ],
    [
      "a property that has the name of a keyword",
      {
        body: json({
          type: "object",
          properties: {
            stays: text,
            servers: { ...text, title: "canary", ...staff },
            tags: { ...text, title: "canary", ...staff },
          },
        }),
      },
    ],
    [
      "a reference into a restricted property",
      {
        body: json({
          type: "object",
          properties: { stays: text, copy_canary: { $ref: "#/components/schemas/Base/properties/canary" } },
        }),
        components: { schemas: { Base: secret } },
      },
    ],
  ])("%s", async (_name, parts) => {
    const site = await build("api.json", documentOf(parts));
    expect(
      site.problems.filter(({ code }) => !/^openapi-(?:invalid|incomplete|value-type)$/.test(code)),
    ).toEqual([]);
    for (const path of site.paths) expect(site.read(path), path).not.toMatch(/canary/i);
    expect(site.read("api.json")).toContain("stays");
    expect(site.read("api-reference/stays.md")).toContain("stays");
  });

  test.each([
    ["api.json", "\\u0078-platform"],
    ["api.json", "x\\u002Dplatform"],
    ["api.json", "x-platfor\\u006d"],
    ["api.yaml", "\\x78-platform"],
    ["api.yaml", "x\\U0000002dplatform"],
  ])("in %s, the key %s", async (file, key) => {
    const start = file === "api.yaml" ? "---\n" : "";
    const site = await build(file, start + documentOf({ body: json(secret) }).replaceAll("x-platform", key));
    expect(site.read("api-reference/stays.md")).toContain("stays");
    for (const path of site.paths) expect(site.read(path), path).not.toContain("canary");
  });

  test.each([
    ["an unsupported version", (text: string) => text.replace('"3.1.0"', '"2.0"')],
    ["a syntax error", (text: string) => `${text}}`],
  ])("a document with %s is not served if it could contain groups", async (_name, breakDocument) => {
    const broken = breakDocument(documentOf({ body: json(secret) }));
    expect((await build("api.json", broken)).paths).not.toContain("api.json");
    expect((await build("api.json", broken.replaceAll("x-platform", "x-other"))).paths).toContain("api.json");
  });

  test("a link to an operation with groups", async () => {
    const document = JSON.parse(
      documentOf({
        response: {
          links: { Canary: { operationId: "canary" }, CanaryToo: { operationRef: "#/paths/~1b/get" } },
        },
      }),
    );
    document.paths["/b"] = {
      get: { operationId: "canary", responses: { 200: { description: "canary" } } },
      ...staff,
    };
    const site = await build("api.json", JSON.stringify(document));
    for (const path of site.paths) expect(site.read(path), path).not.toMatch(/canary/i);
  });
});

test("a field with the same name that is not restricted remains", async () => {
  const document = documentOf({
    body: json(
      { type: "object", properties: { open: ref("Open"), closed: ref("Closed") } },
      { example: { open: { id: "seen" }, closed: { id: "canary" } } },
    ),
    components: {
      schemas: {
        Open: { type: "object", properties: { id: text }, required: ["id"] },
        Closed: { type: "object", properties: { id: { ...text, ...staff } }, required: ["id"] },
      },
    },
  });
  const { content } = JSON.parse((await build("api.json", document)).read("api.json")).paths["/a"].post
    .requestBody;
  expect(content["application/json"].example).toEqual({ open: { id: "seen" }, closed: {} });
});

interface TestDocument {
  info: object;
  servers: object[];
  components: object;
}

test.each<[string, (document: TestDocument) => void]>([
  ["#/tags/0", (document) => Object.assign(document, { tags: [{ name: "A", ...staff }] })],
  ["#/info", (document) => Object.assign(document.info, staff)],
  ["#/servers/0", (document) => Object.assign(document.servers[0]!, staff)],
  [
    "#/components/securitySchemes/key",
    (document) =>
      Object.assign(document.components, {
        securitySchemes: { key: { type: "http", scheme: "basic", ...staff } },
      }),
  ],
  [
    "#/components/schemas/A",
    (document) =>
      Object.assign(document.components, {
        schemas: { A: { type: "string", "x-platform": { metadata: { groups: ["staff"] } } } },
      }),
  ],
  [
    "#/components/schemas/A/x-mint-enum",
    (document) =>
      Object.assign(document.components, {
        schemas: { A: { enum: ["a"], "x-mint-enum": { b: ["staff"] } } },
      }),
  ],
])("groups at %s restrict nothing and are reported", async (pointer, change) => {
  const document = JSON.parse(documentOf({}));
  change(document);
  const { problems } = await build("api.json", JSON.stringify(document));
  expect(problems).toEqual([
    expect.objectContaining({ code: "openapi-groups", message: expect.stringContaining(`${pointer} `) }),
  ]);
});

const anchored = (place: "root" | "list" | "operation" | "schema" | "unused") => `openapi: 3.1.0
info: { title: API, version: "1" }
${place === "root" ? "x-shared:\n  field: &canary { type: string, description: canary-text, x-platform: { groups: [staff] } }" : ""}
${place === "list" ? "x-shared:\n  - - &canary { type: string, description: canary-text, x-mint: { groups: [staff] } }" : ""}
${place === "unused" ? "x-shared: { deep: [{ field: { description: canary-text, x-platform: { groups: [staff] } } }] }" : ""}
servers: [{ url: https://api.acme.test }]
paths:
  /a:
    post:
      summary: stays
${place === "operation" ? "      x-defs: { deep: { field: &canary { type: string, description: canary-text, x-platform: { groups: [staff] } } } }" : ""}
      responses:
        "200":
          description: stays
          content:
            application/json:
              schema:
                type: object
${place === "schema" ? "                x-defs: [&canary { type: string, description: canary-text, x-platform: { groups: [staff] } }]" : ""}
                properties:
                  stays: { type: string }
${place === "unused" ? "" : "                  secret: *canary"}
`;

test.each(["root", "list", "operation", "schema", "unused"] as const)(
  "a restricted object in an extension leaves no trace: %s",
  async (place) => {
    const site = await build("api.yaml", anchored(place));
    const leaks = site.paths.filter((path) => site.read(path).includes("canary-text"));
    expect(leaks).toEqual([]);
    expect(site.paths).toContain("api.yaml");
  },
);

// In a JSON pointer, a literal % is %25.
test.each([
  ["plain", "canary", "canary"],
  ["with a %", "can%61ry", "can%2561ry"],
  ["with a space", "can ary", "can%20ary"],
  ["with a slash", "can/ary", "can~1ary"],
])(
  "a restricted operation and the component that only it uses are in no file: a name %s",
  async (_, name, pointer) => {
    const responses = { 200: { description: "stays" } };
    const document = {
      openapi: "3.1.0",
      info: { title: "API", version: "1" },
      paths: {
        "/open": { get: { summary: "stays", responses } },
        [`/${name}`]: {
          post: {
            summary: "canary-text",
            requestBody: json({ $ref: `#/components/schemas/${pointer}` }),
            responses,
            ...staff,
          },
        },
      },
      components: { schemas: { [name]: { description: "canary-text" } } },
    };
    const site = await build("api.json", JSON.stringify(document));
    expect(site.paths.filter((path) => site.read(path).includes("canary-text"))).toEqual([]);
    expect(site.read("api.json")).toContain("stays");
  },
);

test("a component stays if a remaining part refers to it in a different spelling", async () => {
  const operation = (name: string) => ({
    summary: "x",
    responses: { 200: { description: "x", ...json({ $ref: `#/components/schemas/${name}` }) } },
  });
  const document = {
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    paths: { "/open": { get: operation("A B") }, "/secret": { get: { ...operation("A%20B"), ...staff } } },
    components: { schemas: { "A B": { description: "stays" } } },
  };
  const site = await build("api.json", JSON.stringify(document));
  expect(site.read("api.json")).toContain("stays");
  expect(site.read("api.json")).not.toContain("/secret");
});

describe("references into an operation with groups", () => {
  const secretResponse = "#/paths/~1secret/get/responses/200";
  const secretSchema = `${secretResponse}/content/application~1json/schema`;
  const partners = { "x-platform": { groups: ["partners"] } };
  const inside = json({ type: "object", description: "canary", properties: { canary: text } });
  const documentWith = (response: object, more: { components?: object; access?: object; item?: object }) => ({
    openapi: "3.1.0",
    info: { title: "API", version: "1" },
    paths: {
      "/open": {
        get: {
          summary: "stays",
          responses: { 200: { description: "stays", ...response } },
          ...more.access,
        },
      },
      "/secret": {
        ...more.item,
        parameters: [{ name: "canary", in: "query", schema: text }],
        get: {
          summary: "canary",
          responses: { 200: { description: "canary", ...inside } },
          ...(more.item ? {} : staff),
        },
      },
    },
    components: more.components ?? {},
  });

  test.each<[string, object, { components?: object; item?: object }?]>([
    ["a schema", json({ $ref: secretSchema })],
    ["a property of it", json({ $ref: `${secretSchema}/properties/canary` })],
    ["an item of a list", json({ type: "array", items: { $ref: secretSchema } })],
    ["a part of allOf", json({ allOf: [{ description: "stays" }, { $ref: secretSchema }] })],
    ["an encoded pointer", json({ $ref: secretSchema.replace("secret", "%73ecret") })],
    ["a response", { content: undefined, headers: { X: { $ref: `${secretResponse}/headers/X` } } }],
    ["a component", json(ref("Way")), { components: { schemas: { Way: { $ref: secretSchema } } } }],
    ["a path item", json({ $ref: secretSchema }), { item: staff }],
    ["a parameter of a path item", json({ $ref: "#/paths/~1secret/parameters/0/schema" }), { item: staff }],
  ])("%s", async (_, response, more = {}) => {
    const site = await build("api.json", JSON.stringify(documentWith(response, more)));
    expect(site.paths.filter((path) => site.read(path).includes("canary"))).toEqual([]);
    expect(site.read("api.json")).toContain("stays");
    expect(site.problems.map(({ code }) => code)).toContain("openapi-restricted-reference");
  });

  test("stays in operations with the same groups", async () => {
    const reported = async (access: object) => {
      const site = await build(
        "api.json",
        JSON.stringify(documentWith(json({ $ref: secretSchema }), { access })),
      );
      return site.problems.filter(({ code }) => code === "openapi-restricted-reference").length;
    };
    expect(await reported(staff)).toBe(0);
    expect(await reported(partners)).toBe(1);
  });
});
