/** Schemas that include a parent with a discriminator: their choices, and the values that select them. */

import { describe, expect, test } from "vitest";
import { exampleOf } from "../check/example.ts";
import { readDocument } from "../document/api-document.ts";
import type { Raw, Refs } from "../nodes/refs.ts";
import { schemaRef, viewOf } from "./schema-view.ts";

async function refsOf(schemas: Raw, more: Raw = {}, version = "3.0.3"): Promise<Refs> {
  const text = JSON.stringify({
    openapi: version,
    info: { title: "T", version: "1" },
    paths: { "/a": { get: { responses: { 200: { description: "Fine" } } } } },
    components: { schemas },
    ...more,
  });
  const { document, problems } = await readDocument("api.json", text);
  expect(problems).toEqual([]);
  return document!.refs;
}

const child = (parent: string, properties: Raw = {}) => ({
  allOf: [{ $ref: `#/components/schemas/${parent}` }, { type: "object", properties }],
});

const parent = (kind: unknown = { type: "string" }, mapping?: Raw) => ({
  type: "object",
  required: ["kind"],
  properties: { kind },
  discriminator: { propertyName: "kind", ...(mapping ? { mapping } : {}) },
});

/** The values of `kind` that a schema allows. Undefined if it allows any. */
function kindsOf(refs: Refs, name: string): unknown {
  const view = viewOf(schemaRef(refs.at(`#/components/schemas/${name}`)!), refs);
  const kind = view.properties.find((property) => property.name === "kind")!;
  const { const: only, enum: several } = viewOf(kind.schema, refs);
  return only ? [only.value] : several;
}

const example = (refs: Refs, name: string) =>
  exampleOf(schemaRef(refs.at(`#/components/schemas/${name}`)!), refs, { direction: "request" });

describe.each(["3.0.3", "3.1.0"])("in %s", (version) => {
  const rows: [what: string, schemas: Raw, wanted: Record<string, unknown>][] = [
    ["the name", { Pet: parent(), Cat: child("Pet") }, { Cat: ["Cat"], Pet: undefined }],
    [
      "the value in the mapping",
      { Pet: parent(undefined, { cat: "Cat" }), Cat: child("Pet") },
      { Cat: ["cat"] },
    ],
    [
      "the values in the mapping",
      { Pet: parent(undefined, { cat: "#/components/schemas/Cat", kitten: "Cat" }), Cat: child("Pet") },
      { Cat: ["cat", "kitten"] },
    ],
    [
      "the names of schemas that include it",
      { Pet: parent(), Dog: child("Pet"), Puppy: child("Dog"), Cat: child("Pet") },
      { Dog: ["Dog", "Puppy"], Puppy: ["Puppy"], Cat: ["Cat"] },
    ],
    [
      "its own values",
      { Pet: parent(), Cat: child("Pet", { kind: { type: "string", enum: ["feline"] } }) },
      { Cat: ["feline"] },
    ],
    [
      "the values of the parent",
      { Pet: parent({ type: "string", enum: ["c"] }), Cat: child("Pet") },
      { Cat: ["c"] },
    ],
    ["values that aren't texts", { Pet: parent({ type: "integer" }), Cat: child("Pet") }, { Cat: undefined }],
    [
      "its x-discriminator-value",
      {
        Pet: parent(),
        Dog: { ...child("Pet"), "x-discriminator-value": "#dog" },
        Puppy: { ...child("Dog"), "x-discriminator-value": "#puppy" },
        Cat: child("Pet"),
      },
      { Dog: ["#dog", "#puppy"], Puppy: ["#puppy"], Cat: ["Cat"] },
    ],
    [
      "the value in the mapping of a choice",
      {
        Pet: parent(),
        Cat: child("Pet"),
        Any: {
          oneOf: [{ $ref: "#/components/schemas/Cat" }],
          discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
        },
      },
      { Cat: ["cat"] },
    ],
  ];
  test.each(rows)("a child has %s", async (_, schemas, wanted) => {
    const refs = await refsOf(schemas, {}, version);
    for (const [name, kinds] of Object.entries(wanted))
      expect([name, kindsOf(refs, name)]).toEqual([name, kinds]);
  });

  test("x-discriminator-value of an alternative selects it, unless the mapping does", async () => {
    const $refs = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const kinds = {
      Cat: { type: "object", "x-discriminator-value": "#cat" },
      Dog: { type: "object", "x-discriminator-value": "#dog" },
    };
    for (const [mapping, values] of [
      [undefined, [["#cat"], ["#dog"]]],
      [{ hound: "#/components/schemas/Dog" }, [["#cat"], ["hound"]]],
    ]) {
      const Any = { anyOf: $refs, discriminator: { propertyName: "kind", ...(mapping ? { mapping } : {}) } };
      const refs = await refsOf({ ...kinds, Any }, {}, version);
      const view = viewOf(schemaRef(refs.at("#/components/schemas/Any")!), refs);
      expect(view.variants[0]!.options.map((option) => option.values)).toEqual(values);
    }
  });

  test("examples have the value", async () => {
    const refs = await refsOf(
      { Pet: parent(), Dog: child("Pet"), Puppy: child("Dog", { weeks: { type: "integer" } }) },
      {},
      version,
    );
    expect(example(refs, "Pet")).toEqual({ kind: "Dog" });
    expect(example(refs, "Dog")).toEqual({ kind: "Dog" });
    expect(example(refs, "Puppy")).toEqual({ kind: "Puppy", weeks: 123 });
  });
});

test("the work is limited for a long chain of schemas that is a circle", async () => {
  const timeFor = async (count: number) => {
    const chain = Array.from({ length: count }, (_, index): [string, Raw] => [
      `S${index}`,
      { ...child(`S${index === 0 ? count - 1 : index - 1}`), discriminator: { propertyName: "kind" } },
    ]);
    const started = performance.now();
    await refsOf(Object.fromEntries(chain));
    return performance.now() - started;
  };
  // With the square of the number of schemas, it would be minutes.
  expect(await timeFor(2_000)).toBeLessThan(60_000);
});
