import { expect, test } from "vitest";
import { Refs } from "../../engine/openapi/nodes/refs.ts";
import { readOperation } from "../../engine/openapi/request/operation.ts";
import { environmentOf } from "./environments.ts";
import { firstDraft } from "./first-draft.ts";

const settings = {
  mode: "interactive",
  proxy: false,
  credentials: false,
  prefill: false,
  languages: [],
  optional: true,
} as const;

test("saving an environment keeps the values of other operations, including secret headers", () => {
  const get = { parameters: [{ name: "X-Trace", in: "header", schema: { type: "string" } }], responses: {} };
  const root = { openapi: "3.1.0", paths: { "/a": { get } } };
  const refs = new Refs(root);
  const operation = readOperation(
    refs,
    { value: root.paths["/a"], pointer: "#/paths/~1a" },
    "get",
    "/a",
    "operation",
  )!;
  const draft = {
    ...firstDraft(operation, refs, { ...settings, languages: [] }, ""),
    parameters: { "header.X-Trace": "t" },
  };
  const before = { name: "Test", variables: {}, parameters: { "path.team": "blue" } };
  const [environment, secrets] = environmentOf(draft, operation, before, {
    credentials: {},
    parameters: { "header.X-Api-Key": "k" },
  });
  expect(environment.parameters).toEqual({ "path.team": "blue", "header.X-Trace": "t" });
  expect(secrets.parameters).toEqual({ "header.X-Api-Key": "k" });
});
