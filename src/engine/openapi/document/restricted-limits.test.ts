/** Documents with restricted parts take bounded time, however their schemas refer to each other. */

import { expect, test } from "vitest";
import { readDocument } from "./api-document.ts";

const staff = { "x-platform": { groups: ["staff"] } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const leaf = { type: "object", properties: { stays: {}, canary: { type: "string", ...staff } } };

function chain(length: number, link: (next: object) => object): object {
  const schemas = Array.from({ length }, (_, i) => [`S${i}`, link(ref(`S${i + 1}`))]);
  return { ...Object.fromEntries(schemas), [`S${length}`]: leaf };
}

const read = (components: object) =>
  readDocument(
    "api.json",
    JSON.stringify({
      openapi: "3.1.0",
      info: { title: "API", version: "1" },
      paths: {
        "/a": {
          get: {
            responses: { 200: { description: "A", content: { "application/json": { schema: ref("S0") } } } },
          },
        },
      },
      components,
    }),
    { isChecked: false },
  );

const ring = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `S${i}`,
      i === 0 ? leaf : { oneOf: [ref(`S${(i * 7 + 1) % length}`), ref(`S${(i + 1) % length}`)] },
    ]),
  );

test.each<[string, object]>([
  ["a long chain of allOf", { schemas: chain(20_000, (next) => ({ allOf: [next] })) }],
  ["a long chain of anyOf", { schemas: chain(5_000, (next) => ({ anyOf: [{ type: "null" }, next] })) }],
  ["schemas in a ring", { schemas: ring(5_000) }],
  ["a long chain of references", { schemas: chain(5_000, (next) => next) }],
])("%s is reported", { timeout: 60_000 }, async (_, components) => {
  const { document, problems } = await read(components);
  expect(document).toBeUndefined();
  expect(problems.map(({ code }) => code)).toContain("openapi-limit");
});

test("the restricted property of a chain is removed", async () => {
  const { document } = await read({
    schemas: chain(500, (next) => ({ allOf: [next], example: { canary: 1 } })),
  });
  expect(JSON.stringify(document?.root)).not.toContain("canary");
});

test.each<[string, object]>([
  [
    "references through each other",
    {
      schemas: {
        S0: { $ref: "#/components/schemas/B/properties/p", properties: { p: ref("S0/properties/p") } },
        B: { $ref: "#/components/schemas/S0/properties/p", properties: { p: ref("B/properties/p") } },
        S1: leaf,
      },
    },
  ],
  [
    "a parameter that refers to itself",
    {
      parameters: { P: { name: "p", in: "query", schema: { $ref: "#/components/parameters/P/schema" } } },
      schemas: { S0: { allOf: [{ $ref: "#/components/parameters/P/schema" }, leaf] } },
    },
  ],
])("the restricted property is removed from %s", { timeout: 60_000 }, async (_, components) => {
  const { document } = await read(components);
  expect(document).toBeDefined();
  expect(JSON.stringify(document!.root)).not.toContain("canary");
});
