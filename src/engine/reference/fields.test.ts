// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
/** Tests the rendering of schemas with a table of schemas and their visible text. */

import { describe, expect, test } from "vitest";
import {
  bodyDocument,
  fieldsOf,
  operationDocument,
  pageOf,
  textOf,
} from "../../../test/engine/reference-page.ts";

/** The rendered text of the field `f` of a body. */
function fieldText(schema: object, components: object = {}, more = {}): string {
  const page = pageOf(bodyDocument({ type: "object", properties: { f: schema } }, components), more);
  return fieldsOf(page.html)["param-f"] ?? "";
}

describe("types, limits and choices", () => {
  const rows: [name: string, schema: object, words: string][] = [
    ["format is part of the type", { type: "string", format: "uuid" }, "f string<uuid>"],
    ["an array", { type: "array", items: { type: "integer" } }, "f integer[]"],
    [
      "arrays of arrays",
      { type: "array", items: { type: "array", items: { type: "number" } } },
      "f number[][]",
    ],
    ["nullable in 3.0", { type: "string", nullable: true }, "f string | null"],
    ["nullable in 3.1", { type: ["string", "null"] }, "f string | null"],
    ["type arrays", { type: ["string", "integer"] }, "f string | integer"],
    ["no type at all", {}, "f any"],
    ["const alone", { const: 7 }, "f any\nalways 7"],
    ["inferred from its keywords", { minLength: 2 }, "f string\nat least 2 characters"],
    [
      "limits of a number",
      { type: "integer", minimum: 1, maximum: 1000, default: 100 },
      "f integer\nat least 1 · at most 1000 · default 100",
    ],
    [
      "exclusive limits",
      { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      "f number\nmore than 0 · less than 1",
    ],
    [
      "exclusive limits of 3.0",
      { type: "number", minimum: 0, exclusiveMinimum: true },
      "f number\nmore than 0",
    ],
    ["multipleOf", { type: "number", multipleOf: 0.5 }, "f number\na multiple of 0.5"],
    [
      "length and pattern",
      { type: "string", minLength: 1, maxLength: 9, pattern: "^a" },
      "f string\nat least 1 character · at most 9 characters · pattern ^a",
    ],
    [
      "limits of a list",
      { type: "array", items: {}, minItems: 1, maxItems: 3, uniqueItems: true },
      "f any[]\nat least 1 item · at most 3 items · no duplicates",
    ],
    [
      "limits of its items",
      { type: "array", items: { type: "string", maxLength: 5 } },
      "f string[]\neach at most 5 characters",
    ],
    [
      "limits of an object",
      { type: "object", minProperties: 1, maxProperties: 4 },
      "f object\nat least 1 property · at most 4 properties",
    ],
    [
      "a limit that two keywords set, once",
      { type: "object", additionalProperties: false, unevaluatedProperties: false },
      "f object\nno other properties",
    ],
    ["an empty default", { type: "string", default: "" }, 'f string\ndefault ""'],
    ["default false", { type: "boolean", default: false }, "f boolean\ndefault false"],
    ["x-default is not the default", { type: "string", "x-default": "x" }, "f string"],
    ["an example", { type: "string", example: "Rex" }, "f string\nexample Rex"],
    [
      "several examples",
      { type: "string", examples: ["Rex", "Fido, Jr."] },
      "f string\nexample Rex · Fido, Jr.",
    ],
    ["a file", { type: "string", format: "binary" }, "f file"],
    ["a file of 3.1", { type: "string", contentMediaType: "image/png" }, "f file\nimage/png"],
    ["choices", { type: "string", enum: ["a", "b"] }, "f enum<string>\na b"],
    ["choices of the declared type only", { type: "integer", enum: [1, 2, "x"] }, "f enum<integer>\n1 2"],
    ["null among the choices", { type: ["string", "null"], enum: ["a", null] }, "f enum<string> | null\na"],
    ["choices of a list", { type: "array", items: { enum: ["a", "b"] } }, "f enum<string>[]\na b"],
    ["not", { type: "string", not: { enum: ["x", "y"] } }, "f string\nnot x, y"],
    ["deprecated", { type: "string", deprecated: true }, "f string Deprecated"],
    ["write-only in a request", { type: "string", writeOnly: true }, "f string write-only"],
    ["read-only is no part of a request", { type: "string", readOnly: true }, ""],
    [
      "a reference into nothing",
      { $ref: "#/components/schemas/None" },
      "f any\nThe API description refers to something that it doesn't define.",
    ],
    [
      "documentation elsewhere",
      { type: "string", externalDocs: { url: "https://example.com", description: "Forms" } },
      "f string\nForms",
    ],
  ];
  test.each(rows)("%s", (_name, schema, words) => {
    expect(fieldText(schema)).toBe(words);
  });

  test.each<[string, object, string, number]>([
    [
      "closed",
      { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
      "[number, string]",
      2,
    ],
    [
      "with other items",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer" } },
      "[string, ...integer[]]",
      2,
    ],
    ["open", { prefixItems: [{ type: "string" }] }, "[string, ...any[]]", 1],
    ["full", { prefixItems: [{ type: "string" }, {}], maxItems: 2 }, "[string, any]", 2],
    [
      "of older documents",
      { type: "array", items: [{ type: ["number", "null"] }], additionalItems: false },
      "[number | null]",
      1,
    ],
    [
      "of older documents, with other items",
      { items: [{}], additionalItems: { type: "integer" } },
      "[any, ...integer[]]",
      2,
    ],
    [
      "closed by unevaluatedItems",
      { type: "array", prefixItems: [{ type: "number" }], unevaluatedItems: false },
      "[number]",
      1,
    ],
    [
      "in a list",
      { type: "array", items: { prefixItems: [{ type: "number" }], items: false } },
      "[number][]",
      1,
    ],
    [
      "that can be null",
      { type: ["array", "null"], prefixItems: [{ type: "number" }], items: false },
      "[number] | null",
      1,
    ],
  ])("the type of a tuple lists its items: %s", (_, schema, label, count) => {
    const text = fieldText(schema);
    expect(text.split("\n")[0]).toBe(`f ${label}`);
    expect(text).toContain(`(${count})`);
  });

  describe("choices in several schemas are one list", () => {
    const components = {
      schemas: {
        Priority: { type: "string", enum: ["low", "high"], description: "How urgent it is." },
        Blank: { enum: [""] },
        Null: { enum: [null] },
        Same: { enum: ["low", ""] },
      },
    };
    const refs = (...names: string[]) => names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
    test.each<[string, object, string]>([
      [
        "oneOf with null in 3.0",
        { nullable: true, oneOf: refs("Priority", "Blank", "Null") },
        'f enum<string> | null\nHow urgent it is.\nlow high ""',
      ],
      [
        "anyOf in another order",
        { anyOf: refs("Null", "Blank", "Priority") },
        'f enum<string> | null\nHow urgent it is.\n"" low high',
      ],
      [
        "values that are repeated",
        { anyOf: [{ enum: [""] }, { enum: ["low", ""] }] },
        'f enum<string>\n"" low',
      ],
      [
        "only null and one list",
        { oneOf: refs("Priority", "Null") },
        "f enum<string> | null\nHow urgent it is.\nlow high",
      ],
    ])("%s", (_, schema, words) => {
      expect(fieldText(schema, components)).toBe(words);
    });
    test("two lists of several values stay alternatives", () => {
      expect(fieldText({ oneOf: refs("Priority", "Same") }, components)).toContain("One of");
    });
    test("unless they have neither names nor texts nor common values", () => {
      const [first, second] = [{ enum: ["a", "b"] }, { type: "string", enum: ["c", "d"] }];
      expect(fieldText({ anyOf: [first, second, { enum: [""] }] })).toBe('f enum<string>\na b c d ""');
      expect(fieldText({ anyOf: [first, { ...second, title: "Others" }] })).toContain("Any of");
      expect(fieldText({ oneOf: [first, { enum: ["b", "c"] }] })).toContain("One of");
    });
  });

  test("up to eight choices are chips, and more are collapsed", () => {
    const many = Array.from({ length: 12 }, (_, i) => `v${i}`);
    expect(fieldText({ type: "string", enum: many })).toBe(
      "f enum<string>\nv0 v1 v2 v3 v4 v5 v6 v7\nAll 12 values\nv8 v9 v10 v11",
    );
  });

  test("a thousand choices are one text", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `value_${i}`);
    const { html } = pageOf(bodyDocument({ type: "string", enum: many }));
    expect(html).toContain("value_999");
    expect(html.match(/<code/g)?.length).toBeLessThan(20);
  });

  test("long values are in a disclosure, and are cut after 4,000 characters", () => {
    expect(fieldText({ type: "string", default: "x".repeat(3_000) })).toMatch(
      /^f string\ndefault\n"x{3000}"$/,
    );
    expect(fieldText({ type: "string", pattern: "y".repeat(5_000) })).toMatch(
      /^f string\npattern\n"y{3998}…$/,
    );
  });

  test("examples are whole, long ones after short ones", () => {
    const long = { id: "a".repeat(200) };
    expect(fieldText({ type: "object", examples: [long, { id: "b" }, { id: "c" }] })).toBe(
      `f object\nexample {"id":"b"} · {"id":"c"}\nexample\n{"id":"${"a".repeat(200)}"}`,
    );
  });

  test("values with backticks are code in Markdown", () => {
    const { markdown } = pageOf(
      bodyDocument({ type: "object", properties: { f: { type: "string", enum: ["a`b"], default: "`c`" } } }),
    );
    expect(markdown).toContain("default `` `c` `` · ``a`b``");
  });

  test("a long pattern is in a disclosure", () => {
    const html = (pattern: string) =>
      pageOf(bodyDocument({ type: "object", properties: { f: { type: "string", pattern } } })).html;
    expect(html("^[a-z]+$")).toContain('<p class="o-limits">pattern <code>^[a-z]+$</code></p>');
    expect(html(`^${"[a-z]".repeat(10)}$`)).toContain("<summary>pattern</summary>");
  });
  test("a description that repeats the one above is left out", () => {
    const document = operationDocument({
      responses: {
        200: {
          description: "The order.",
          content: { "application/json": { schema: { type: "object", description: "An order" } } },
        },
      },
    });
    expect(pageOf(document).html).toContain("The order.");
    expect(pageOf(document).html).not.toContain("An order");
  });
  test("a description is left out if the one below contains it and says more", () => {
    const content = {
      "application/json": { schema: { type: "object", description: "An order of the shop." } },
    };
    const { html } = pageOf(
      operationDocument({
        requestBody: { description: "Order", content },
        responses: { 200: { description: "The order.", content } },
      }),
    );
    expect(html.split("An order of the shop.").length - 1).toBe(2);
    expect(html).not.toMatch(/<p>(?:The o|O)rder\.?<\/p>/);
  });
});

