import { expect, test } from "vitest";
import type { SiteComparison } from "../../builder/compare-sites.ts";
import { comparisonText } from "./comparison-text.ts";

const none = { count: 0, paths: [] };
const same: SiteComparison = { added: none, changed: none, gone: none, broken: none, apis: [] };
const textOf = (comparison: SiteComparison | { missing: "failed" | "too-long" }, newProblems = []) =>
  comparisonText({ comparison, newProblems, dashboardUrl: "https://docs.example/deployment" });

test("names that an author chose stay code", () => {
  const name = "/`](javascript:x)\n\n# @everyone ![x](https://evil.example/x.png)";
  const text = textOf({
    ...same,
    added: { count: 1, paths: [name] },
    broken: { count: 1, paths: [name] },
    apis: [
      {
        file: name,
        counts: { breaking: 1, "may-break": 0, compatible: 0, text: 0 },
        changes: [{ level: "breaking", text: name }],
      },
    ],
  });
  const outside = text.replace(/`[^`\n]*`/g, "");
  expect(outside).not.toMatch(/javascript|everyone|evil|`/);
  expect(text).toContain("- `/'](javascript:x) # @everyone ![x](https://evil.example/x.png)`");
});

test("long lists are cut, and others are counted", () => {
  const paths = Array.from({ length: 50 }, (_, index) => `/page-${index}`);
  const text = textOf({ ...same, changed: { count: 1_000, paths } });
  expect(text).toContain("**1000 pages changed**");
  expect(text.match(/^- `/gm)).toHaveLength(10);
  expect(text).toContain("- 990 more");
});

test.each([
  [{ missing: "failed" as const }, "The preview couldn't be compared with the live site."],
  [{ missing: "too-long" as const }, "Comparing the preview with the live site took too long."],
  [same, "There are no differences from the live site."],
  [
    { ...same, answers: { lost: ["1"], gained: ["2", "3"], replayed: 3, left: 0 } },
    "**Answers**: 1 answered question loses its answer, 2 open questions gain one. [Show the questions](https://docs.example/deployment)",
  ],
  [
    { ...same, answers: { lost: [], gained: [], replayed: 1, left: 4 } },
    "4 questions of readers couldn't be tried",
  ],
])("%j", (comparison, expected) => {
  expect(textOf(comparison)).toContain(expected);
});
