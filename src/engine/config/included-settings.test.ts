/** Files that docs.json includes with `$ref` have limits, so that a small site can't use up the memory. */

import { describe, expect, test } from "vitest";
import { briefly, siteOf } from "../../../test/engine/build.ts";
import { filesFrom } from "../../base/files.ts";
import { readDocsJson } from "./docs-json.ts";

const included = (times: number, file: string) =>
  JSON.stringify(Array.from({ length: times }, () => ({ $ref: `./${file}` })));

const levels = Array.from({ length: 10 }, (_, i) => [
  `n${i}.json`,
  i === 9 ? '"index"' : included(10, `n${i + 1}.json`),
]);

const chain = Array.from({ length: 5_000 }, (_, i) => [`n${i}.json`, `{ "$ref": "./n${i + 1}.json" }`]);

describe("one problem is reported, and the rest isn't included", () => {
  test.each<[string, Record<string, string>, string, string]>([
    [
      "ten levels, each with ten references",
      Object.fromEntries(levels),
      "config-ref n8.json:1",
      "up to 10,000 times and 10 MB in total",
    ],
    [
      "a large file",
      { "n0.json": included(30, "n1.json"), "n1.json": JSON.stringify(["x".repeat(1_000_000)]) },
      "config-ref n0.json:1",
      "up to 10,000 times and 10 MB in total",
    ],
    ["a long chain", Object.fromEntries(chain), "config-ref n19.json:1", "more than 20 files away"],
  ])("%s", (_name, files, place, message) => {
    const site = siteOf({ "index.mdx": "Text.", ...files }, { navigation: { pages: { $ref: "./n0.json" } } });
    const { problems } = readDocsJson(filesFrom(site), { hasSignIn: false });
    const found = problems.filter(({ code }) => code === "config-ref");
    expect(briefly(found)).toEqual([place]);
    expect(found[0]).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/^Include /),
    });
  });
});
