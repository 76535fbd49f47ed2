import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { detailText } from "../../base/app-error.ts";
import { readJson } from "./read-body.ts";

const schema = Type.Object({
  name: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  choice: Type.Optional(
    Type.Union([Type.Object({ kind: Type.Literal("a"), text: Type.Optional(Type.String()) }), Type.Null()]),
  ),
  list: Type.Optional(Type.Array(Type.Object({ text: Type.Optional(Type.String()) }))),
});

async function* stream(text: string) {
  yield Buffer.from(text);
}
const read = (text: string) => readJson(stream(text), schema, { allowsUnknown: true });

describe("properties that every object has", () => {
  test.each([
    ['{"name":"x","__proto__":{"limit":99,"choice":{"kind":"b"}}}', { name: "x" }],
    ['{"name":"x","\\u005f_proto__":{"limit":"\\u0000"}}', { name: "x" }],
    ['{"name":"x","choice":{"kind":"a","__proto__":{"text":5}}}', { name: "x", choice: { kind: "a" } }],
    ['{"name":"x","list":[{"__proto__":{"text":5}}]}', { name: "x", list: [{}] }],
    ['{"name":"x","constructor":{"prototype":{"limit":9}},"toString":1,"valueOf":2}', { name: "x" }],
  ])("%s", async (text, expected) => {
    const value = (await read(text)) as { limit?: unknown; list?: object[]; choice?: { text?: unknown } };
    expect(value).toEqual(expected);
    expect(Object.keys(value)).toEqual(Object.keys(expected));
    expect([value.limit, value.choice?.text, (value.list?.[0] as { text?: unknown })?.text]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(({} as { limit?: unknown }).limit).toBeUndefined();
  });

  test("can't replace required ones", async () => {
    await expect(read('{"__proto__":{"name":"x"}}')).rejects.toMatchObject({ code: "invalid" });
  });
});

test.each([
  `{"name":"x","other":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
  `{"name":"x","other":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`,
  `${"[".repeat(32_000)}${"]".repeat(32_000)}`,
])("a body that is nested deeply", async (text) => {
  await expect(read(text)).rejects.toMatchObject({
    code: "invalid",
    message: "Invalid request body",
    details: [{ field: "body", text: "must not be nested more than 64 levels deep" }],
  });
});

describe("unknown fields", () => {
  const closed = Type.Object({
    name: Type.String(),
    source: Type.Optional(
      Type.Union([
        Type.Object({ kind: Type.Literal("upload") }),
        Type.Object({ kind: Type.Literal("git"), branch: Type.String() }),
        Type.Null(),
      ]),
    ),
    list: Type.Optional(Type.Array(Type.Object({ text: Type.Optional(Type.String()) }))),
    audience: Type.Optional(Type.Union([Type.Literal("public"), Type.Array(Type.String())])),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  });
  const detailsOf = (text: string) =>
    readJson(stream(text), closed, { allowsUnknown: false }).then(
      () => [],
      ({ details }) => details.map((each: Parameters<typeof detailText>[0]) => detailText(each)),
    );

  test.each([
    ['{"name":"x","nme":"y"}', ["nme isn't a known field. Did you mean name?"]],
    ['{"nme":"y"}', ["nme isn't a known field. Did you mean name?", "name is required"]],
    [
      '{"name":"x","zzzzzzzzz":1}',
      ["zzzzzzzzz isn't a known field. Known fields: name, source, list, audience, metadata"],
    ],
    [
      '{"name":"x","source":{"kind":"git","branch":"main","brnch":"x"}}',
      ["source.brnch isn't a known field. Did you mean branch?"],
    ],
    [
      '{"name":"x","source":{"kind":"upload","branch":"main"}}',
      ["source.branch isn't a known field. Known fields: kind"],
    ],
    ['{"name":"x","list":[{},{"txt":"a"}]}', ["list.1.txt isn't a known field. Did you mean text?"]],
    [
      '{"name":"x","__proto__":{"source":1},"list":[{"constructor":1}]}',
      [
        "__proto__ isn't a known field. Known fields: name, source, list, audience, metadata",
        "list.0.constructor isn't a known field. Known fields: text",
      ],
    ],
    ['{"name":"x","source":null,"list":[],"audience":["a"],"metadata":{"any":"y"}}', []],
  ])("%s", async (text, expected) => {
    expect(await detailsOf(text)).toEqual(expected);
  });

  test("are reported up to a limit, with short names", async () => {
    const many = Array.from({ length: 500 }, (_, index) => [`${"u".repeat(100)}${index}`, 1]);
    const details = await detailsOf(JSON.stringify({ name: "x", ...Object.fromEntries(many) }));
    expect(details.length).toBe(1);
    expect(
      await detailsOf(
        JSON.stringify({ name: "x", list: [Object.fromEntries(many.map(([, v], i) => [`k${i}`, v]))] }),
      ),
    ).toHaveLength(20);
  });
});
