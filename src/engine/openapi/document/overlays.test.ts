/** Tests overlays: queries, actions, and `overlays` in docs.json. */

import { describe, expect, test } from "vitest";
import { briefly, buildSiteFrom } from "../../../../test/engine/build.ts";
import type { Raw } from "../nodes/refs.ts";
import { JsonPaths } from "./json-path.ts";
import { applyOverlay } from "./overlays.ts";

const store = {
  books: [
    { title: "A", price: 8, tags: ["x"] },
    { title: "B", price: 12, isbn: "1" },
    { title: "C", price: 23, isbn: "2", tags: [] },
  ],
  "odd key": { "it's": 1, 'a"b': 2 },
  nested: { title: "D", deep: { title: "E" } },
};

describe("queries", () => {
  test.each<[query: string, pointers: string]>([
    ["$", "#"],
    ["$.books[0].title", "#/books/0/title"],
    ["$['books'][-1]['title']", "#/books/2/title"],
    ['$["odd key"]["it\'s"]', "#/odd key/it's"],
    ["$['odd key']['it\\'s', 'a\"b']", "#/odd key/it's #/odd key/a\"b"],
    ["$.books[*].isbn", "#/books/1/isbn #/books/2/isbn"],
    ["$.books[0:2].title", "#/books/0/title #/books/1/title"],
    ["$.books[::-2].title", "#/books/2/title #/books/0/title"],
    ["$..title", "#/nested/title #/books/0/title #/books/1/title #/books/2/title #/nested/deep/title"],
    ["$..[1]", "#/books/1"],
    ["$.nested.*", "#/nested/title #/nested/deep"],
    ["$.books[?@.isbn]", "#/books/1 #/books/2"],
    ["$.books[?(@.price < 10 || @.isbn == '2')]", "#/books/0 #/books/2"],
    ["$.books[?!@.isbn && @.price >= 8]", "#/books/0"],
    ["$.books[?@.price > $.books[0].price].title", "#/books/1/title #/books/2/title"],
    ["$.books[?@.tags[?@ == 'x']]", "#/books/0"],
    ["$.missing.key", ""],
    ["$.books[7]", ""],
  ])("%s", (query, pointers) => {
    const found = new JsonPaths().find(query, store).map(({ pointer }) => pointer);
    expect(found.sort()).toEqual(
      pointers
        .split(/ (?=#)/)
        .filter(Boolean)
        .sort(),
    );
  });

  test.each([
    "",
    "books",
    "$.",
    "$[",
    "$.books[?]",
    "$.books[?@.a ==]",
    "$..",
    "$ x",
    "$[?length(@) > 1]",
    `$${"[?".repeat(60)}`,
    `$.${"a".repeat(3_000)}`,
  ])("%s is an error", (query) =>
    expect(() => new JsonPaths().find(query, store)).toThrow(/query|function|longer/),
  );

  test("a query that would visit too many nodes ends", () => {
    const list = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => ({})));
    expect(() => new JsonPaths().find("$..[?$..*]", list)).toThrow("too many nodes");
  });
});

describe("actions", () => {
  const apply = (action: object, root: Raw) => {
    const problems = applyOverlay(
      root,
      { overlay: "1.1.0", actions: [action] },
      () => true,
      (code, pointer, message) => ({ code, severity: "error", file: pointer, message }),
    );
    return { root, problems: problems.map(({ code, file }) => `${code} ${file}`) };
  };

  test.each<[what: string, action: object, before: Raw, after: Raw]>([
    [
      "update merges objects",
      { target: "$.a", update: { c: { e: 2 }, f: 3 } },
      { a: { b: 1, c: { d: 1 } } },
      { a: { b: 1, c: { d: 1, e: 2 }, f: 3 } },
    ],
    ["update appends lists in objects", { target: "$", update: { l: [3] } }, { l: [1, 2] }, { l: [1, 2, 3] }],
    ["update appends an item", { target: "$.l", update: { x: 1 } }, { l: [0] }, { l: [0, { x: 1 }] }],
    ["update replaces a value", { target: "$.a.b", update: 2 }, { a: { b: 1 } }, { a: { b: 2 } }],
    [
      "each target gets its own copy",
      { target: "$.l[*]", update: { t: [1] } },
      { l: [{}, { t: [0] }] },
      { l: [{ t: [1] }, { t: [0, 1] }] },
    ],
    [
      "remove",
      { target: "$.l[?@.x]", remove: true },
      { l: [{ x: 1 }, { y: 1 }, { x: 2 }] },
      { l: [{ y: 1 }] },
    ],
    [
      "remove of keys",
      { target: "$..x", remove: true, update: { z: 1 } },
      { x: 1, a: { x: 2, y: 3 } },
      { a: { y: 3 } },
    ],
    [
      "copy",
      { target: "$.b", copy: "$.a" },
      { a: { x: 1 }, b: { y: 2 } },
      { a: { x: 1 }, b: { y: 2, x: 1 } },
    ],
  ])("%s", (_, action, before, after) => {
    const { root, problems } = apply(action, structuredClone(before));
    expect(root).toEqual(after);
    expect(problems).toEqual([]);
  });

  test.each<[what: string, action: object, problem: string]>([
    ["no match", { target: "$.gone", remove: true }, "openapi-overlay-target #/actions/0/target"],
    ["no target", { update: {} }, "openapi-overlay #/actions/0"],
    ["an invalid target", { target: "a.b", update: {} }, "openapi-overlay #/actions/0/target"],
    ["no change", { target: "$" }, "openapi-overlay #/actions/0"],
    ["several sources", { target: "$.a", copy: "$.*" }, "openapi-overlay-target #/actions/0/copy"],
  ])("%s", (_, action, problem) => {
    const { root, problems } = apply(action, { a: { x: 1 }, b: {} });
    expect(problems).toEqual([problem]);
    expect(root).toEqual({ a: { x: 1 }, b: {} });
  });

  test("prototype keys are ordinary keys", () => {
    apply(
      {
        target: "$",
        update: JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'),
      },
      {},
    );
    expect(({} as Raw).polluted).toBeUndefined();
  });

  test("an overlay can't multiply its content without a limit", () => {
    const root = { l: Array.from({ length: 50_000 }, () => ({})) };
    expect(apply({ target: "$.l[*]", update: { text: "x".repeat(5_000) } }, root).problems).toEqual([
      "openapi-overlay #/actions/0",
    ]);
  });
});

