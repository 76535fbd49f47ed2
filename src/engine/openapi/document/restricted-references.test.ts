/** Tests that no file for everyone shows a part of a restricted operation that a public part refers to. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";

const staff = { "x-platform": { groups: ["staff"] } };
const closed = "#/paths/~1closed/post";
const json = (schema: object, more: object = {}) => ({
  content: { "application/json": { schema, ...more } },
});
const canary = {
  type: "object",
  description: "canary",
  properties: { canary: { type: "string", description: "canary" } },
};

const build = (open: object, components: object = {}, rule: object = staff, item: object = {}) =>
  buildSiteFrom(
    siteOf(
      {
        "api.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "API", version: "1" },
          servers: [{ url: "https://api.acme.test" }],
          paths: {
            "/open": { post: { summary: "stays", responses: { 200: { description: "stays" } }, ...open } },
            "/closed": {
              parameters: [{ name: "canary-parameter", in: "query", schema: { type: "string" } }],
              post: {
                requestBody: { description: "canary", ...json(canary) },
                parameters: [{ name: "canary-header", in: "header", schema: { type: "string" } }],
                responses: {
                  200: {
                    description: "canary",
                    ...json(canary),
                    headers: { "x-canary": { schema: canary } },
                  },
                },
                callbacks: { canary: { "https://canary.test": { post: { responses: {} } } } },
                ...rule,
              },
              ...item,
            },
          },
          components,
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
const reported = ({ problems }: Site) =>
  problems.filter(({ code }) => code === "openapi-restricted-reference").length;

const schema = `${closed}/requestBody/content/application~1json/schema`;

test.each<[string, object, object?]>([
  ["a request body", { requestBody: { $ref: `${closed}/requestBody` } }],
  ["a schema", { requestBody: json({ $ref: schema }) }],
  ["a schema with an example", { requestBody: json({ $ref: schema }, { example: { canary: "canary" } }) }],
  ["a property", { requestBody: json({ type: "object", properties: { a: { $ref: schema } } }) }],
  ["a variant", { requestBody: json({ oneOf: [{ $ref: schema }, { type: "string" }] }) }],
  ["a nested part", { requestBody: json({ $ref: `${schema}/properties/canary` }) }],
  ["percent-encoding", { requestBody: json({ $ref: schema.replace("post", "%70ost") }) }],
  ["a response", { responses: { 200: { $ref: `${closed}/responses/200` } } }],
  [
    "a header",
    {
      responses: {
        200: { description: "a", headers: { a: { $ref: `${closed}/responses/200/headers/x-canary` } } },
      },
    },
  ],
  ["a parameter", { parameters: [{ $ref: `${closed}/parameters/0` }] }],
  ["callbacks", { callbacks: { a: { $ref: `${closed}/callbacks/canary` } } }],
  [
    "a component",
    { requestBody: { $ref: "#/components/requestBodies/A" } },
    { requestBodies: { A: { $ref: `${closed}/requestBody` } } },
  ],
  [
    "components in a chain",
    { requestBody: json({ $ref: "#/components/schemas/A" }) },
    { schemas: { A: { $ref: "#/components/schemas/B" }, B: { items: { $ref: schema }, type: "array" } } },
  ],
])("%s", async (_, open, components) => {
  const site = await build(open, components);
  expect(leaksOf(site)).toEqual([]);
  expect(reported(site)).toBeGreaterThan(0);
  // Without the rule, everyone sees the parts.
  expect(leaksOf(await build(open, components, {}))).not.toEqual([]);
});

test("parameters of a restricted path item", async () => {
  const open = { parameters: [{ $ref: "#/paths/~1closed/parameters/0" }] };
  const site = await build(open, {}, {}, staff);
  expect(leaksOf(site)).toEqual([]);
  expect(reported(site)).toBe(1);
});

test("operations with the same groups can refer to each other", async () => {
  const open = { requestBody: { $ref: `${closed}/requestBody` } };
  expect(reported(await build({ ...open, ...staff }))).toBe(0);
  expect(reported(await build({ ...open, "x-platform": { groups: ["sales"] } }))).toBe(1);
  expect(
    reported(await build({ ...open, "x-platform": { groups: ["staff"], metadata: { public: true } } })),
  ).toBe(1);
});

/** A chain of components that only refer to the next one. The last one is `end`. */
const chainTo = (end: object, length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `S${i}`,
      i === length - 1 ? end : { $ref: `#/components/schemas/S${i + 1}` },
    ]),
  );

const first = { $ref: "#/components/schemas/S0" };

test("a chain of 60 references into a restricted operation", async () => {
  const end = { $ref: `${closed}/requestBody/content/application~1json/schema` };
  const properties = { canary: first, stays: { type: "string" } };
  const site = await build(
    { requestBody: json({ type: "object", properties }) },
    { schemas: chainTo(end, 60) },
  );
  expect(leaksOf(site)).toEqual([]);
  expect(reported(site)).toBeGreaterThan(0);
});

test("a chain of 60 references to a restricted schema", async () => {
  const mapping = { canary: "#/components/schemas/S0" };
  const variants = { oneOf: [{ type: "null" }, first], discriminator: { propertyName: "stays", mapping } };
  const site = await build(
    {
      parameters: [
        { name: "canary", in: "query", schema: first },
        { name: "canary-2", in: "query", content: { "application/json": { schema: first } } },
        {
          name: "canary-3",
          in: "query",
          content: { "a/json": { schema: first }, "b/json": { schema: first } },
        },
      ],
      requestBody: json({ type: "object", properties: { canary: first, stays: { type: "string" } } }),
      responses: {
        200: { description: "stays", ...json(variants), headers: { "x-canary": { schema: first } } },
      },
    },
    { schemas: chainTo({ ...canary, ...staff }, 60) },
  );
  expect(leaksOf(site)).toEqual([]);
});
