import { expect, test } from "vitest";
import { readDocument } from "../document/api-document.ts";
import { schemaRef } from "./schema-view.ts";
import { sentValue } from "./sent-values.ts";

const user = {
  type: "object",
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string" },
    password: { type: "string", writeOnly: true },
  },
};

const text = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  paths: {},
  components: { schemas: { User: user, Users: { type: "array", items: user } } },
});
const { refs } = (await readDocument("api.json", text)).document!;
const schemaOf = (name: string) => schemaRef(refs.at(`#/components/schemas/${name}`)!);

const whole = { id: 1, name: "Ada", password: "x" };

test.each([
  ["request", { name: "Ada", password: "x" }],
  ["response", { id: 1, name: "Ada" }],
  ["schema", whole],
] as const)("%s: the fields of the other direction are removed", (direction, expected) => {
  expect(sentValue(whole, schemaOf("User"), refs, direction)).toEqual(expected);
});

test("fields are removed from one item of a list, and the other items stay as they are", () => {
  const other = { name: "Bob" };
  const sent = sentValue([whole, other], schemaOf("Users"), refs, "request") as unknown[];
  expect(sent).toEqual([{ name: "Ada", password: "x" }, other]);
  expect(sent[1]).toBe(other);
});

test("a value without such fields is returned itself", () => {
  const value = [{ name: "Ada" }, { name: "Bob" }];
  expect(sentValue(value, schemaOf("Users"), refs, "request")).toBe(value);
});