describe("overlays in docs.json", () => {
  const api = `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /a: { get: { summary: A, description: Old, responses: { "200": { description: Fine } } } }
  /secret: { get: { summary: Secret, responses: { "200": { description: Fine } } } }
`;
  const build = (overlays: unknown, files: Record<string, string>) =>
    buildSiteFrom({
      "docs.json": JSON.stringify({
        theme: "mint",
        name: "A",
        colors: { primary: "#0D9373" },
        navigation: { tabs: [{ tab: "API", openapi: { source: "apis/api.yaml", overlays } }] },
      }),
      "apis/api.yaml": api,
      ...files,
    });
  const first = `overlay: 1.0.0
info: { title: O, version: "1" }
extends: ../apis/api.yaml
actions:
  - target: $.paths['/a'].get
    update: { description: First, deprecated: true }
  - target: $.paths['/secret']
    remove: true
`;
  const second = JSON.stringify({
    overlay: "1.1.0",
    info: {},
    actions: [{ target: "$.paths['/a'].get", update: { description: "Second" } }],
  });

  test("overlays are applied in their order, also to the download", async () => {
    const { read, paths, problems } = await build(["overlays/first.yaml", "second.json"], {
      "overlays/first.yaml": first,
      "second.json": second,
    });
    expect(briefly(problems)).toEqual([]);
    expect(read("api-reference/a.md")).toContain("Second");
    expect(paths.filter((path) => path.includes("secret"))).toEqual([]);
    expect(read("apis/api.yaml")).not.toContain("Secret");
    expect(read("apis/api.yaml")).toContain("Second");
  });

  test.each<[what: string, overlay: string, expected: string[]]>([
    [
      "another document",
      first.replace("../apis/api.yaml", "other.yaml"),
      ["openapi-overlay-target o.yaml:3"],
    ],
    [
      "no match",
      first.replace("/secret", "/gone").replace("../apis", "apis"),
      ["openapi-overlay-target o.yaml:7"],
    ],
    [
      "an invalid query",
      first.replace("$.paths['/secret']", "paths").replace("../apis", "apis"),
      ["openapi-overlay o.yaml:7"],
    ],
    ["invalid YAML", "overlay: [", ["openapi-syntax o.yaml:1"]],
    ["no overlay", "title: x", ["openapi-overlay o.yaml:1"]],
  ])("problems are in the overlay: %s", async (_, overlay, expected) => {
    const { problems } = await build("o.yaml", { "o.yaml": overlay });
    expect(problems.map(({ code, file, line }) => `${code} ${file}:${line}`)).toEqual(expected);
  });

  test.each<[unknown, string]>([
    ["gone.yaml", "openapi-overlay docs.json:1"],
    ["https://example.com/o.yaml", "config-value docs.json:1"],
    [["../o.yaml"], "config-value docs.json:1"],
    [3, "config-value docs.json:1"],
  ])("%j", async (overlays, expected) => {
    expect(briefly((await build(overlays, {})).problems)).toEqual([expected]);
  });

  test("a Swagger 2.0 document is converted after its overlays", async () => {
    const swagger =
      'swagger: "2.0"\ninfo: { title: T, version: "1" }\npaths: { /a: { get: { summary: A, responses: { "200": { description: x } } } } }\n';
    const overlay = "overlay: 1.0.0\nactions: [{ target: $, update: { host: api.example.com } }]\n";
    const { read } = await build("o.yaml", { "apis/api.yaml": swagger, "o.yaml": overlay });
    expect(read("api-reference/a.md")).toContain("https://api.example.com");
  });
});
