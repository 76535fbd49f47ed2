/** Tests which rules remove a part of an operation, and that the other rules are reported. */

import { expect, test } from "vitest";
import { buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";

const text = { type: "string" };

const build = (operation: object, components: object = {}, path = "/a") =>
  buildSiteFrom(
    siteOf(
      {
        "api.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "API", version: "1" },
          servers: [{ url: "https://api.acme.test" }],
          paths: {
            [path]: { get: { summary: "stays", responses: { 200: { description: "stays" } }, ...operation } },
          },
          components,
        }),
      },
      { navigation: { groups: [{ group: "API", openapi: "api.json" }] } },
    ),
  );

const leaksOf = (site: Awaited<ReturnType<typeof build>>) =>
  site.paths.filter((file) => /canary/i.test(site.read(file)));

const responseOf = (schema: object) => ({
  responses: { 200: { description: "stays", content: { "application/json": { schema } } } },
});

test.each<[string, object, string]>([
  ["another spelling of groups", { "x-platform": { GROUPS: ["staff"] } }, "GROUPS"],
  ["a rule of another platform", { "x-platform": { "visible-to": ["staff"] } }, "visible-to"],
  ["in the alias", { "x-mint": { roles: ["staff"] } }, "roles"],
  ["public", { "x-platform": { public: false } }, "public"],
])("a property with an unknown rule is removed and reported: %s", async (_, extension, rule) => {
  const field = { ...text, description: "canary", ...extension };
  const site = await build(responseOf({ type: "object", properties: { open: text, canary: field } }));
  expect(leaksOf(site)).toEqual([]);
  expect(site.problems).toEqual([
    expect.objectContaining({
      code: "unknown-access-rule",
      message: expect.stringMatching(new RegExp(`^${rule} in x-platform at #.*/canary isn't`)),
    }),
  ]);
});

test("a key that restricts nothing isn't reported", async () => {
  const field = { ...text, "x-platform": { public: true, pre: ["indexed"], internal: "label" } };
  const site = await build(responseOf({ type: "object", properties: { shown: field } }));
  expect(site.problems).toEqual([]);
  expect(site.read("api-reference/stays.md")).toContain("shown");
});

test("an unknown rule where it can't remove anything is reported", async () => {
  const rule = { "x-platform": { metadata: { audience: "staff" } } };
  const { problems } = await build({}, { schemas: { A: { ...text, ...rule } } });
  expect(problems.map(({ code }) => code)).toEqual(["openapi-groups"]);
});

const staff = { "x-platform": { groups: ["staff"] } };
const closed = { ...text, ...staff };

test.each<[string, object]>([
  ["a schema", { schema: closed }],
  ["a component", { schema: { $ref: "#/components/schemas/Closed" } }],
  ["a component's component", { schema: { $ref: "#/components/schemas/Alias" } }],
  ["a media type", { content: { "application/json": { schema: closed } } }],
])("a parameter or header is removed if its schema is restricted: %s", async (_, schemaOf) => {
  const parameter = (place: string) => ({
    name: `${place}_canary`,
    in: place,
    description: "canary",
    ...schemaOf,
  });
  const site = await build(
    {
      parameters: [
        parameter("query"),
        parameter("header"),
        parameter("cookie"),
        { $ref: "#/components/parameters/C" },
      ],
      responses: { 200: { description: "stays", headers: { "X-Canary": schemaOf } } },
    },
    {
      schemas: { Closed: closed, Alias: { $ref: "#/components/schemas/Closed" } },
      parameters: { C: parameter("query") },
    },
  );
  expect(leaksOf(site)).toEqual([]);
  expect(site.problems).toEqual([]);
});

test("groups of a path parameter are reported, since the path contains its name", async () => {
  const parameters = [{ name: "id", in: "path", required: true, schema: text, ...staff }];
  const { problems } = await build({ parameters }, {}, "/a/{id}");
  expect(problems.map(({ code }) => code)).toContain("openapi-groups");
});