describe("a schema with values or alternatives, and a field that refers to it with another description", () => {
  const schemas: Record<string, object> = {
    Weak: { type: "string", enum: ["weak", "strong"], description: "**weak** is faster." },
    Only: { oneOf: [{ const: "weak" }, { const: "strong" }], description: "**weak** is faster." },
    Either: {
      anyOf: [{ type: "string" }, { type: "object", properties: { a: {} } }],
      description: "**weak** is faster.",
    },
    Fields: { type: "object", properties: { a: {} }, description: "**weak** is faster." },
  };
  const next = (name: string) => ({ $ref: `#/components/schemas/${name}`, description: "The order." });
  const rows: [string, { description?: string; [keyword: string]: unknown }, isShown: boolean][] = [
    ["enum", next("Weak"), true],
    ["const", next("Only"), true],
    ["anyOf", next("Either"), true],
    ["items", { type: "array", items: next("Weak") }, true],
    ["allOf", { allOf: [{ $ref: "#/components/schemas/Weak" }], description: "The order." }, true],
    ["the same text", { ...next("Weak"), description: "Weak is faster. Strong isn't." }, false],
    ["an object", next("Fields"), false],
  ];
  test.each(rows)("%s", (_, schema, isShown) => {
    const page = pageOf(bodyDocument({ type: "object", properties: { f: schema } }, { schemas }));
    const { description = "The order." } = schema;
    const parameter = { in: "query", name: "p", description, schema };
    const other = pageOf(operationDocument({ parameters: [parameter] }, { schemas }));
    for (const { html, markdown } of [page, other])
      for (const text of [html, markdown]) expect(/\bweak\S* is faster\./.test(text)).toBe(isShown);
  });
});

