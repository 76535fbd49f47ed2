/** Requests for random values are those that the serializers of openapi-fetch make. */

import fc from "fast-check";
import {
  defaultPathSerializer,
  serializeArrayParam,
  serializeObjectParam,
  serializePrimitiveParam,
} from "openapi-fetch";
import { expect, test } from "vitest";
import { operationOf } from "../../../../test/engine/operation.ts";
import { buildRequest } from "./request.ts";

type Value = string | number | boolean | string[] | Record<string, string>;

/** Styles of each place (OpenAPI 3.1, 4.8.12.2). */
const styles = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
} as const;

/** Combinations that aren't compared, with the section that decides. */
const undecided: [reason: string, is: (style: string, explode: boolean, value: Value) => boolean][] = [
  [
    "OpenAPI 3.1, 4.8.12.3: n/a for the style and type",
    (style, explode, value) =>
      (style === "deepObject" && (typeof value !== "object" || Array.isArray(value) || !explode)) ||
      (/Delimited/.test(style) && (typeof value !== "object" || explode || !Array.isArray(value))),
  ],
];

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom("a b", "a,b", "a|b", "a&b=c", "ä/ö", "50%", "#x?", "a+b", "😀", ";.", "'(!)*"),
);
const name = fc.constantFrom("id", "tags", "color_1", "x-y");
const value: fc.Arbitrary<Value> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.array(text, { minLength: 1, maxLength: 4 }),
  fc.dictionary(fc.constantFrom("r", "g", "b_2"), text, { minKeys: 1, maxKeys: 3 }),
);
const given = fc.constantFrom<("path" | "query")[]>("path", "query").chain((place) =>
  fc.record({
    place: fc.constant(place),
    style: fc.constantFrom<string[]>(...styles[place]),
    explode: fc.boolean(),
    name,
    value,
  }),
);

function schemaOf(value: Value): object {
  if (Array.isArray(value)) return { type: "array", items: { type: "string" } };
  if (typeof value === "object")
    return {
      type: "object",
      properties: Object.fromEntries(Object.keys(value).map((key) => [key, { type: "string" }])),
    };
  return { type: typeof value };
}

/** Writes the same characters in the same way: RFC 3986 allows to escape those that have no meaning. */
function canonical(written: string): string {
  return written
    .replace(/[!'()*|[\]]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
    .replace(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase());
}

function expected(
  place: "path" | "query",
  style: string,
  explode: boolean,
  name: string,
  value: Value,
): string {
  if (place === "path") {
    const mark = { simple: "", label: ".", matrix: ";" }[style];
    return defaultPathSerializer(`/a/{${mark}${name}${explode ? "*" : ""}}/b`, { [name]: value });
  }

  const options = { style: style as "form", explode };
  const query = Array.isArray(value)
    ? serializeArrayParam(name, value, options)
    : typeof value === "object"
      ? serializeObjectParam(name, value, options as { style: "form"; explode: boolean })
      : serializePrimitiveParam(name, value as unknown as string);
  return `/a/b?${query}`;
}

test("paths and queries", () => {
  let compared = 0;
  fc.assert(
    fc.property(given, ({ place, style, explode, name, value }) => {
      if (undecided.some(([, is]) => is(style, explode, value))) return;
      const parameter = { name, in: place, required: true, style, explode, schema: schemaOf(value) };
      const { operation, refs } = operationOf(
        { parameters: [parameter], responses: {} },
        { path: place === "path" ? `/a/{${name}}/b` : "/a/b" },
      );
      const inputs = { server: "", parameters: { [`${place}.${name}`]: value }, credentials: [] };
      const { url } = buildRequest(operation, inputs as never, refs);
      const isDots = /\/(?:\.|%2e){1,2}\/b$/i.test(expected(place, style, explode, name, value));
      if (isDots) return;
      compared++;
      expect(canonical(url)).toBe(canonical(expected(place, style, explode, name, value)));
    }),
    { numRuns: 2_000, seed: 1 },
  );
  expect(compared).toBeGreaterThan(900);
});
