/** Tests that no keyword names a restricted property or value of the same schema in any file of the site. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";

const text = { type: "string" };
const staff = { "x-platform": { groups: ["staff"] } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const build = (schema: object, media: object = {}, schemas: object = {}, operation: object = {}) =>
  buildSiteFrom(
    siteOf(
      {
        "api.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "API", version: "1" },
          servers: [{ url: "https://api.acme.test" }],
          paths: {
            "/a": {
              post: {
                summary: "stays",
                requestBody: { content: { "application/json": { schema, ...media } } },
                responses: {
                  200: { description: "stays", content: { "application/json": { schema, ...media } } },
                },
                ...operation,
              },
            },
          },
          components: { schemas },
        }),
      },
      {
        navigation: { groups: [{ group: "API", openapi: "api.json" }] },
        contextual: { options: ["download-spec"] },
      },
    ),
  );

type Site = Awaited<ReturnType<typeof build>>;

const leaksOf = (site: Site) => site.paths.filter((path) => /canary/i.test(site.read(path)));
const leftOut = ({ problems }: Site) =>
  problems
    .filter(({ code }) => code === "openapi-restricted-keyword")
    .map(({ message }) => /(\w+) is left/.exec(message)?.[1]);

const object = (more: object = {}) => ({
  type: "object",
  properties: { stays: text, canary: { ...text, ...staff } },
  ...more,
});

const escaped = [..."canary"]
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
  .join("");

test.each<[string, object, object?, object?]>([
  ["objects in an enum", object({ enum: [{ stays: "x", canary: "canary" }, { stays: "y" }] })],
  [
    "an enum of objects with names",
    object({
      enum: [{ canary: "canary" }],
      "x-enum-varnames": ["CanaryOnly"],
      "x-ms-enum": { values: [{ value: 1, name: "CanaryOnly" }] },
    }),
  ],
  ["propertyNames", object({ propertyNames: { enum: ["stays", "canary"], pattern: "^(?:stays|canary)$" } })],
  [
    "propertyNames by $ref",
    object({ propertyNames: ref("Keys") }),
    {},
    { Keys: { enum: ["stays", "canary"] } },
  ],
  [
    "propertyNames of a schema that inherits",
    {
      allOf: [ref("Base")],
      propertyNames: { anyOf: [{ const: "stays" }, { const: "canary", title: "Canary" }] },
    },
    {},
    { Base: object() },
  ],
  ["patternProperties", object({ patternProperties: { "^(canary|other)$": { ...text, title: "Canary" } } })],
  ["a list in an extension", object({ "x-sort": ["stays", "canary"] })],
  ["a map in an extension", object({ "x-texts": { deep: [{ canary: "About the canary" }] } })],
  ["the name in XML", object({ xml: { name: "canary" } })],
  ["a discriminator", object({ discriminator: { propertyName: "canary" } })],
  ["JSON as text", object(), { example: `{"stays":"x","${escaped}":"canary7"}` }],
  ["JSON as text in a list", object(), { examples: { one: { value: `[{"canary": "canary"}]` } } }],
  ["JSON as text that isn't valid", object(), { example: `{"stays", ${escaped}: "canary7"}` }],
  ["another case in a text", object(), { example: "About the CANARY" }],
  ["another case in a key", object(), { example: { stays: "x", Canary: "x" } }],
  ["another case in a list in an extension", object({ "x-sort": ["stays", "Canary"] })],
  ["another case in a summary", object(), { examples: { one: { summary: "With Canary", value: {} } } }],
  ["another case in patternProperties", object({ patternProperties: { "^(Canary|other)$": text } })],
  ["a form as text", object(), { example: "stays=1&c%61nary=canary7" }],
  ["XML as text", object(), { example: "<a><can&#x61;ry>canary7</can&#97;ry></a>" }],
  ["the summary of an example", object(), { examples: { one: { summary: "With canary", value: {} } } }],
  ["the key of an example", object(), { examples: { canary: { value: { stays: "x" } } } }],
])("the name of a restricted property: %s", async (_, schema, media, schemas) => {
  const site = await build(schema, media, schemas);
  expect(leaksOf(site)).toEqual([]);
  expect(site.read("api-reference/stays.md")).toContain("stays");
});

const values = (more: object = {}) => ({
  type: "string",
  enum: ["stays", "canary"],
  "x-platform-enum": { canary: ["staff"] },
  ...more,
});
const field = (schema: object) => ({ type: "object", properties: { status: schema } });

test.each<[string, object, string[], object?]>([
  ["variants", values({ oneOf: [{ const: "stays" }, { const: "canary", description: "Canary" }] }), []],
  ["a variant by $ref", values({ anyOf: [{ const: "stays" }, ref("V")] }), [], { V: { enum: ["canary"] } }],
  ["an enum of a part", values({ allOf: [{ enum: ["stays", "canary"], default: "canary" }] }), []],
  ["a pattern", values({ pattern: "^(stays|canary)$" }), ["pattern", "pattern"]],
  ["a pattern with escape sequences", values({ pattern: `\\b${escaped}\\b` }), ["pattern", "pattern"]],
  ["not", values({ not: { const: "canary" } }), ["not", "not"]],
  [
    "a condition",
    values({ if: { not: { enum: ["canary"] } }, ["then" as string]: { minLength: 2 } }),
    ["if", "then", "if", "then"],
  ],
  [
    "a schema that refers to the enum",
    { allOf: [ref("V")], pattern: "canary|x" },
    ["pattern", "pattern"],
    { V: values() },
  ],
  [
    "the names of properties",
    {
      type: "object",
      propertyNames: ref("V"),
      properties: { stays: text, canary: text },
      required: ["canary"],
      example: { canary: "canary" },
    },
    [],
    { V: values() },
  ],
])("a restricted value: %s", async (_, schema, keywords, schemas) => {
  const site = await build(field(schema), {}, schemas);
  expect(leaksOf(site)).toEqual([]);
  expect(leftOut(site)).toEqual(keywords);
  expect(site.read("api-reference/stays.md")).toContain("stays");
});

test("a link's expression with a restricted name", async () => {
  const links = { next: { operationId: "stays", parameters: { id: "$response.body#/canary" } } };
  const responses = { 200: { description: "stays", links } };
  expect(leaksOf(await build(object(), {}, {}, { operationId: "stays", responses }))).toEqual([]);
});

test("other names and values stay", async () => {
  const site = await build(
    object({
      propertyNames: { pattern: "^[a-z]+$", enum: ["stays", "other"] },
      "x-sort": ["stays", "other"],
      example: { stays: '{"kept":[1, 2]}' },
      properties: {
        canary: { ...text, ...staff },
        stays: text,
        status: values({ pattern: "^[a-z]+$", not: { const: "never" }, oneOf: [{ const: "stays" }, {}] }),
      },
    }),
  );
  const served = JSON.parse(site.read("api.json"));
  const { schema } = served.paths["/a"].post.requestBody.content["application/json"];
  expect(schema).toMatchObject({
    propertyNames: { pattern: "^[a-z]+$", enum: ["stays", "other"] },
    "x-sort": ["stays", "other"],
    example: { stays: '{"kept":[1, 2]}' },
  });
  expect(schema.properties.status).toEqual({
    type: "string",
    enum: ["stays"],
    pattern: "^[a-z]+$",
    not: { const: "never" },
    oneOf: [{ const: "stays" }, {}],
  });
  expect(leftOut(site)).toEqual([]);
});

test("a JSON text that is nested too deeply is removed if it contains a restricted name", async () => {
  const deep = `${"[".repeat(100_000)}"canary"${"]".repeat(100_000)}`;
  const site = await build(object(), { example: deep });
  expect(leaksOf(site)).toEqual([]);
});
