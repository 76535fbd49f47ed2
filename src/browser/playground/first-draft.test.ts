import { describe, expect, test } from "vitest";
import { Refs } from "../../engine/openapi/nodes/refs.ts";
import { readOperation } from "../../engine/openapi/request/operation.ts";
import { buildRequest } from "../../engine/openapi/request/request.ts";
import { inputsOf } from "./draft.ts";
import { firstDraft } from "./first-draft.ts";

const settings = {
  mode: "interactive",
  proxy: false,
  credentials: false,
  languages: [],
  optional: true,
} as const;

test.each(["application/yaml", "text/vnd.yaml", "application/vnd.acme+yaml; charset=utf-8"])(
  "a body of the type %s starts as YAML and is sent as it's written",
  (type) => {
    const schema = { type: "object", properties: { name: { type: "string" }, tags: { type: "array" } } };
    const content = { [type]: { schema, example: { name: "Oak", tags: ["a b"] } } };
    const root = { paths: { "/a": { post: { requestBody: { content }, responses: {} } } } };
    const refs = new Refs(root);
    const operation = readOperation(
      refs,
      { value: root.paths["/a"], pointer: "#/paths/~1a" },
      "post",
      "/a",
      "operation",
    )!;
    const draft = firstDraft(operation, refs, { ...settings, languages: [], prefill: true }, "");
    expect(draft.bodies[type]?.text).toBe("name: Oak\ntags:\n  - a b\n");
    const { body } = buildRequest(operation, inputsOf(draft, operation, refs), refs);
    expect(body).toEqual({ kind: "text", text: "name: Oak\ntags:\n  - a b\n" });
  },
);

test("an example of any media type that isn't JSON is the text of the body", () => {
  const content = { "*/*": { schema: { type: "object" }, example: "amber" } };
  const root = { paths: { "/a": { post: { requestBody: { content }, responses: {} } } } };
  const refs = new Refs(root);
  const item = { value: root.paths["/a"], pointer: "#/paths/~1a" };
  const operation = readOperation(refs, item, "post", "/a", "operation")!;
  const draft = firstDraft(operation, refs, { ...settings, languages: [], prefill: true }, "");
  expect(draft.bodies["*/*"]).toEqual({ raw: true, text: "amber" });
});

/** Initial value of the form for a path parameter. */
function startOf(parameter: object, prefill: boolean): unknown {
  const get = { parameters: [{ name: "color", in: "path", required: true, ...parameter }], responses: {} };
  const root = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths: { "/{color}": { get } } };
  const refs = new Refs(root);
  const operation = readOperation(
    refs,
    { value: root.paths["/{color}"], pointer: "#/paths/~1{color}" },
    "get",
    "/{color}",
    "operation",
  )!;
  return firstDraft(operation, refs, { ...settings, languages: [], prefill }, "").parameters["path.color"];
}

const color = {
  type: "object",
  properties: { r: { type: "integer" }, g: { type: "integer" }, b: { type: "integer", "x-default": 3 } },
};

describe("initial value of an object-typed path parameter", () => {
  test.each([
    ["the parameter's example", { schema: color, example: { r: 100, g: 200 } }, { r: 100, g: 200, b: 3 }],
    [
      "the first of its examples",
      { schema: color, examples: { red: { value: { r: 255 } } } },
      { r: 255, b: 3 },
    ],
    [
      "the example of its content",
      { content: { "application/json": { schema: color, example: { r: 1 } } } },
      { r: 1, b: 3 },
    ],
    [
      "an example where the schema has no properties",
      { schema: { type: "object" }, example: { r: 1 } },
      { r: 1 },
    ],
  ])("%s", (_, parameter, wanted) => {
    expect(startOf(parameter, true)).toEqual(wanted);
  });

  test("x-default only, if examples aren't filled in", () => {
    expect(startOf({ schema: color, example: { r: 100 } }, false)).toEqual({ b: 3 });
  });
});

test.each([
  ["application/x-ndjson", [{ n: 1 }, { n: 2 }], '{"n":1}\n{"n":2}\n'],
  ["text/csv", [{ n: 1, text: "a,b" }], 'n,text\r\n1,"a,b"\r\n'],
  ["text/plain", "two\nlines", "two\nlines"],
])("a text field starts with the text that the sample sends as %s", (type, example, text) => {
  const root = {
    openapi: "3.1.0",
    paths: {
      "/a": { post: { requestBody: { content: { [type]: { schema: {}, example } } }, responses: {} } },
    },
  };
  const refs = new Refs(root);
  const operation = readOperation(
    refs,
    { value: root.paths["/a"], pointer: "#/paths/~1a" },
    "post",
    "/a",
    "operation",
  )!;
  const { bodies } = firstDraft(operation, refs, { ...settings, languages: [], prefill: true }, "");
  expect(bodies[type]!.text).toBe(text);
});

test("examples of each media type omit optional fields if samples do", () => {
  const schema = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string", example: "Ada" }, age: { example: 36 } },
  };
  const types = ["application/json", "application/vnd.api+json"];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const root = { openapi: "3.1.0", paths: { "/a": { post: { requestBody: { content }, responses: {} } } } };
  const refs = new Refs(root);
  const operation = readOperation(
    refs,
    { value: root.paths["/a"], pointer: "#/paths/~1a" },
    "post",
    "/a",
    "operation",
  )!;
  const { bodies } = firstDraft(
    operation,
    refs,
    { ...settings, languages: [], optional: false, prefill: true },
    "",
  );
  expect(types.map((type) => bodies[type]!.value)).toEqual([{ name: "Ada" }, { name: "Ada" }]);
});
