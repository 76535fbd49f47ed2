import { describe, expect, test } from "vitest";
import { contextOf, pageOf } from "../../../test/engine/reference-page.ts";
import { inlineHtml } from "../page/inline-html.tsx";
import type { ReferenceContext } from "./context.ts";

type Operation = Record<string, unknown>;

function documentWith(operations: Record<string, Operation>, components: object = {}) {
  const responses = { 200: { description: "Fine" } };
  const paths = Object.entries(operations).map(([path, operation]) => [
    path,
    { get: { responses, ...operation } },
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Test", version: "1" },
    paths: Object.fromEntries(paths),
    components,
  };
}

function responding(schema: object): Operation {
  return { responses: { 200: { description: "Fine", content: { "application/json": { schema } } } } };
}

function manyParameters(count: number): object[] {
  return [...Array(count)].map((_, i) => ({ name: `q${i}`, in: "query", schema: { enum: ["a", "b", "c"] } }));
}

/** Returns the page of `/second`: rendered after `/first`, and rendered without any other page. */
function secondPages(
  first: Operation,
  second: Operation,
  components: object = {},
  more: Partial<ReferenceContext> = {},
) {
  const document = documentWith({ "/first": first, "/second": second }, components);
  pageOf(document, more, { path: "/first" });
  const after = pageOf(document, more, { path: "/second" });
  const alone = pageOf(structuredClone(document), more, { path: "/second" });
  return { after, alone };
}

describe("fields that several pages show", () => {
  const field = { type: "string", description: "Common." };

  test("are rendered once", () => {
    const document = documentWith({
      "/first": responding({ properties: { field } }),
      "/second": responding({ properties: { field } }),
    });
    const rendered: string[] = [];
    const markdown = (text: string) => {
      rendered.push(text);
      return `<p>${inlineHtml(text)}</p>`;
    };
    pageOf(document, { markdown }, { path: "/first" });
    const { html } = pageOf(document, { markdown }, { path: "/second" });
    expect(html).toContain("<p>Common.</p>");
    expect(rendered.filter((text) => text === "Common.")).toHaveLength(1);
  });

  test("have the ids of each page", () => {
    const schema = {
      properties: { item: { type: "object", properties: { "näme of": field } }, item_näme_of: field },
    };
    const parameters = [
      { name: "item", in: "query", schema: field },
      { name: "item.näme of", in: "query", schema: field },
    ];
    const { after, alone } = secondPages(responding(schema), { ...responding(schema), parameters });
    expect(after).toEqual(alone);
    expect(after.anchors.filter((id) => id.startsWith("param-"))).toEqual([
      "param-item",
      "param-item-näme-of",
      "param-200-item",
      "param-200-item-näme-of",
      "param-200-item-näme-of-1",
    ]);
    expect(after.html).toContain(`<div class="o-field field" id="param-200-item-näme-of">`);
    expect(after.html).toContain(`href="#param-200-item-n%C3%A4me-of"`);
  });

  const chain = (name: string, levels: number): object =>
    levels === 0 ? field : { title: name, type: "object", properties: { next: chain(name, levels - 1) } };
  const many = (last: string) =>
    Object.fromEntries([...[...Array(130)].map((_, i) => `p${i}`), last].map((name) => [name, {}]));
  const components = {
    schemas: {
      A: { title: "A", ...field },
      B: { title: "B", ...field },
      ChainA: chain("A", 8),
      ChainB: chain("B", 8),
      Self: { type: "object", properties: { self: { $ref: "#/components/schemas/Self" } } },
    },
  };
  const optionB = { $ref: "#/components/schemas/B" };
  const optionA = { $ref: "#/components/schemas/A" };
  const schemas: Record<string, object> = {
    plain: field,
    type: { ...field, type: "integer" },
    nullable: { ...field, type: ["string", "null"] },
    format: { ...field, format: "uuid" },
    description: { ...field, description: "Other." },
    noDescription: { ...field, description: undefined },
    deprecated: { ...field, deprecated: true },
    readOnly: { ...field, readOnly: true },
    writeOnly: { ...field, writeOnly: true },
    enum: { ...field, enum: ["a"] },
    otherEnum: { ...field, enum: ["b"] },
    const: { ...field, const: "a" },
    default: { ...field, default: "a" },
    nullDefault: { ...field, default: null },
    largeDefault: { ...field, default: 9007199254740993n },
    example: { ...field, example: "a" },
    constraint: { ...field, minLength: 2 },
    contentMediaType: { ...field, contentMediaType: "text/csv" },
    externalDocs: { ...field, externalDocs: { url: "https://example.com" } },
    pre: { ...field, "x-platform": { pre: ["New"] } },
    post: { ...field, "x-platform": { post: ["New"] } },
    not: { ...field, not: { enum: ["a"] } },
    otherNot: { ...field, not: { enum: ["b"] } },
    broken: { ...field, allOf: [{ $ref: "#/components/schemas/Missing" }] },
    items: { type: "array", items: field },
    itemDescription: { type: "array", items: { ...field, description: "Item." } },
    itemEnum: { type: "array", items: { ...field, enum: ["a"] } },
    itemConstraint: { type: "array", items: { ...field, minLength: 2 } },
    nestedItems: { type: "array", items: { type: "array", items: field } },
    tuple: { type: "array", prefixItems: [field] },
    object: { type: "object" },
    property: { type: "object", properties: { a: field } },
    otherProperty: { type: "object", properties: { b: field } },
    requiredProperty: { type: "object", properties: { a: field }, required: ["a"] },
    twoProperties: { type: "object", properties: { a: field, b: field } },
    deepProperty: { type: "object", properties: { a: { type: "object", properties: { b: field } } } },
    otherDeepProperty: { type: "object", properties: { a: { type: "object", properties: { c: field } } } },
    manyProperties: { type: "object", properties: many("last") },
    otherManyProperties: { type: "object", properties: many("other") },
    oneOf: { oneOf: [optionA, field] },
    anyOf: { anyOf: [optionA, field] },
    option: { oneOf: [{ ...field, title: "B" }, field] },
    optionType: { oneOf: [{ ...field, title: "A", deprecated: true }, field] },
    optionProperties: { oneOf: [{ title: "A", type: "object", properties: { a: field } }, field] },
    otherOptionProperties: { oneOf: [{ title: "A", type: "object", properties: { b: field } }, field] },
    discriminator: { oneOf: [optionA, optionB], discriminator: { propertyName: "kind" } },
    otherDiscriminator: { oneOf: [optionA, optionB], discriminator: { propertyName: "type" } },
    discriminatorValue: {
      oneOf: [optionA, optionB],
      discriminator: { propertyName: "kind", mapping: { a: "#/components/schemas/A" } },
    },
    typedAlternatives: { type: "object", oneOf: [optionA, field] },
    chain: { $ref: "#/components/schemas/ChainA" },
    otherChain: { $ref: "#/components/schemas/ChainB" },
    copiedChain: chain("A", 8),
    shorterChain: chain("A", 7),
    self: { $ref: "#/components/schemas/Self" },
    renamedSelf: { type: "object", properties: { self: { $ref: "#/components/schemas/Self" } } },
  };

  test.each<[string, (schema: object) => Operation]>([
    ["responses", (schema) => responding({ properties: { field: schema } })],
    [
      "alternatives",
      (schema) =>
        responding({
          oneOf: [{ properties: { field: schema } }, { properties: { field: schema }, title: "B" }],
        }),
    ],
    ["parameters", (schema) => ({ parameters: [{ name: "field", in: "query", schema }] })],
  ])("differ in their schemas in %s", (_, operation) => {
    const document = documentWith(
      Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`/${name}`, operation(schema)])),
      components,
    );
    const pages = Object.keys(schemas).map((name) => pageOf(document, {}, { path: `/${name}` }));
    const alone = Object.keys(schemas).map((name) =>
      pageOf(structuredClone(document), {}, { path: `/${name}` }),
    );
    expect(pages).toEqual(alone);
  });

  test.each<[string, object]>([
    ["name", { name: "other" }],
    ["location", { in: "header" }],
    ["required", { required: true }],
    ["deprecated", { deprecated: true }],
    ["description", { description: "Other." }],
    ["style", { style: "deepObject" }],
    ["explode", { explode: false }],
    ["allowReserved", { allowReserved: true }],
    ["allowEmptyValue", { allowEmptyValue: true }],
    ["example", { example: ["a"] }],
    ["media type", { schema: undefined, content: { "application/json": { schema: field } } }],
  ])("differ in the %s of a parameter", (_, change) => {
    const parameter = { name: "field", in: "query", schema: { type: ["array", "object"], items: field } };
    const { after, alone } = secondPages(
      { parameters: [parameter] },
      { parameters: [{ ...parameter, ...change }] },
    );
    expect(after).toEqual(alone);
  });

  test("differ in the encoding of a form", () => {
    const body = (contentType: string) => ({
      requestBody: {
        content: {
          "multipart/form-data": { schema: { properties: { field } }, encoding: { field: { contentType } } },
        },
      },
    });
    const { after, alone } = secondPages(body("text/csv"), body("text/plain"));
    expect(after).toEqual(alone);
    expect(after.html).toContain("text/plain");
  });

  test("depend on the rows that a page has left", () => {
    const last = { properties: { nested: { properties: many("last") } } };
    const response = responding({ properties: { last } });
    const { after, alone } = secondPages(response, { ...response, parameters: manyParameters(80) });
    expect(after).toEqual(alone);
  });

  test("depend on the chips that a page has left", () => {
    const response = responding({
      properties: { long: { enum: [...Array(40)].map((_, i) => `value-${i}`) } },
    });
    const { after, alone } = secondPages(response, { ...response, parameters: manyParameters(60) });
    expect(after).toEqual(alone);
    expect(after.html).toContain("<code>value-8, value-9,");
  });

  test("depend on why their schemas are left out", () => {
    const self = { $ref: "#/components/schemas/Self" };
    const { after, alone } = secondPages(
      responding(self),
      { ...responding({ allOf: [self], minProperties: 1 }), parameters: manyParameters(200) },
      components,
    );
    expect(after).toEqual(alone);
  });

  test("are rendered for each page if their descriptions depend on the page", () => {
    const document = documentWith({
      "/first": responding({ properties: { field } }),
      "/second": responding({ properties: { field } }),
    });
    const html = ["/first", "/second"].map(
      (path) =>
        pageOf(
          document,
          { markdown: (text) => `<p>${text} On ${path}.</p>`, isSharedMarkdown: () => false },
          { path },
        ).html,
    );
    expect(html[0]).toContain("<p>Common. On /first.</p>");
    expect(html[1]).toContain("<p>Common. On /second.</p>");
  });

  test("are rendered for each page if problems with labels are reported", () => {
    const labeled = responding({ properties: { field: { ...field, "x-state": {} } } });
    const document = documentWith({ "/first": labeled, "/second": labeled });
    const reported: string[] = [];
    for (const path of ["/first", "/second"]) {
      const { render } = contextOf(document);
      pageOf(
        document,
        {
          postKeys: ["x-state"],
          render: { ...render, file: path, report: ({ file }) => reported.push(file!) },
        },
        { path },
      );
    }
    expect(new Set(reported)).toEqual(new Set(["/first", "/second"]));
  });

  test("can contain the text that stands for ids", () => {
    const named = { ...field, description: "~field-id~", properties: { "~field-id~": field } };
    const { after, alone } = secondPages(
      responding({ properties: { named } }),
      responding({ properties: { named } }),
    );
    expect(after).toEqual(alone);
    expect(after.html).toContain("<p>~field-id~</p>");
    expect(after.html).toContain(`<div class="o-field field" id="param-named-field-id">`);
  });
});
