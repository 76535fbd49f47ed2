/** Tests valid and invalid documents: problems have positions, and the valid parts are shown. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { type BuiltSite, briefly, buildSiteFrom, siteOf } from "../../../../test/engine/build.ts";
import { corpusOf, inCorpus } from "../../../../test/shared/corpus.ts";
import { isRaw, type Raw } from "../nodes/refs.ts";

function build(
  files: Record<string, string | Uint8Array>,
  openapi: unknown = Object.keys(files)[0],
): Promise<BuiltSite> {
  const navigation = {
    tabs: [
      { tab: "Home", pages: ["index"] },
      { tab: "API", openapi },
    ],
  };
  const docs = { theme: "mint", name: "Acme", colors: { primary: "#0D9373" }, navigation };
  return buildSiteFrom({ "index.mdx": "Home", "docs.json": JSON.stringify(docs), ...files });
}

function pagesOf({ paths }: BuiltSite): string[] {
  return paths.filter((file) => file.endsWith(".md") && file !== "index.md" && !file.startsWith("_octavo/"));
}

const head = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\n';
const get = "get: {summary: A, responses: {200: {description: Fine}}}";

describe("problems of a document", () => {
  const rows: [what: string, file: string, text: string, brief: string, message: RegExp, pages: number][] = [
    [
      "truncated JSON",
      "api.json",
      '{"openapi": "3.1.0",',
      "openapi-syntax api.json:1",
      /isn't valid JSON/,
      0,
    ],
    [
      "YAML with a tab",
      "api.yaml",
      `${head}paths:\n\t/a: 1`,
      "openapi-syntax api.yaml:4",
      /isn't valid YAML/,
      0,
    ],
    [
      "a duplicate key",
      "api.yaml",
      `${head}paths:\n  /a: {}\n  /a: {}`,
      "openapi-syntax api.yaml:5",
      /isn't valid YAML/,
      0,
    ],
    [
      "Swagger 1.2",
      "api.yaml",
      'swagger: "1.2"\ninfo: {title: T}\npaths: {}',
      "openapi-version api.yaml:1",
      /Swagger 1\.2/,
      0,
    ],
    [
      "an unsupported version",
      "api.yaml",
      "openapi: 4.0.0\npaths: {}",
      "openapi-version api.yaml:1",
      /4\.0\.0/,
      0,
    ],
    [
      "no version",
      "api.yaml",
      "info: {title: T}\npaths: {}",
      "openapi-version api.yaml:1",
      /no OpenAPI version/,
      0,
    ],
    ["no operations", "api.yaml", `${head}paths: {}`, "openapi-empty api.yaml:1", /no operations/, 0],
    [
      "webhooks in 3.0",
      "api.yaml",
      `openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {}\nwebhooks:\n  w:\n    post: {responses: {200: {description: x}}}`,
      "openapi-webhooks api.yaml:4",
      /3\.1/,
      0,
    ],
    [
      "no info",
      "api.yaml",
      `openapi: 3.1.0\npaths:\n  /a: {${get}}`,
      "openapi-incomplete api.yaml:1",
      /has no info/,
      1,
    ],
    [
      "no responses in 3.0",
      "api.yaml",
      'openapi: 3.0.0\ninfo: {title: T, version: "1"}\npaths:\n  /a:\n    get: {summary: A}',
      "openapi-incomplete api.yaml:5",
      /has no responses/,
      1,
    ],
    [
      "a wrong type below a key with a %",
      "api.yaml",
      `${head}paths:\n  /a%20b:\n    get:\n      deprecated: maybe\n      responses: {200: {description: x}}`,
      "openapi-invalid api.yaml:6",
      /but is "maybe"/,
      1,
    ],
    [
      "a broken reference",
      "api.yaml",
      `${head}paths:\n  /a:\n    get:\n      responses:\n        200: {$ref: "#/components/responses/No"}`,
      "openapi-dead-ref api.yaml:7",
      /not found: .*No$/,
      1,
    ],
    [
      "references to files",
      "api.yaml",
      `${head}paths:\n  /a: {$ref: "paths/a.yaml"}\n  /b: {$ref: "file:///etc/passwd"}`,
      "openapi-external-ref api.yaml:4",
      /2 external.*a\.yaml.*etc\/passwd/,
      0,
    ],
    [
      "a reference to a URL",
      "api.json",
      '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{"$ref":"http://169.254.169.254/x"}}}}}}',
      "openapi-external-ref api.json:1",
      /169\.254/,
      0,
    ],
    [
      "a duplicate operationId",
      "api.yaml",
      `${head}paths:\n  /a:\n    get: {operationId: x, responses: {200: {description: x}}}\n    put: {operationId: x, responses: {200: {description: x}}}`,
      "openapi-operation-id api.yaml:6",
      /Duplicate operationId "x"/,
      2,
    ],
    [
      "an undeclared path parameter",
      "api.yaml",
      `${head}paths:\n  /a/{id}: {${get}}`,
      "openapi-path-parameter api.yaml:4",
      /\{id\}/,
      1,
    ],
    [
      "a declared path parameter that is not in the path",
      "api.yaml",
      `${head}paths:\n  /a:\n    get: {parameters: [{in: path, name: id, required: true, schema: {type: string}}], responses: {200: {description: x}}}`,
      "openapi-path-parameter api.yaml:5",
      /id isn't in \/a/,
      1,
    ],
    [
      "a server with a javascript: URL",
      "api.yaml",
      `${head}servers: [{url: "javascript:alert(1)"}]\npaths:\n  /a: {${get}}`,
      "openapi-server api.yaml:3",
      /javascript:alert/,
      1,
    ],
    [
      "an x-default of a security scheme that isn't a string",
      "api.yaml",
      `${head}components:\n  securitySchemes:\n    key: {type: apiKey, in: header, name: X-Key, x-default: 12345}\npaths:\n  /a: {${get}}`,
      "openapi-x-default api.yaml:5",
      /x-default of the security scheme key must be a string/,
      1,
    ],
    [
      "JSON 300 levels deep",
      "api.json",
      `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"x-deep":${"[".repeat(300)}${"]".repeat(300)}}`,
      "openapi-limit api.json",
      /levels/,
      0,
    ],
    [
      "YAML 20,000 levels deep",
      "api.yaml",
      `${head}x: ${"[".repeat(20_000)}`,
      "openapi-limit api.yaml",
      /deep|levels/,
      0,
    ],
  ];
  test.each(rows)("%s", async (_, file, text, brief, message, pages) => {
    const site = await build({ [file]: text });
    expect(briefly(site.problems)).toEqual([brief]);
    expect(site.problems[0]!.message).toMatch(message);
    expect(pagesOf(site)).toHaveLength(pages);
  });

  describe("a path item that is used more than once", () => {
    const shared = "{get: {operationId: report, summary: Report, responses: {200: {description: Fine}}}}";
    const other = "{summary: Other, responses: {200: {description: Fine}}}";
    const rows: [what: string, text: string, pages: string[]][] = [
      [
        "in components",
        `${head}paths:\n  /a: {$ref: "#/components/pathItems/R"}\n  /b: {$ref: "#/components/pathItems/R"}\ncomponents: {pathItems: {R: ${shared}}}`,
        ["report-1", "report"],
      ],
      [
        "in webhooks",
        `${head}webhooks:\n  on: {$ref: "#/components/pathItems/R"}\n  off: {$ref: "#/components/pathItems/R"}\ncomponents: {pathItems: {R: {post: {responses: {200: {description: Fine}}}}}}`,
        ["off", "on"],
      ],
      [
        "by an alias before it",
        `openapi: 3.0.3\n${head.slice(head.indexOf("info"))}paths:\n  /b: {$ref: "#/paths/~1a"}\n  /a: ${shared}`,
        ["report-1", "report"],
      ],
      [
        "in Swagger 2.0",
        `swagger: "2.0"\n${head.slice(head.indexOf("info"))}paths:\n  /b: {$ref: "#/paths/~1a"}\n  /a: ${shared}`,
        ["report-1", "report"],
      ],
      [
        "by a chain of references",
        `${head}paths:\n  /a: {$ref: "#/components/pathItems/One"}\n  /b: {$ref: "#/components/pathItems/Two", delete: ${other}}\ncomponents: {pathItems: {One: {$ref: "#/components/pathItems/Two"}, Two: ${shared}}}`,
        ["other", "report-1", "report"],
      ],
    ];
    test.each(rows)("%s has a page for each use", async (what, text, pages) => {
      const site = await build({ "api.yaml": text });
      expect(briefly(site.problems)).toEqual(
        what === "in Swagger 2.0" ? ["openapi-converted api.yaml:1"] : [],
      );
      expect(pagesOf(site)).toEqual(pages.map((page) => `api-reference/${page}.md`));
      const paths = pages.map((page) => /\/[ab]\b|webhook/i.exec(site.read(`api-reference/${page}.md`))?.[0]);
      if (pages.length === 2 && pages[1] === "report") expect(paths.sort()).toEqual(["/a", "/b"]);
    });

    test("keeps the operations and parameters next to the reference", async () => {
      const item = `{parameters: [{name: shared, in: query, schema: {type: string}}, {name: both, in: query, description: Before, schema: {}}], ${get}}`;
      const beside = `{$ref: "#/components/pathItems/R", delete: ${other}, parameters: [{name: own, in: query, schema: {}}, {name: both, in: query, description: After, schema: {}}]}`;
      const site = await build({
        "api.yaml": `${head}paths:\n  /a: ${beside}\ncomponents: {pathItems: {R: ${item}}}`,
      });
      expect(briefly(site.problems)).toEqual([]);
      for (const page of ["a", "other"]) {
        const markdown = site.read(`api-reference/${page}.md`);
        expect(["shared", "own", "After", "Before"].map((name) => markdown.includes(name))).toEqual([
          true,
          true,
          true,
          false,
        ]);
      }
    });

    test("keeps the operations next to the reference in a callback, even if the callback contains itself", async () => {
      const item = `{post: {summary: P, responses: {200: {description: Fine}}, callbacks: {done: {"{$url}": {$ref: "#/components/pathItems/R", delete: {summary: Beside, responses: {200: {description: Gone}}}}}}}}`;
      const site = await build({
        "api.yaml": `${head}paths:\n  /a: {$ref: "#/components/pathItems/R"}\ncomponents: {pathItems: {R: ${item}}}`,
      });
      expect(briefly(site.problems)).toEqual([]);
      expect(site.read("api-reference/p.md")).toMatch(/POST[\s\S]*DELETE[\s\S]*Gone/);
    });

    test("keeps the operations next to an external reference", async () => {
      const site = await build({ "api.yaml": `${head}paths:\n  /a: {$ref: "a.yaml", ${get}}` });
      expect(briefly(site.problems)).toEqual(["openapi-external-ref api.yaml:4"]);
      expect(pagesOf(site)).toEqual(["api-reference/a.md"]);
    });

    test("reports problems where the path item is written", async () => {
      const item = "{get: {deprecated: maybe, responses: {200: {description: Fine}}}}";
      const site = await build({
        "api.yaml": `${head}paths:\n  /a: {$ref: "#/components/pathItems/R"}\ncomponents:\n  pathItems:\n    R: ${item}`,
      });
      expect(briefly(site.problems)).toEqual(["openapi-invalid api.yaml:7"]);
      expect(site.problems[0]!.message).toContain("#/components/pathItems/R/get/deprecated");
    });

    test("is removed from the download if its operations are for a group", async () => {
      const item =
        '{get: {summary: Hidden canary, "x-platform": {metadata: {groups: [staff]}}, responses: {200: {description: Fine}}}}';
      const text = `${head}paths:\n  /a: {$ref: "#/components/pathItems/R"}\n  /b: {${get}}\ncomponents: {pathItems: {R: ${item}}}`;
      const site = await build({ "api.yaml": text });
      expect(site.paths.filter((path) => site.read(path).includes("canary"))).toEqual([]);
    });
  });

  describe("operations in extensions", () => {
    const sent = "{post: {summary: Sent, responses: {200: {description: Fine}}}}";
    const before = (version: string) => (version === "2.0" ? 'swagger: "2.0"' : `openapi: ${version}`);
    const textOf = (version: string, fields: string) =>
      `${before(version)}\ninfo: {title: T, version: "1"}\n${fields}`;
    const converted = (version: string) => (version === "2.0" ? ["openapi-converted api.yaml:1"] : []);

    test.each(["2.0", "3.0.3", "3.1.0"])("webhooks and paths have pages: %s", async (version) => {
      const fields = `paths:\n  /a: {${get}}\nx-webhooks:\n  sent: ${sent}\nx-ms-paths:\n  /a?kind=b: {get: {summary: B, responses: {200: {description: Fine}}}}`;
      const site = await build({ "api.yaml": textOf(version, fields) });
      expect(briefly(site.problems)).toEqual(converted(version));
      expect(pagesOf(site).sort()).toEqual(["a", "b", "sent"].map((page) => `api-reference/${page}.md`));
      expect(site.read("api-reference/sent.md")).toContain("WEBHOOK sent");
      expect(site.read("api-reference/b.md")).toContain("GET /a?kind=b");
    });

    test.each(["2.0", "3.0.3", "3.1.0"])(
      "can be the only ones, and can refer to other parts: %s",
      async (version) => {
        const site = await build({
          "api.yaml": textOf(
            version,
            `paths: {}\nx-webhooks:\n  sent: {$ref: "#/x-shared/Sent"}\nx-shared: {Sent: ${sent}}`,
          ),
        });
        expect(briefly(site.problems)).toEqual(converted(version));
        expect(pagesOf(site)).toEqual(["api-reference/sent.md"]);
      },
    );

    test("problems are reported where they are written", async () => {
      const text = textOf(
        "3.1.0",
        "paths: {}\nx-webhooks:\n  sent: {post: {deprecated: maybe, responses: {200: {description: Fine}}}}",
      );
      const { problems } = await build({ "api.yaml": text });
      expect(briefly(problems)).toEqual(["openapi-invalid api.yaml:5"]);
      expect(problems[0]!.message).toContain("#/x-webhooks/sent/post/deprecated");
    });

    test("a webhook for a group isn't in the download, and one of the standard field takes precedence", async () => {
      const hidden =
        '{post: {summary: Hidden canary, "x-platform": {metadata: {groups: [staff]}}, responses: {200: {description: Fine}}}}';
      const text = textOf(
        "3.1.0",
        `paths:\n  /a: {${get}}\nwebhooks: {sent: ${sent}}\nx-webhooks: {sent: ${hidden}, other: ${hidden}}`,
      );
      const site = await build({ "api.yaml": text });
      expect(site.paths.filter((path) => site.read(path).includes("canary"))).toEqual([]);
      expect(pagesOf(site)).toContain("api-reference/sent.md");
    });
  });

  test("security schemes that don't exist are reported once, with a similar name", async () => {
    const text = `${head}security: [{doorKey: []}]\npaths:\n  /a: {${get}}\n  /b:\n    get: {security: [{token: [], DoorKey: []}], summary: B, responses: {200: {description: Fine}}}\n    put: {security: [{token: []}, {}], summary: C, responses: {200: {description: Fine}}}\ncomponents: {securitySchemes: {DoorKey: {type: apiKey, in: header, name: K}}}`;
    const { problems } = await build({ "api.yaml": text });
    expect(briefly(problems)).toEqual([
      "openapi-security-scheme api.yaml:3",
      "openapi-security-scheme api.yaml:7",
    ]);
    expect(problems.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      expect.stringMatching(/"doorKey".*Did you mean DoorKey\?/),
      expect.stringMatching(/"token".*1 more.*Add the scheme/),
    ]);
  });

  test("headers that OpenAPI ignores aren't shown, and are reported once", async () => {
    const parameters = (...names: string[]) =>
      `parameters: [${names.map((name) => `{name: ${name}, in: header, schema: {type: string}}`).join(", ")}]`;
    const response =
      "responses: {200: {description: Fine, headers: {content-type: {schema: {type: string}}, X-Rate: {schema: {type: integer}}}}}";
    const text = `${head}paths:\n  /a:\n    ${parameters("ACCEPT")}\n    get: {summary: A, ${parameters("Authorization", "X-Trace")}, ${response}}\n    put: {summary: B, ${parameters("Authorization")}, ${response}}`;
    const site = await build({ "api.yaml": text });
    expect(briefly(site.problems)).toEqual([
      "openapi-ignored-header api.yaml:5",
      "openapi-ignored-header api.yaml:6",
      "openapi-ignored-header api.yaml:6",
    ]);
    for (const page of ["a.md", "a.html"]) {
      const shown = site.read(`api-reference/${page}`);
      expect(["X-Trace", "X-Rate"].filter((name) => !shown.includes(name))).toEqual([]);
      expect(shown).not.toMatch(/ACCEPT|>Authorization<|`Authorization`|content-type/);
    }
  });

  test("code samples that can't be read are reported", async () => {
    const samples =
      '[{lang: Go, source: {$ref: a.go}}, {language: Go, code: x}, {lang: Elixir, label: Own client, source: "Lamps.on()"}]';
    const text = `${head}paths:\n  /a:\n    get:\n      summary: A\n      x-codeSamples: ${samples}\n      responses: {200: {description: Fine}}`;
    const site = await build({ "api.yaml": text });
    expect(briefly(site.problems)).toEqual([
      "openapi-code-sample api.yaml:7",
      "openapi-code-sample api.yaml:7",
    ]);
    for (const page of ["api-reference/a.md", "llms-full.txt"])
      expect(site.read(page)).toContain(
        "Own client:\n\n```elixir\nLamps.on()\n```".replace("elixir", "Elixir"),
      );
  });

  test("an external $ref removes only the operations that use it", async () => {
    const uses = (schema: string) => ({
      responses: { 200: { description: "x", content: { "application/json": { schema: { $ref: schema } } } } },
    });
    const text = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: {
        "/direct": { get: { summary: "Direct", ...uses("common.yaml#/Pet") } },
        "/indirect": { get: { summary: "Indirect", ...uses("#/components/schemas/Pets") } },
        "/shared": {
          parameters: [{ $ref: "common.yaml#/Limit" }],
          get: { summary: "Shared", ...uses("#/components/schemas/Fine") },
        },
        "/fine": { get: { summary: "Fine", ...uses("#/components/schemas/Fine") } },
        "/elsewhere": { $ref: "paths/elsewhere.yaml" },
      },
      components: {
        schemas: {
          Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
          Pet: {
            type: "object",
            properties: { parent: { $ref: "#/components/schemas/Pets" }, tag: { $ref: "./tag.json" } },
          },
          Fine: { type: "object", properties: { self: { $ref: "#/components/schemas/Fine" } } },
        },
      },
    });
    const site = await build({ "api.json": text });
    expect(pagesOf(site)).toEqual(["api-reference/fine.md"]);
    expect(briefly(site.problems)).toEqual(["openapi-external-ref api.json:1"]);
    expect(site.problems[0]!.message).toMatch(
      /4 external \$refs.*tag\.json.*left out: \/elsewhere, GET \/direct, GET \/indirect, GET \/shared$/,
    );
  });

  test("an alias bomb is rejected before it is expanded", async () => {
    const levels = Array.from(
      { length: 9 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(", ")}]`,
    );
    const started = Date.now();
    const site = await build({
      "api.yaml": `${head}paths: {}\nl0: &l0 [${Array(10).fill("x").join(", ")}]\n${levels.join("\n")}`,
    });
    expect(briefly(site.problems)).toEqual(["openapi-limit api.yaml"]);
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  test("merge keys add the keys of another mapping, and own keys take precedence", async () => {
    const site = await build({
      "api.yaml": `${head}x-base: &b {get: {summary: Merged, responses: {200: {description: x}}}}\npaths:\n  /a:\n    <<: *b\n    put: {summary: Own, responses: {200: {description: x}}}\n  /b:\n    get: {summary: Kept, responses: {200: {description: x}}}\n    <<: [*b]`,
    });
    expect(pagesOf(site)).toEqual([
      "api-reference/kept.md",
      "api-reference/merged.md",
      "api-reference/own.md",
    ]);
    expect(site.problems).toEqual([]);
  });

  test("a discriminator offers the schemas that include its schema, also without a mapping", async () => {
    const schema = (parent: string, field: string) =>
      `{allOf: [{$ref: "#/components/schemas/${parent}"}, {type: object, properties: {${field}: {type: string}}}]}`;
    const site = await build({
      "api.yaml": `${head}paths:
  /pets: {post: {summary: Add, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}, responses: {200: {description: Fine}}}}
components:
  schemas:
    Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {dog: Dog}}}
    Dog: ${schema("Pet", "tricks")}
    Cat: ${schema("Pet", "lives")}
    Lion: ${schema("C%61t", "mane")}
    Tree: {allOf: [{type: object}]}`,
    });
    const page = site.read("api-reference/add.md");
    for (const text of ["(`dog`)", "tricks", "- Cat ", "lives", "- Lion ", "mane"])
      expect(page).toContain(text);
    expect(page).not.toContain("Tree");
    expect(site.problems).toEqual([]);
  });

  test("a chain of references keeps the keywords next to each of them", async () => {
    const site = await build({
      "api.yaml": `${head}paths:
  /a: {post: {summary: A, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/First"}}}}, responses: {200: {description: Fine}}}}
components:
  schemas:
    First: {$ref: "#/components/schemas/Second", description: Text of the first, required: [one]}
    Second: {$ref: "#/components/schemas/Third", properties: {two: {$ref: "#/components/schemas/Hidden"}, extra: {type: string, example: own}}}
    Third: {type: object, properties: {one: {type: integer}}}
    Hidden: {$ref: "#/components/schemas/Id", readOnly: true}
    Id: {type: string, format: uuid}`,
    });
    for (const file of ["api-reference/a.md", "api-reference/a.html"]) {
      const page = site.read(file);
      for (const text of ["Text of the first", "one", "extra", "own"]) expect(page).toContain(text);
      expect(page).not.toContain("uuid");
    }

    expect(site.read("api-reference/a.md")).toContain("`one` (`integer` · required)");
    expect(site.problems).toEqual([]);
  });

  test("merge keys can't add more keys than the limit", async () => {
    const keys = Array.from({ length: 1_000 }, (_, n) => `k${n}: 1`).join(", ");
    const site = await build({
      "api.yaml": `${head}x-base: &b {${keys}}\nx-all:\n${"  - <<: *b\n".repeat(1_000)}`,
    });
    expect(site.problems).toMatchObject([
      { code: "openapi-syntax", message: expect.stringMatching(/merge keys/) },
    ]);
  });

  test("of faults of the same kind, ten are reported, and the last one says how many more there are", async () => {
    const operations = Array.from(
      { length: 14 },
      (_, i) =>
        `  /p${i}: {get: {operationId: same, description: '<Visibility for="agents">x</Visibility>', responses: {200: {description: x, content: {a/b: {schema: {$ref: "#/components/schemas/Missing${i}"}}}}}}}`,
    );
    const text = `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n${operations.join("\n")}`;
    const { problems } = await build({ "api.yaml": text });
    for (const [code, more] of [
      ["openapi-dead-ref", 4],
      ["openapi-operation-id", 3],
      ["unknown-audience", 4],
    ] as const) {
      const same = problems.filter((one) => one.code === code);
      expect(same.map(({ message }) => / \(and (\d+) more like it\)$/.exec(message)?.[1])).toEqual([
        ...Array(9).fill(undefined),
        String(more),
      ]);
      expect(new Set(same.map(({ line }) => line)).size).toBe(10);
    }
  });

  test("all violations are reported at once, in words, and many of a kind are counted", async () => {
    const operations = Array.from(
      { length: 30 },
      (_, n) => `  /p${n}: {get: {responses: {200: {description: 7}}}}`,
    ).join("\n");
    const text = `openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /a: {get: {operationId: 5, responses: {200: {description: x}}}}
  /b: {get: {responses: {200: {content: {}}}, surprise: 1}}
${operations}
components: {schemas: {X: {type: strin}, Y: {type: object, required: true}}}`;
    const { problems } = await build({ "api.yaml": text });
    const found = problems.map(({ message, line }) => `${line} ${message}`);
    expect(found).toEqual(
      expect.arrayContaining([
        "4 #/paths/~1a/get/operationId should be a string, but is 5",
        "5 #/paths/~1b/get has the key surprise, which isn't supported here",
        "5 #/paths/~1b/get/responses/200 has no description",
      ]),
    );
    expect(found.filter((message) => message.includes("should be a string, but is 7"))).toHaveLength(9);
    expect(found).toContainEqual(expect.stringContaining("(and 21 more like it)"));
    expect(found).toContainEqual(
      expect.stringMatching(/^36 #\/components\/schemas\/X\/type should be one of .*, but is "strin"$/),
    );
    expect(found).toContain("36 #/components/schemas/Y/required should be a list, but is true");
    expect(problems.filter(({ severity }) => severity === "warning").map(({ code }) => code)).toEqual([
      "openapi-incomplete",
    ]);
  });

  test("the keywords of schemas are checked in 3.1, too", async () => {
    const { problems } = await build({
      "api.yaml": `${head}paths: {/a: {${get}}}\ncomponents: {schemas: {X: {type: strin, properties: {type: {minLength: "1"}}, required: true}}}`,
    });
    expect(problems.map(({ message }) => message.replace(/ should.*/, ""))).toEqual([
      "#/components/schemas/X/type",
      "#/components/schemas/X/properties/type/minLength",
      "#/components/schemas/X/required",
    ]);
  });

  test.each(["3.0.3", "3.1.0"])(
    "fields that are both readOnly and writeOnly are shown and reported in %s",
    async (version) => {
      const secret = "{type: object, properties: {secret: {type: string, readOnly: true, writeOnly: true}}}";
      const content = `content: {application/json: {schema: ${secret}}}`;
      const site = await build({
        "api.yaml": `openapi: ${version}\ninfo: {title: T, version: "1"}\npaths: {/a: {post: {requestBody: {${content}}, responses: {200: {description: x, ${content}}}}}}`,
      });
      expect(site.problems.map(({ code, message }) => `${code} ${message.replace(/.* is/, "is")}`)).toEqual([
        "openapi-incomplete is readOnly and writeOnly; it should be one of them, so both are ignored",
        "openapi-incomplete is readOnly and writeOnly; it should be one of them, so both are ignored",
      ]);
      expect(site.read(pagesOf(site)[0]!).match(/`secret`/g)).toHaveLength(2);
    },
  );

  test("unquoted values keep their text where a string is declared, and values of another type are reported", async () => {
    const site = await build({
      "api.yaml": `${head}paths:
  /a:
    post:
      summary: A
      parameters: [{name: v, in: query, schema: {type: string, enum: [1.0, 2.0, no], default: 2.0}}]
      requestBody:
        content:
          application/json:
            example: {zip: 01234, nested: {list: [1e10, +5]}, n: 3.10}
            schema:
              type: object
              properties:
                zip: {type: string}
                nested: {$ref: "#/components/schemas/N"}
                n: {type: number}
                level: {type: integer, enum: ["1", "2", high]}
                much: {type: number, example: .inf}
                big: {type: integer, maximum: 9223372036854775807, example: 12345678901234567890}
      responses: {200: {description: x}}
components: {schemas: {N: {type: object, properties: {list: {type: array, items: {type: string}}}}}}`,
    });
    const page = site.read("api-reference/a.md");
    for (const text of [
      "`1.0` | `2.0` | `no`",
      "default `2.0`",
      '"zip": "01234"',
      '"1e10",',
      '"+5"',
      '"n": 3.1',
      "`1` | `2`",
      "9223372036854775807",
      "example `.inf`",
    ])
      expect(page).toContain(text);
    expect(site.problems.map(({ code }) => code)).toEqual(Array(10).fill("openapi-value-type"));
  });

  test("a page with references that double thirty times has a limited size", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `S${n}`,
        {
          type: "object",
          properties: {
            a: { $ref: `#/components/schemas/S${n + 1}` },
            b: { $ref: `#/components/schemas/S${n + 1}` },
          },
        },
      ]),
    );
    const text = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: {
        "/a": {
          post: {
            summary: "A",
            requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } },
            responses: { 200: { description: "x" } },
          },
        },
      },
      components: { schemas: { ...schemas, S30: { type: "string" } } },
    });
    const site = await build({ "api.json": text });
    expect(site.read("api-reference/a.html").length).toBeLessThan(250_000);
  });

  test("circular references and names of Object.prototype are shown", async () => {
    const text = JSON.stringify({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: {
        "/a": {
          get: {
            summary: "A",
            responses: {
              200: {
                description: "x",
                content: {
                  "application/json": {
                    schema: {
                      allOf: [{ $ref: "#/components/schemas/constructor" }],
                      properties: {
                        toString: { type: "string" },
                        own: { $ref: "#/components/schemas/Self" },
                        ["then" as string]: { $ref: "#/components/schemas/A~1b%20c" },
                      },
                    },
                  },
                },
              },
            },
          },
        },
        __proto__x: {},
      },
      components: {
        schemas: {
          constructor: {
            type: "object",
            properties: { hasOwnProperty: { type: "boolean" } },
            allOf: [{ $ref: "#/components/schemas/constructor" }],
          },
          Self: { $ref: "#/components/schemas/Other" },
          Other: { $ref: "#/components/schemas/Self" },
          "A/b c": { type: "string", description: "Escaped" },
        },
      },
    }).replace(
      '"toString":{"type":"string"}',
      '"__proto__":{"type":"object","properties":{"polluted":{"type":"string"}}},"toString":{"type":"string"}',
    );
    const site = await build({ "api.json": text });
    const page = site.read("api-reference/a.md");
    for (const name of ["hasOwnProperty", "toString", "__proto__", "polluted", "Escaped"])
      expect(page).toContain(name);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("a pattern is shown but not run", async () => {
    const site = await build({
      "api.yaml": `${head}paths:\n  /a:\n    get:\n      summary: A\n      parameters: [{in: query, name: q, example: "${"a".repeat(40)}!", schema: {type: string, pattern: "^(a+)+$"}}]\n      responses: {200: {description: x}}`,
    });
    expect(site.read("api-reference/a.md")).toContain("^(a+)+$");
  });

  test("a broken document that nothing references is a warning", async () => {
    const site = await build({
      "good.yaml": `${head}paths:\n  /a: {${get}}`,
      "bad.yaml": 'swagger: "2.0"\npaths: {}',
    });
    expect(briefly(site.problems)).toEqual(["openapi-unused-invalid bad.yaml:1"]);
  });

  test("a file that only mentions openapi is not a document", async () => {
    const site = await build({
      "good.yaml": `${head}paths:\n  /a: {${get}}`,
      "schema.json": '{"properties": {"openapi": {}, "swagger": {}}}',
    });
    expect(briefly(site.problems)).toEqual([]);
  });

  test("a description with braces and tags is text", async () => {
    const site = await build({
      "api.yaml": `${head}paths:\n  /a:\n    get:\n      summary: A\n      description: "Give {id} or {process.env.HOME}, <token> and <b>bold</b> <script>alert(1)</script>"\n      responses: {200: {description: x}}`,
    });
    expect(briefly(site.problems)).toEqual([]);
    expect(site.read("api-reference/a.html")).toMatch(
      /Give \{id\} or \{process\.env\.HOME\}, &lt;token(?:>|&gt;) and <b>bold<\/b> &lt;script/,
    );
  });
});