test.each<[string, object, string[]]>([
  [
    "x-enumDescriptions next to a reference",
    { allOf: [{ type: "string", enum: ["a", "b"] }], "x-enumDescriptions": ["First", "Second"] },
    ["- `a`: First", "- `b`: Second"],
  ],
  [
    "x-enumDescriptions next to a reference with more values",
    { allOf: [{ type: "string", enum: ["a", "b", "c"] }], "x-enumDescriptions": ["First", "Second"] },
    [],
  ],
  [
    "x-enum-comments",
    { enum: [1, 2], "x-enum-varnames": ["Low", "High"], "x-enum-comments": { Low: "A few", High: "Many" } },
    ["- `1`: Low: A few", "- `2`: High: Many"],
  ],
  [
    "x-ms-enum",
    {
      type: "array",
      items: {
        enum: [1, "b", "c"],
        "x-ms-enum": {
          name: "It",
          values: [
            { value: "b", name: "B", description: "Many" },
            { value: 1, name: "Few" },
          ],
        },
      },
    },
    ["- `1`: Few", "- `b`: B: Many"],
  ],
  [
    "x-ms-enum with junk",
    { enum: [1], "x-ms-enum": { values: [null, "a", { value: 1, description: 2 }] } },
    [],
  ],
])("descriptions of enum values in %s", (_, schema, wanted) => {
  const { markdown } = pageOf(bodyDocument({ type: "object", properties: { it: schema } }));
  expect(markdown.split("\n").flatMap((line) => (/^ +- `/.test(line) ? [line.trim()] : []))).toEqual(wanted);
});

test.each([
  ["oneOf", [{ const: "a", deprecated: true, description: "First" }, { const: "b" }]],
  ["references", [{ $ref: "#/components/schemas/A", deprecated: true }, { const: "b" }]],
  ["a deprecated target", [{ $ref: "#/components/schemas/Old" }, { const: "b" }]],
])("a deprecated value of %s", (_, oneOf) => {
  const schemas = {
    A: { const: "a", description: "First" },
    Old: { const: "a", deprecated: true, description: "First" },
  };
  for (const schema of [{ oneOf }, { type: "array", items: { oneOf } }]) {
    const page = pageOf(bodyDocument({ type: "object", properties: { f: schema } }, { schemas }));
    expect(page.markdown).toMatch(/- `a`: Deprecated: First\n/);
    expect(page.markdown).not.toContain("- `b`");
    expect(fieldsOf(page.html)["param-f"]).toContain("Deprecated: First");
  }
});

test("several examples are separate in Markdown", () => {
  const it = { type: "string", examples: ["name", "created,-name"] };
  const { markdown } = pageOf(bodyDocument({ type: "object", properties: { it } }));
  expect(markdown).toContain("- `it` (`string` · example `name` · `created,-name`)");
});

test("names with backticks stay code in Markdown", () => {
  const it = { type: "object", properties: { "a `b`": { type: "string" }, "": { type: "string" } } };
  const { markdown } = pageOf(bodyDocument(it));
  expect(markdown).toContain("- `` a `b` `` (`string`)\n- `` (`string`)");
});

describe("blocks in descriptions keep their lines in Markdown", () => {
  const list = "How to sort:\n\n- `up` - smallest\n  first\n- `down` - biggest";
  const table = "Units:\r\n\r\n| Sign | Unit |\r\n|---|---|\r\n| mm | millimeter |\r\n";
  test.each([
    ["a list", list, "): How to sort:\n\nM- `up` - smallest\nM  first\nM- `down` - biggest\n"],
    ["a table", table, "): Units:\n\nM| Sign | Unit |\nM|---|---|\nM| mm | millimeter |\n"],
    ["numbers", "Steps\n1. one\n2) two", "): Steps\n\nM1. one\nM2) two\n"],
    ["code", "Like\n```\na  b\n```", "): Like\n\nM```\nMa  b\nM```\n"],
    ["lines of a paragraph", "one\n\ntwo - three", "): one two - three\n"],
  ])("%s", (_, description, wanted) => {
    const { markdown } = pageOf(
      operationDocument({
        parameters: [{ name: "p", in: "query", description, schema: { type: "string" } }],
        requestBody: {
          content: {
            "application/json": { schema: { properties: { f: { properties: { g: { description } } } } } },
          },
        },
      }),
    );
    expect(markdown).toContain(`- \`p\` (\`string\`${wanted.replaceAll("M", "  ")}`);
    expect(markdown).toContain(`  - \`g\` (\`any\`${wanted.replaceAll("M", "    ")}`);
  });
});

