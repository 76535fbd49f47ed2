/**
 * Laws of generated examples and initial inputs: examples are valid, and forms start with the request that
 * samples show.
 */

import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationsOf } from "../../../../test/engine/operation.ts";
import { corpusEntries, corpusOf } from "../../../../test/shared/corpus.ts";
import { inputsOf } from "../../../browser/playground/draft.ts";
import { firstDraft } from "../../../browser/playground/first-draft.ts";
import { type Raw, Refs } from "../nodes/refs.ts";
import { buildRequest } from "../request/request.ts";
import { schemaRef } from "../schema/schema-view.ts";
import { exampleOf } from "./example.ts";
import { initialInputs } from "./initial-inputs.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });

function exampleFor(schema: object, direction: "request" | "response", optional: boolean): unknown {
  const refs = new Refs({ components: { schemas: { it: schema } } });
  return exampleOf(schemaRef(refs.at("#/components/schemas/it")!), refs, { direction, optional });
}

const name = fc.constantFrom("a", "b", "c", "d");
const bounds = (least: string, most: string, max: number) =>
  fc
    .tuple(fc.nat(max), fc.nat(max))
    .map(([one, other]) => ({ [least]: Math.min(one, other), [most]: Math.max(one, other) }));

/** Schemas that at least one value is valid for. */
const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    bounds("minLength", "maxLength", 30).map((limits) => ({ type: "string", ...limits })),
    fc
      .constantFrom("^[a-z]{3}-\\d{2,4}$", "^(?:x|y)+$", "\\w+@\\w+", "^[^/]+$")
      .map((pattern) => ({ type: "string", pattern })),
    bounds("minimum", "maximum", 1_000).map((limits) => ({ type: "integer", ...limits })),
    fc.nat(50).map((limit) => ({ type: "number", exclusiveMinimum: limit, multipleOf: 0.5 })),
    fc.constantFrom({ type: "boolean" }, { const: 7 }, { enum: ["x", 1] }, { type: ["string", "null"] }, {}),
    fc
      .tuple(tie("schema"), bounds("minItems", "maxItems", 4))
      .map(([items, limits]) => ({ type: "array", items, ...limits })),
    fc.record({ type: fc.constant("array"), contains: fc.record({ const: fc.nat(9) }), minItems: fc.nat(2) }),
    fc
      .tuple(fc.dictionary(name, tie("schema"), { maxKeys: 4 }), fc.boolean(), fc.boolean())
      .map(([properties, closed, all]) => ({
        type: "object",
        properties,
        ...(all ? { required: Object.keys(properties) } : {}),
        ...(closed ? { additionalProperties: false } : {}),
      })),
    fc.constant({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string" } },
      oneOf: [{ required: ["a"] }, { required: ["b", "c"] }],
      not: { required: ["a", "c"] },
    }),
    fc.tuple(tie("schema"), tie("schema")).map((anyOf) => ({ anyOf })),
  ),
}));

