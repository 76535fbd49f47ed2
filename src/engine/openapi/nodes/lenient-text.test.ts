import { describe, expect, test } from "vitest";
import { readDocument } from "../document/api-document.ts";

const yaml = (example: string) => `openapi: 3.1.0
info: { title: T, version: "1" }
servers: [{ url: https://a.example }]
paths:
  /plants:
    get:
      description: |
        Text with
        ]
        and }.
      responses:
        "200":
          description: OK
          content:
            application/json:
              schema:
                example: ${example}
`;

async function exampleIn(text: string) {
  const { document, problems } = await readDocument("api.yaml", text);
  const operation = document?.refs.at("#/paths/~1plants/get")?.value as { description: string } | undefined;
  const example = document?.refs.at(
    "#/paths/~1plants/get/responses/200/content/application~1json/schema/example",
  )?.value;
  return { example, description: operation?.description, codes: problems.map(({ code }) => code) };
}

describe("brackets of YAML at a lower indent", () => {
  test.each([
    [
      "a list",
      '[\n                  "rose",\n                  "tulip"\n                ]',
      ["rose", "tulip"],
    ],
    ["an object", "{\n  a: 1,\n  b: [\n2\n]\n}", { a: 1, b: [2] }],
    ["the whole list in the first column", '[\n"rose",\n"tu\n lip",\n]', ["rose", "tu lip"]],
    ["brackets in strings", "[\n\"]\",\n'{',\na # ]\n]", ["]", "{", "a"]],
  ])("%s is read", async (_, written, example) => {
    expect(await exampleIn(yaml(written))).toEqual({
      example,
      description: "Text with\n]\nand }.\n",
      codes: [],
    });
  });

  test.each(["[\n1", "[\n1\n}", "[[[\n"])("%j is reported", async (written) => {
    expect((await exampleIn(yaml(written))).codes).toEqual(["openapi-syntax"]);
  });

  test("many brackets take little time", async () => {
    const list = `[\n${"[],\n".repeat(20_000)}]`;
    expect((await exampleIn(yaml(list))).example).toHaveLength(20_000);
  });
});

describe("commas before closing brackets of JSON", () => {
  const json = (more: string) =>
    `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":[{"url":"https://a.example"}],"paths":{"/plants":{"get":{"responses":{"200":{"description":"OK"}}${more}}}}}`;

  test("positions of further problems are found", async () => {
    const { problems } = await readDocument(
      "api.json",
      '{"openapi":"3.1.0","info":{},"paths":{},"tags":[{"description":"x"},]}',
    );
    expect(problems.map(({ code }) => code)).toContain("openapi-comma");
    expect(problems.filter(({ column }) => column).length).toBeGreaterThan(1);
  });

  test.each([
    ["in an object", ',"summary":"List",'],
    ["in a list", ',"summary":"List","tags":["a", \n ]'],
    ["after a string with commas and quotes", ',"summary":"List","x-a":",]\\",}",'],
  ])("%s are ignored, with a warning", async (_, more) => {
    const { document, problems } = await readDocument("api.json", json(more));
    expect(document?.operations).toHaveLength(1);
    expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning openapi-comma"]);
  });

  test.each([',"summary":"List",,', ',"summary":"List"]', ',"summary":"Li'])(
    "%s is still invalid",
    async (more) => {
      expect((await readDocument("api.json", json(more))).problems).toMatchObject([
        { code: "openapi-syntax" },
      ]);
    },
  );

  test("hostile text takes linear time", async () => {
    const text = `{"a":${",".repeat(300_000)}${'\\"'.repeat(300_000)}`;
    expect((await readDocument("api.json", text)).problems).toMatchObject([{ code: "openapi-syntax" }]);
  });
});