describe("conditional parts", () => {
  const zip = {
    required: ["zip"],
    properties: { zip: { type: "string", pattern: "^[0-9]{5}$", description: "Five digits." } },
  };
  const us = { properties: { country: { const: "US" } } };
  const address = {
    type: "object",
    required: ["country"],
    properties: { country: { type: "string", enum: ["US", "NL"] }, card: { type: "string" } },
  };
  const named = { schemas: { Zip: zip } };
  const field = "- `zip` (`string` · required · pattern `^[0-9]{5}$`): Five digits.";

  test.each<[string, object, string]>([
    ["then", { if: us, then: zip }, "If country is US"],
    ["else", { if: us, then: { required: ["card"] }, else: zip }, "Unless country is US"],
    ["else without then", { if: us, else: zip }, "Unless country is US"],
    [
      "a list of conditions",
      {
        allOf: [
          { if: us, then: zip },
          { if: { required: ["card"] }, then: { properties: { cvc: {} } } },
        ],
      },
      "If country is US",
    ],
    ["a chain", { if: { required: ["card"] }, then: {}, else: { if: us, then: zip } }, "If country is US"],
    ["a reference", { if: us, then: { $ref: "#/components/schemas/Zip" } }, "If country is US"],
    [
      "several values",
      { if: { properties: { country: { enum: ["US", "CA"] } } }, then: zip },
      "If country is US | CA",
    ],
    ["a nested field", { if: { properties: { home: us } }, then: zip }, "If home.country is US"],
    ["a limit", { if: { properties: { age: { minimum: 18 } } }, then: zip }, "If age at least 18"],
    ["a negation", { if: { not: us }, then: zip }, "If not (country is US)"],
    [
      "another keyword",
      { if: { minProperties: 2, contains: {} }, then: zip },
      'If {"minProperties":2,"contains":{}}',
    ],
    ["dependentSchemas", { dependentSchemas: { card: zip } }, "If card is set"],
    ["dependencies of older documents", { dependencies: { card: zip } }, "If card is set"],
  ])("are shown with their conditions: %s", (_, keywords, condition) => {
    for (const page of [
      pageOf(bodyDocument({ ...address, ...keywords }, named)),
      pageOf(bodyDocument({ type: "array", items: { ...address, ...keywords } }, named)),
      pageOf(bodyDocument({ type: "object", properties: { to: { ...address, ...keywords } } }, named)),
    ]) {
      const [before, after] = page.markdown.split(field);
      expect(before).toContain(`${condition} \`object\``);
      expect(after).toBeDefined();
      const text = textOf(page.html);
      expect(text).toContain(condition);
      expect(text).toContain("zip string required\nFive digits.\npattern ^[0-9]{5}$");
      expect(text).not.toContain('{"required"');
    }
  });

  test.each(["dependentRequired", "dependencies"])("a condition can only require fields: %s", (keyword) => {
    const { html, markdown } = pageOf(bodyDocument({ ...address, [keyword]: { country: ["card"] } }));
    expect(markdown).toContain("If country is set `object` · required: `card`");
    expect(textOf(html)).toContain("If country is set\nrequired: card");
  });

  test("the example meets the conditions", () => {
    const example = (keywords: object) => {
      const { markdown } = pageOf(bodyDocument({ ...address, ...keywords }));
      return JSON.parse(/```json\n([^`]+)/.exec(markdown)![1]!) as unknown;
    };
    const postcode = { properties: { postcode: { type: "string" } } };
    const plain = { country: "US", card: "<string>" };
    expect(example({ if: us, then: zip, else: postcode })).toEqual({ ...plain, zip: "00000" });
    expect(example({ if: { properties: { country: { const: "NL" } } }, then: zip, else: postcode })).toEqual({
      ...plain,
      postcode: "<string>",
    });
    expect(
      example({ dependentSchemas: { card: { properties: { cvc: { type: "string" } } }, other: zip } }),
    ).toEqual({
      ...plain,
      cvc: "<string>",
    });
  });
});