const corpus = corpusOf.openapi;

describe.skipIf(!inCorpus(corpus))("real documents", () => {
  const files = inCorpus(corpus) ? readdirSync(corpus).filter((file) => /\.(?:json|ya?ml)$/.test(file)) : [];
  const methods = new Set("get put post delete options head patch trace query".split(" "));

  /** Counts the operations of a document without the code under test. */
  function operationsIn(document: Raw): number {
    const items = [document.paths, document.webhooks].flatMap((map) =>
      isRaw(map) ? Object.entries(map) : [],
    );
    return items
      .map(([, item]) =>
        isRaw(item) && typeof item.$ref === "string"
          ? item.$ref
              .slice(2)
              .split("/")
              .reduce<unknown>(
                (at, key) => (at as Raw)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")],
                document,
              )
          : item,
      )
      .reduce<number>((sum, item) => {
        if (!isRaw(item)) return sum;
        const own = Object.keys(item).filter(
          (key) => methods.has(key) && isRaw(item[key]) && (item[key] as Raw)["x-hidden"] !== true,
        );
        return (
          sum +
          own.length +
          (isRaw(item.additionalOperations) ? Object.keys(item.additionalOperations).length : 0)
        );
      }, 0);
  }

  test.each(files)("%s", async (file) => {
    const text = readFileSync(path.join(corpus, file), "utf8");
    const document = (file.endsWith(".json") ? JSON.parse(text) : load(text)) as Raw;
    const site = await build({ [file]: text });
    expect(site.problems.filter(({ code }) => code === "page-crashed")).toEqual([]);
    expect(pagesOf(site).filter((page) => !/\/overview(?:-1)?\.md$/.test(page))).toHaveLength(
      operationsIn(document),
    );
    for (const page of pagesOf(site))
      expect(site.read(page.replace(/md$/, "html")).length).toBeLessThan(250_000);
  });

  const malformed = path.join(corpus, "malformed");
  const bad = existsSync(malformed) ? readdirSync(malformed) : [];
  test.each(bad)("malformed/%s is reported with its position", async (file) => {
    const site = await build({ [file]: readFileSync(path.join(malformed, file)) });
    const [first] = site.problems;
    expect(first?.code).toMatch(/^openapi-/);
    expect(first?.line).toBeGreaterThan(0);
  });

  test("problems of multi-file documents list each external reference and suggest a bundler", async () => {
    const folder = path.join(corpus, "multi-file");
    for (const name of readdirSync(folder)) {
      const entry = readdirSync(path.join(folder, name), { recursive: true })
        .map(String)
        .find(
          (file) =>
            /\.(?:ya?ml|json)$/.test(file) &&
            /^["']?(?:openapi|swagger)/m.test(readFileSync(path.join(folder, name, file), "utf8")),
        );
      if (!entry) continue;
      const site = await build({ "api.yaml": readFileSync(path.join(folder, name, entry)) });
      const codes = site.problems.map(({ code }) => code);
      if (codes.includes("openapi-version")) continue;
      expect(codes, name).toContain("openapi-external-ref");
      expect(site.problems[0]!.hint).toContain("bundle");
    }
  });
});

describe("relative servers", () => {
  const site = (server: string, url: string | undefined, canonical?: string, file = "apis/v2/api.json") =>
    buildSiteFrom(
      {
        "docs.json": JSON.stringify({
          theme: "mint",
          name: "A",
          colors: { primary: "#0D9373" },
          navigation: { tabs: [{ tab: "API", openapi: file }] },
          ...(canonical ? { seo: { metatags: { canonical } } } : {}),
        }),
        [file]: JSON.stringify({
          openapi: "3.1.0",
          info: { title: "T", version: "1" },
          servers: [{ url: server, variables: { v: { default: "v9" } } }],
          paths: { "/a": { get: { summary: "A", responses: { 200: { description: "x" } } } } },
        }),
      },
      url === undefined ? {} : { origin: url },
    );

  test.each<[server: string, url: string | undefined, canonical: string | undefined, expected: string]>([
    ["/v1", "https://docs.example.com", undefined, "https://docs.example.com/v1"],
    ["/", "https://docs.example.com", undefined, "https://docs.example.com"],
    ["v1", "https://docs.example.com/product/", undefined, "https://docs.example.com/product/apis/v2/v1"],
    ["../{v}", "https://docs.example.com", undefined, "https://docs.example.com/apis/v9"],
    ["//api.example.com/v1", "https://docs.example.com", undefined, "https://api.example.com/v1"],
    ["https://api.example.com", "https://docs.example.com", undefined, "https://api.example.com"],
    ["/v1", undefined, "https://docs.example.com/docs", "https://docs.example.com/v1"],
    ["/v1", undefined, undefined, "/v1"],
  ])(
    "%s on %s (canonical: %s) is %s in the sample, the page and the playground",
    async (server, url, canonical, expected) => {
      const built = await site(server, url, canonical);
      expect(built.read("api-reference/a.html")).toContain(`${expected}/a`);
      const data = built.paths
        .filter((path) => /^_octavo\/api\/.*operation-/.test(path))
        .map((path) => built.read(path));
      expect(data).toHaveLength(1);
      expect(data[0]!.replaceAll("{v}", "v9").replace(/\/"/g, '"')).toContain(`"url":"${expected}"`);
      expect(built.read("api-reference/a.md").replaceAll("{v}", "v9")).toContain(`\`${expected}`);
    },
  );
});

/**
 * OpenAPI 3.0.4 and 3.1.1 ("Relative References in URLs"), and 3.2.0 (section 4.5.2): URLs of security
 * schemes are relative to a server, and servers are relative to the URL that the document was loaded from,
 * not to `$self`.
 */
describe("relative URLs of security schemes", () => {
  const flows = (url: string) => ({ clientCredentials: { tokenUrl: url, refreshUrl: url, scopes: {} } });
  const scheme = (url: string) => ({ type: "oauth2", flows: flows(url) });
  const responses = { 200: { description: "Fine" } };
  const security = [{ s: [] }];
  type Levels = { document?: string; path?: string; operation?: string };
  const servers = (url: string | undefined) =>
    url === undefined ? {} : { servers: [{ url, variables: { v: { default: "v9" } } }] };
  const v3 = (version: string, at: Levels, url: string) => ({
    openapi: version,
    ...(version === "3.2.0" ? { $self: "https://self.example.com/deep/api.json" } : {}),
    info: { title: "T", version: "1" },
    ...servers(at.document),
    paths: {
      "/a": { ...servers(at.path), get: { summary: "A", ...servers(at.operation), security, responses } },
    },
    components: { securitySchemes: { s: scheme(url) } },
  });
  const v2 = (server: string, url: string) => ({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    ...(server.startsWith("/") ? {} : { host: new URL(server).host, schemes: ["https"] }),
    basePath: new URL(server, "https://site.invalid").pathname,
    paths: { "/a": { get: { summary: "A", security, responses } } },
    securityDefinitions: { s: { type: "oauth2", flow: "application", tokenUrl: url, scopes: {} } },
  });
  const api = "https://api.example.com/v1";
  const remote = "https://specs.example.com/shop/api.json";
  type Row = [
    what: string,
    document: object,
    url: string,
    expected: string,
    options?: { remote?: boolean; origin?: string },
  ];
  const rows: Row[] = [
    ...["3.0.4", "3.1.1", "3.2.0"].flatMap((version): Row[] => [
      [
        `${version}, document`,
        v3(version, { document: api }, "/token"),
        "/token",
        "https://api.example.com/token",
      ],
      [
        `${version}, without a slash`,
        v3(version, { document: api }, "token"),
        "token",
        "https://api.example.com/token",
      ],
      [
        `${version}, below the server`,
        v3(version, { document: `${api}/` }, "./token"),
        "./token",
        "https://api.example.com/v1/token",
      ],
      [
        `${version}, path`,
        v3(version, { document: api, path: "https://p.example.com" }, "/t"),
        "/t",
        "https://p.example.com/t",
      ],
      [
        `${version}, operation`,
        v3(
          version,
          { document: api, path: "https://p.example.com", operation: "https://o.example.com/{v}/" },
          "t",
        ),
        "t",
        "https://o.example.com/v9/t",
      ],
      [
        `${version}, document from a URL`,
        v3(version, { document: "../v1" }, "/t"),
        "/t",
        "https://specs.example.com/t",
        { remote: true },
      ],
      [
        `${version}, absolute server of a document from a URL`,
        v3(version, { document: api }, "/t"),
        "/t",
        "https://api.example.com/t",
        { remote: true },
      ],
      [
        `${version}, relative server below a path`,
        v3(version, { document: "v1/" }, "t"),
        "t",
        "https://docs.example.com/product/apis/v1/t",
        { origin: "https://docs.example.com/product" },
      ],
      [
        `${version}, other host`,
        v3(version, { document: api }, "//auth.example.com/t"),
        "//auth.example.com/t",
        "https://auth.example.com/t",
      ],
      [
        `${version}, absolute`,
        v3(version, { document: api }, "https://auth.example.com/t"),
        "https://auth.example.com/t",
        "https://auth.example.com/t",
      ],
      [`${version}, no server`, v3(version, {}, "/t"), "/t", "/t"],
    ]),
    ["2.0", v2(api, "/token"), "/token", "https://api.example.com/token"],
    [
      "2.0, document from a URL",
      v2("/v1", "/token"),
      "/token",
      "https://specs.example.com/token",
      { remote: true },
    ],
  ];
  test.each(rows)("%s", async (_what, document, url, expected, { remote: isRemote = false, origin } = {}) => {
    const text = JSON.stringify(document);
    const name = isRemote ? remote : "apis/api.json";
    const docs = {
      ...JSON.parse(siteOf({})["docs.json"] as string),
      navigation: { groups: [{ group: "API", openapi: name }] },
    };
    const built = await buildSiteFrom(
      { "docs.json": JSON.stringify(docs), ...(isRemote ? {} : { [name]: text }) },
      origin === undefined ? {} : { origin },
      undefined,
      isRemote ? { [remote]: text } : {},
    );
    // The playground resolves the URL against the server that the reader chooses.
    const [data] = built.paths
      .filter((path) => /^_octavo\/api\/.*operation-/.test(path))
      .map((path) => built.read(path));
    expect(data!.replaceAll("\\", "")).toContain(`"tokenUrl":"${url}"`);
    expect(built.read("api-reference/a.html")).toContain(`>${expected}<`);
    expect(built.read("api-reference/a.md")).toContain(` ${expected}`);
  });
});
