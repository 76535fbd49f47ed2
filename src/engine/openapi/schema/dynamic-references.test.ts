/** `$dynamicRef`s are shown with the schemas that are bound to them, and Ajv accepts the examples. */

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { exampleOf } from "../check/example.ts";
import { readDocument } from "../document/api-document.ts";
import type { Raw, Refs } from "../nodes/refs.ts";
import { schemaRef, viewOf } from "./schema-view.ts";

async function refsOf(schemas: Raw, expected: unknown[] = []): Promise<Refs> {
  const text = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { responses: { 200: { description: "Fine" } } } } },
    components: { schemas },
  });
  const { document, problems } = await readDocument("api.json", text);
  expect(problems.map(({ message }) => message)).toEqual(expected);
  return document!.refs;
}

/** The names of the fields of a schema at a path, where `[]` are the items of a list. */
function fieldsAt(refs: Refs, name: string, ...path: string[]): string[] {
  let view = viewOf(schemaRef(refs.at(`#/components/schemas/${name}`)!), refs);
  for (const step of path) {
    const below = step === "[]" ? view.items : view.properties.find((one) => one.name === step)?.schema;
    view = viewOf(below!, refs);
  }
  return view.properties.map((property) => property.name);
}

const item = (field: string) => ({
  $dynamicAnchor: "item",
  type: "object",
  required: [field],
  properties: { [field]: { type: "string" } },
});

const page = {
  type: "object",
  properties: { total: { type: "integer" }, items: { type: "array", items: { $dynamicRef: "#item" } } },
  $defs: { any: { $dynamicAnchor: "item" } },
};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe("the items of a generic schema are those that are bound", () => {
  const rows: [what: string, bound: Raw, more?: Raw][] = [
    ["next to a reference", { ...ref("Page"), $defs: { item: item("name") } }],
    ["next to allOf", { allOf: [ref("Page")], $defs: { item: item("name") } }],
    [
      "in a schema with an $id",
      { $id: "https://example.com/users", ...ref("Page"), $defs: { x: item("name") } },
    ],
    [
      "through another schema",
      { ...ref("Outer"), $defs: { item: item("name") } },
      { Outer: { allOf: [ref("Page")], properties: { next: { type: "string" } } } },
    ],
    [
      "by the outermost schema",
      { ...ref("Inner"), $defs: { item: item("name") } },
      { Inner: { ...ref("Page"), $defs: { item: item("inner") } } },
    ],
  ];
  test.each(rows)("%s", async (_, bound, more = {}) => {
    for (const order of [
      { Page: page, ...more, Users: bound, Other: { ...ref("Page"), $defs: { item: item("other") } } },
      { Users: bound, ...more, Other: { ...ref("Page"), $defs: { item: item("other") } }, Page: page },
    ]) {
      const refs = await refsOf(order);
      expect(fieldsAt(refs, "Users", "items", "[]")).toEqual(["name"]);
      expect(fieldsAt(refs, "Other", "items", "[]")).toEqual(["other"]);
      expect(fieldsAt(refs, "Page", "items", "[]")).toEqual([]);
      const { value } = refs.at("#/components/schemas/Users")!;
      const example = exampleOf(schemaRef({ value, pointer: "#/components/schemas/Users" }), refs, {
        direction: "response",
      });
      expect(example).toMatchObject({ total: 123, items: [{ name: "<string>" }] });
    }
  });
});

test("a recursive schema is bound to the one that extends it, as Ajv does", async () => {
  const tree = {
    $id: "https://example.com/tree",
    $dynamicAnchor: "node",
    type: "object",
    properties: { data: { type: "string" }, children: { type: "array", items: { $dynamicRef: "#node" } } },
  };
  const labeled = {
    $id: "https://example.com/labeled",
    $dynamicAnchor: "node",
    $ref: "https://example.com/tree",
    required: ["label"],
    properties: { label: { type: "string" } },
  };
  const refs = await refsOf({ Tree: tree, Labeled: labeled });
  expect(fieldsAt(refs, "Labeled", "children", "[]")).toEqual(["data", "children", "label"]);
  expect(fieldsAt(refs, "Labeled", "children", "[]", "children", "[]")).toContain("label");
  expect(fieldsAt(refs, "Tree", "children", "[]")).toEqual(["data", "children"]);
  const ajv = new Ajv2020({ strict: false, schemas: [tree, labeled] });
  const validate = ajv.getSchema("https://example.com/labeled")!;
  const example = exampleOf(schemaRef(refs.at("#/components/schemas/Labeled")!), refs, {
    direction: "response",
  });
  expect(validate(example)).toBe(true);
  expect(validate({ label: "a", children: [{}] })).toBe(false);
});

test("the work is limited for many schemas that bind each other", async () => {
  const all = Array.from({ length: 300 }, (_, index): [string, Raw] => [
    `S${index}`,
    {
      ...ref(`S${(index + 1) % 300}`),
      $defs: { item: item(`f${index}`) },
      properties: { x: { $dynamicRef: "#item" } },
    },
  ]);
  const unbound = /^The \$dynamicAnchor of #\/components\/schemas\/S\d+ has no effect on the schemas/;
  const problems = Array.from({ length: 10 }, () => expect.stringMatching(unbound));
  const refs = await refsOf(Object.fromEntries(all), problems);
  // With all copies, the document would have more than a million values.
  expect(JSON.stringify(refs.root).length).toBeLessThan(10_000_000);
  expect(fieldsAt(refs, "S0", "x").length).toBeGreaterThan(0);
});