describe("JSON in a text", () => {
  const Details = {
    type: "object",
    required: ["shelf"],
    properties: {
      shelf: { type: "integer", minimum: 3, description: "Shelf of the box" },
      boxes: { type: "array", items: { type: "string" } },
    },
  };
  const json = {
    type: "string",
    contentMediaType: "application/json",
    contentSchema: { $ref: "#/components/schemas/Details" },
  };
  const parts = (schema: object, type: string) =>
    pageOf(
      operationDocument(
        { requestBody: { content: { [type]: { schema } } }, responses: { 200: { description: "Fine" } } },
        { schemas: { Details } },
      ),
    );

  test.each([
    ["a part of a form", { type: "object", properties: { f: json } }, "multipart/form-data"],
    ["a field of JSON", { type: "object", properties: { f: json } }, "application/json"],
    [
      "a field of an alternative",
      { oneOf: [{ type: "object", properties: { f: json } }] },
      "multipart/form-data",
    ],
    [
      "items of a list",
      { type: "array", items: { type: "object", properties: { f: json } } },
      "application/json",
    ],
  ])("has fields on the page and in Markdown, and a valid example: %s", (_, schema, type) => {
    const { html, aside, markdown } = parts(schema, type);
    expect(textOf(html)).toContain("shelf integer required\nShelf of the box\nat least 3");
    expect(markdown).toContain("- `shelf` (`integer` · required · at least 3): Shelf of the box");
    expect(textOf(aside).replace(/[\s\\]+/g, "")).toContain('{"shelf":4,"boxes":["<string>"]}');
  });

  test("is a part with its media type", () => {
    expect(textOf(parts({ type: "object", properties: { f: json } }, "multipart/form-data").aside)).toContain(
      "application/json",
    );
  });

  test("in an event of a stream", () => {
    const event = { type: "object", properties: { event: { const: "box" }, data: json } };
    const { html, markdown } = pageOf(
      operationDocument(
        {
          responses: {
            200: { description: "Fine", content: { "text/event-stream": { itemSchema: event } } },
          },
        },
        { schemas: { Details } },
      ),
    );
    expect(textOf(html)).toContain("Shelf of the box");
    expect(markdown).toContain('data: {"shelf":4,"boxes":["<string>"]}');
  });

  test("encoded text keeps its placeholder", () => {
    const { html, markdown } = parts(
      { type: "object", properties: { f: { ...json, contentEncoding: "base64" } } },
      "application/json",
    );
    expect(textOf(html)).toContain("Shelf of the box");
    expect(markdown).not.toContain('"{');
  });
});