describe("the work for an example of a union", () => {
  /** Counts the nodes that are looked up, as in a build, where lookups are tracked. */
  class CountingRefs extends Refs {
    count = 0;
    override visited = new Set<string>();
    override at(ref: string) {
      this.count++;
      return super.at(ref);
    }
  }
  const errors = (count: number, inline = false) => {
    const named = Array.from({ length: count }, (_, index): [string, Raw] => [
      `Error${index}`,
      {
        type: "object",
        required: ["code", "message"],
        properties: {
          code: { $ref: "#/components/schemas/Code" },
          message: { type: "string", example: `Message ${index}` },
        },
      },
    ]);
    const refs = named.map(([name, schema]) => (inline ? schema : { $ref: `#/components/schemas/${name}` }));
    return { refs, schemas: { ...Object.fromEntries(named), Code: { type: "integer" } } };
  };
  const shapes: [string, (options: Raw[]) => object][] = [
    ["oneOf", (oneOf) => ({ oneOf })],
    ["anyOf that can't be met", (anyOf) => ({ anyOf, not: {} })],
    ["allOf of unions", (oneOf) => ({ allOf: [{ oneOf }, { oneOf }] })],
    ["nested unions", (oneOf) => ({ oneOf: [{ oneOf: [{ oneOf }, { oneOf }] }, { oneOf }] })],
    ["a list of unions", (oneOf) => ({ type: "array", items: { oneOf } })],
    [
      "a union in a field",
      (oneOf) => ({ type: "object", properties: { error: { oneOf }, cause: { oneOf } } }),
    ],
    ["a discriminator", (oneOf) => ({ oneOf, discriminator: { propertyName: "message" } })],
    ["required properties", (oneOf) => ({ oneOf: [...oneOf, ...oneOf.map(() => ({ required: ["code"] }))] })],
  ];
  test.each(shapes)("grows with the number of alternatives: %s", (_, shape) => {
    const workFor = (count: number) => {
      const { refs: options, schemas } = errors(count);
      const refs = new CountingRefs({ components: { schemas: { ...schemas, it: shape(options) } } });
      const example = exampleOf(schemaRef(refs.at("#/components/schemas/it")!), refs, {
        direction: "response",
      });
      expect(JSON.stringify(example)).toContain('"code":123,"message":"Message 0"');
      return refs.count;
    };
    const [few, many] = [workFor(40), workFor(160)];
    expect(few).toBeLessThan(40 * 1_000);
    expect(many / few).toBeLessThan(6);
  });

  test("is done once for equal schemas", () => {
    const { refs: options, schemas } = errors(40, true);
    const equal = Array.from({ length: 20 }, () => structuredClone({ oneOf: options }));
    const refs = new CountingRefs({
      components: { schemas: { ...schemas, ...Object.fromEntries(equal.entries()) } },
    });
    const works = equal.map((__, index) => {
      const before = refs.count;
      exampleOf(schemaRef(refs.at(`#/components/schemas/${index}`)!), refs, { direction: "response" });
      return refs.count - before;
    });
    expect(works[1]! * 2).toBeLessThan(works[0]!);
    expect(works.at(-1)).toBe(works[1]);
  });
});