describe("nested fields", () => {
  const below = (schema: object, components: object = {}) =>
    fieldsOf(pageOf(bodyDocument({ type: "object", properties: { f: schema } }, components)).html);

  test("required fields have a text", () => {
    const fields = below({
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, b: { type: "string" } },
    });
    expect(fields["param-f-a"]).toBe("a string required");
    expect(fields["param-f-b"]).toBe("b string");
  });
  test("additionalProperties is a row for any key", () => {
    expect(below({ type: "object", additionalProperties: { type: "integer" } })["param-f-key"]).toBe(
      "{key} integer",
    );
    expect(below({ type: "object", additionalProperties: true })["param-f-key"]).toBe("{key} any");
    expect(Object.keys(below({ type: "object", additionalProperties: false }))).toEqual(["param-f"]);
  });
  test("x-additionalPropertiesName is the name of the row and of the key in samples", () => {
    const named = (more: object) => ({ type: "string", "x-additionalPropertiesName": "locale", ...more });
    const maps: object[] = [
      { type: "object", additionalProperties: named({}) },
      { allOf: [{ type: "object", additionalProperties: named({}) }] },
      { type: "object", unevaluatedProperties: named({ description: "Its name" }) },
    ];
    for (const map of maps) {
      const page = pageOf(bodyDocument(map));
      expect(fieldsOf(page.html)["param-locale"]).toContain("{locale} string");
      expect(page.markdown).toContain("- `{locale}` (`string`)");
      expect(page.aside).toContain("{locale}");
    }
  });
  test("patternProperties and prefixItems", () => {
    expect(below({ type: "object", patternProperties: { "^x-": { type: "string" } } })["param-f-x"]).toBe(
      "/^x-/ string",
    );
    const tuple = below({ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] });
    expect([tuple["param-f-0"], tuple["param-f-1"]]).toEqual(["[0] string", "[1] integer"]);
  });
  test("items of a list of objects", () => {
    expect(
      below({ type: "array", items: { type: "object", properties: { id: { type: "integer" } } } })[
        "param-f-id"
      ],
    ).toBe("id integer");
  });
  test("allOf is one object", () => {
    const fields = below(
      {
        allOf: [
          { $ref: "#/components/schemas/Base" },
          { type: "object", properties: { b: { type: "string", maxLength: 3 } }, required: ["a"] },
        ],
      },
      {
        schemas: {
          Base: {
            type: "object",
            properties: { a: { type: "string" }, b: { type: "string", maxLength: 5 } },
          },
        },
      },
    );
    expect(fields["param-f-a"]).toBe("a string required");
    expect(fields["param-f-b"]).toBe("b string\nat most 3 characters");
  });

  const animals = {
    schemas: {
      Cat: {
        type: "object",
        title: "A cat",
        properties: { kind: { const: "cat" }, lives: { type: "integer" } },
      },
      Dog: {
        type: "object",
        properties: { kind: { const: "dog" }, tricks: { type: "array", items: { type: "string" } } },
      },
    },
  };
  const oneOf = [
    { $ref: "#/components/schemas/Cat" },
    { $ref: "#/components/schemas/Dog" },
    { type: "object", properties: { other: {} } },
  ];

  test("alternatives have their title, their name or a number", () => {
    const { html } = pageOf(bodyDocument({ type: "object", properties: { pet: { oneOf } } }, animals));
    expect([...html.matchAll(/<option[^>]*>([^<]+)/g)].map((match) => match[1])).toEqual([
      "A cat",
      "Dog",
      "Option 3",
    ]);
    expect(textOf(html)).toContain("One of");
  });
  test("alternatives at the top level are tabs, and all of them are shown without scripts", () => {
    const { html } = pageOf(bodyDocument({ anyOf: oneOf }, animals));
    expect(html.match(/role="tab"/g)?.length).toBe(4);
    expect(textOf(html)).toContain("Any of");
    expect(Object.keys(fieldsOf(html))).toEqual(
      expect.arrayContaining(["param-lives", "param-tricks", "param-other"]),
    );
  });
  test("the values of the discriminator are shown", () => {
    const discriminator = {
      propertyName: "kind",
      mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" },
    };
    const text = textOf(pageOf(bodyDocument({ oneOf: oneOf.slice(0, 2), discriminator }, animals)).html);
    expect(text).toContain("One of · kind");
    expect(text).toContain("kind = cat");
    expect(text).toContain("kind = dog");
  });
  test("alternatives in a parent's mapping show only the fields that they add", () => {
    const components = {
      schemas: {
        Pet: {
          type: "object",
          properties: { kind: { type: "string" }, name: { type: "string" } },
          discriminator: { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } },
        },
        Cat: {
          allOf: [
            { $ref: "#/components/schemas/Pet" },
            { type: "object", properties: { lives: { type: "integer" } } },
          ],
        },
      },
    };
    expect(
      Object.keys(fieldsOf(pageOf(bodyDocument({ $ref: "#/components/schemas/Pet" }, components)).html)),
    ).toEqual(["param-kind", "param-name", "param-lives"]);
  });
  test("a `readOnly` property is shown in responses, with a pill", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
    };
    const responses = { 200: { description: "x", content: { "application/json": { schema } } } };
    expect(fieldsOf(pageOf(operationDocument({ responses })).html)).toEqual({
      "param-id": "id string read-only",
    });
  });
  test("nested fields are collapsed, or expanded if the site configures it", () => {
    const document = bodyDocument({
      type: "object",
      properties: { f: { type: "object", properties: { a: {} } } },
    });
    expect(pageOf(document).html).toContain(
      '<details class="o-expandable expandable"><summary>Show fields (1)',
    );
    expect(pageOf(document, { expanded: "all" }).html).toContain(
      '<details class="o-expandable expandable" open><summary>Show fields (1)',
    );
  });
});