test("a generated example is valid", () => {
  fc.assert(
    fc.property(anySchema, fc.boolean(), (schema, optional) => {
      const value = exampleFor(schema, "response", optional);
      const isValid = ajv.validate(schema, value);
      expect(isValid ? [] : [value, ajv.errors]).toEqual([]);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test("examples of the document don't contain fields that are excluded in their direction", () => {
  const article = {
    type: "object",
    properties: {
      id: { type: "integer", readOnly: true },
      title: { type: "string" },
      secret: { type: "string", writeOnly: true },
    },
    example: { id: 7, title: "Hello", secret: "s3cret" },
  };
  const nested = {
    type: "object",
    properties: { list: { type: "array", items: article } },
    example: { list: [{ id: 1, title: "x", secret: "y" }] },
  };
  expect(exampleFor(article, "request", true)).toEqual({ title: "Hello", secret: "s3cret" });
  expect(exampleFor(article, "response", true)).toEqual({ id: 7, title: "Hello" });
  expect(exampleFor(nested, "request", true)).toEqual({ list: [{ title: "x", secret: "y" }] });
  expect(exampleFor({ type: "array", items: article }, "response", true)).toEqual([
    { id: 7, title: "Hello" },
  ]);
});

test.each<[string, Raw, unknown]>([
  ["the number of items", { type: "array", minItems: 2, maxItems: 2, items: { type: "number" } }, [123, 123]],
  [
    "different items",
    { type: "array", minItems: 2, uniqueItems: true, items: { enum: ["a", "b"] } },
    ["a", "b"],
  ],
  ["exclusive limits", { type: "integer", exclusiveMinimum: 0, maximum: 1 }, 1],
  ["contained items", { type: "array", minItems: 1, contains: { const: "box" } }, ["box"]],
  [
    "the number of properties",
    { type: "object", maxProperties: 1, minProperties: 1, properties: { a: { type: "boolean" }, b: {} } },
    { a: true },
  ],
  [
    "forbidden properties",
    { type: "object", properties: { a: { type: "boolean" }, gone: false } },
    { a: true },
  ],
  [
    "required names without a declaration",
    { required: ["a"], additionalProperties: { type: "boolean" } },
    { a: true },
  ],
  [
    "different items within limits",
    { type: "array", minItems: 3, uniqueItems: true, items: { type: "integer", minimum: 1, maximum: 3 } },
    [2, 3, 1],
  ],
  ["a format with few characters", { type: "string", format: "email", maxLength: 8 }, "a@b.co"],
  [
    "a format with many characters",
    { type: "string", format: "uri", minLength: 24 },
    "https://example.com/path",
  ],
  [
    "a rule for passwords",
    { type: "string", pattern: "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,}$" },
    "aA0aaaaa",
  ],
  [
    "properties that only alternatives require",
    {
      type: "object",
      properties: { a: { type: "boolean" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    { a: true },
  ],
  [
    "properties that a schema requires and its alternatives declare",
    { required: ["a"], oneOf: [{ properties: { a: { type: "string" } } }, { required: ["b"] }] },
    { a: "<string>" },
  ],
  [
    "the type next to alternatives without one",
    { type: "string", oneOf: [{ description: "One" }, { description: "Other" }] },
    "<string>",
  ],
  [
    "required properties that contain the schema itself",
    {
      properties: {
        name: { type: "string" },
        difference: { required: ["base"], properties: { base: { $ref: "#/components/schemas/it" } } },
      },
    },
    { name: "<string>" },
  ],
  ["a pattern", { type: "string", pattern: "^[A-Z]{2}\\d+$" }, "AA0"],
  ...[32, 40, 64, 127].flatMap((length): [string, Raw, unknown][] =>
    ["^[a-f0-9]+$", "^[a-f0-9]*$", "[a-f0-9]", "[a-f0-9]+", "^[a-f0-9]{1,200}$"].map((pattern) => [
      `${pattern} of ${length} characters`,
      { type: "string", pattern, minLength: length, maxLength: length },
      "a".repeat(length),
    ]),
  ),
])("examples respect %s", (_, schema, wanted) => {
  expect(exampleFor(schema, "request", true)).toEqual(wanted);
});

const files = corpusEntries(corpusOf.openapi).filter(
  (file) => /-3\.\d\.(?:json|ya?ml)$/.test(file) && !/twilio|adyen|star-trek|figma|box/.test(file),
);
describe.skipIf(files.length === 0)(
  "the initial form with examples is the request that the sample shows",
  () => {
    const settings = {
      mode: "interactive",
      proxy: false,
      credentials: false,
      languages: [],
      prefill: true,
      optional: true,
    } as const;
    test("documents exist", () => expect(files.length).toBeGreaterThan(10));
    test.each(files)("%s", (file) => {
      Object.assign(globalThis, {
        location: { href: "https://docs.example.com/" },
        localStorage: undefined,
        sessionStorage: undefined,
      });
      for (const { operation, refs } of operationsOf(file).slice(0, 20)) {
        const shown = buildRequest(operation, initialInputs(operation, refs, { optional: true }), refs);
        const sent = buildRequest(
          operation,
          inputsOf(firstDraft(operation, refs, { ...settings, languages: [] }, ""), operation, refs),
          refs,
        );
        // The form can't contain the files of samples.
        if (JSON.stringify(shown).includes('"file"')) continue;
        expect({ ...sent, url: "" }).toEqual({ ...shown, url: "" });
        expect(sent.url.replace(/^(?:https?:)?\/\/[^/]*/, "")).toContain(
          shown.url.replace(/^(?:https?:)?\/\/[^/]*/, ""),
        );
      }
    });
  },
);

describe("optional properties that contradict another part of the schema are left out", () => {
  const rows: [name: string, schema: Raw, wanted: unknown][] = [
    [
      "other properties of allOf have another type",
      { allOf: [{ properties: { a: { type: "string" } } }, { additionalProperties: { type: "integer" } }] },
      {},
    ],
    [
      "propertyNames",
      { properties: { a: { type: "string" }, long: { type: "string" } }, propertyNames: { minLength: 2 } },
      { long: "<string>" },
    ],
    [
      "a nested object without a valid value",
      {
        type: "object",
        properties: {
          a: { type: "string" },
          b: { type: "object", maxProperties: 1, required: ["c", "d"], properties: { c: {}, d: {} } },
        },
      },
      { a: "<string>" },
    ],
    [
      "a nullable object without another valid value",
      { type: ["object", "null"], maxProperties: 0, required: ["c"], properties: { c: {} } },
      null,
    ],
  ];
  test.each(rows)("%s", (_, schema, wanted) => {
    const refs = new Refs({ components: { schemas: { It: schema } } });
    const it = schemaRef(refs.at("#/components/schemas/It")!);
    expect(exampleOf(it, refs, { direction: "request" })).toEqual(wanted);
  });
});