describe("pills", () => {
  test("are in order: type, required, built-in, the site's, the author's", () => {
    const schema = {
      type: "object",
      required: ["f"],
      properties: {
        f: {
          type: "string",
          writeOnly: true,
          "x-tier": "gold",
          "x-beta": true,
          "x-off": false,
          "x-platform": { pre: ["before"], post: ["after"] },
          "x-mint": { post: ["no"] },
        },
      },
    };
    const page = pageOf(bodyDocument(schema), { postKeys: ["x-tier", "x-beta", "x-off", "x-none"] });
    expect(fieldsOf(page.html)["param-f"]).toBe("before f string required write-only gold x-beta after");
  });
  test("can also be set at a parameter, and as lists", () => {
    const parameters = [
      { name: "q", in: "query", "x-pills": ["one", 2, "", null], schema: { type: "string" } },
    ];
    expect(
      fieldsOf(pageOf(operationDocument({ parameters }), { postKeys: ["x-pills"] }).html)["param-q"],
    ).toBe("q string one 2");
  });
});

describe("recursion and size", () => {
  const node = {
    schemas: {
      Node: {
        type: "object",
        properties: {
          value: { type: "string" },
          children: { type: "array", items: { $ref: "#/components/schemas/Node" } },
        },
      },
    },
  };

  test("a recursive schema links to its file", () => {
    const page = pageOf(bodyDocument({ $ref: "#/components/schemas/Node" }, node));
    expect(page.html).toContain(">Same as Node</a>");
    expect(page.html).toMatch(/class="o-cut" href="\x7f\/schemas\/[^"]+"/);
    expect(page.cuts.map(({ name, direction }) => ({ name, direction }))).toEqual([
      { name: "Node", direction: "request" },
    ]);
  });
  test("a schema that is nested too deeply has a link with its name", () => {
    let schema: object = { type: "object", title: "Deepest", properties: { end: { type: "string" } } };
    for (let i = 0; i < 6; i++)
      schema = { type: "object", title: `Level${i}`, properties: { [`f${i}`]: schema } };
    const page = pageOf(bodyDocument(schema));
    expect(page.html).toContain("Show Level");
    expect(page.html).not.toContain(">end<");
  });
  test("a hundred fields with fifty fields each stay within a page", () => {
    const wide = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [`w${i}`, { type: "string", description: "Words" }]),
      ),
    };
    const schema = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, wide])),
    };
    const { html } = pageOf(bodyDocument(schema));
    expect(html.match(/class="o-field field"/g)?.length).toBeLessThan(200);
    expect(html).toContain("param-f99");
  });
  test("the names of all of a thousand fields are listed", () => {
    const schema = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, { type: "string" }])),
    };
    const { html } = pageOf(bodyDocument(schema));
    expect(html).toContain("More fields");
    expect(html).toContain("f999");
    expect(html.length).toBeLessThan(100_000);
  });
  test.each([
    ["Deleted.", "Not deleted."],
    ["The ID of a plant.", "The ID, if you have one, of the order of a plant."],
    ["≥", "At least"],
  ])("a description that another one doesn't start with is shown: %s", (description, ofItems) => {
    const schema = { type: "array", description, items: { type: "string", description: ofItems } };
    const { html } = pageOf(
      operationDocument({
        responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
      }),
    );
    for (const text of [description, ofItems]) expect(html).toContain(text);
  });
});
