/** Accessibility problems, which are only reported on request. */

import { describe, expect, test } from "vitest";
import { siteOf } from "../../../test/engine/build.ts";
import { filesFrom } from "../../base/files.ts";
import { buildSite } from "./build-site.ts";

const readable = { primary: "#0D7353", light: "#7FE0B0" };

async function problemsOf(mdx: string, settings: Record<string, unknown> = {}, checksAccessibility = true) {
  const files = filesFrom(
    siteOf({ "index.mdx": mdx, "a.png": "", "other.mdx": "Text." }, { colors: readable, ...settings }),
  );
  const { problems } = await buildSite(files, { generator: "test", clock: Date.now, checksAccessibility });
  return problems.flatMap(({ code, line, message }) =>
    code.startsWith("accessibility-") ? [`${code.replace("accessibility-", "")} ${line}: ${message}`] : [],
  );
}

describe("images", () => {
  test.each([
    ["![](/a.png)", true],
    ["![A plant](/a.png)", false],
    ["![][a]\n\n[a]: /a.png", true],
    ['<img src="/a.png" />', true],
    ['<img src="/a.png" alt="" />', false],
    ['<img src="/a.png" alt="A plant" />', false],
    ['<img src="/a.png" aria-hidden="true" />', false],
    ['<Frame>\n  <img src="/a.png" />\n</Frame>', true],
    ["<Frame>\n  ![A plant](/a.png)\n</Frame>", false],
  ])("%s", async (mdx, isReported) => {
    const found = (await problemsOf(mdx)).map((text) => text.replace(/\d+/, "N"));
    expect(found).toEqual(isReported ? ["alt N: Image without alternative text: /a.png"] : []);
  });
});

describe("headings", () => {
  test.each([
    ["## One\n\n### Two\n\n#### Three\n\n## Four", []],
    ["# Title\n\n## One", []],
    ["### One", ['heading 1: The heading "One" skips a level']],
    ["## One\n\n#### Two *big*\n\n##### Three", ['heading 3: The heading "Two big" skips a level']],
    ["## One\n\n<h4>Two</h4>", ['heading 3: The heading "Two" skips a level']],
  ])("%j", async (mdx, expected) => {
    expect(await problemsOf(mdx)).toEqual(expected);
  });
});

describe("links", () => {
  test.each([
    ["[The other page](/other)", false],
    ["[here](/other)", true],
    ["[Click here.](/other)", true],
    ["[**Read more** →](/other)", true],
    ["[](/other)", true],
    ["[![A plant](/a.png)](/other)", false],
    ["[![](/a.png)](/other)", true],
    ['<a href="/other" aria-label="Other page">more</a>', false],
    ['<a id="place"></a>', false],
    ["[Hier](/other)", true],
    ["[Read more about plants](/other)", false],
    ['<Card title="Other" href="/other">Text</Card>', false],
  ])("%s", async (mdx, isReported) => {
    const found = (await problemsOf(mdx)).filter((text) => text.startsWith("link"));
    expect(found).toHaveLength(isReported ? 1 : 0);
  });
});

describe("colors", () => {
  test.each<[Record<string, unknown>, RegExp[]]>([
    [
      { colors: { primary: "#0D7353" } },
      [/^contrast 5: The contrast of #0D7353 is \d\.\d in dark mode, so the site uses #/],
    ],
    [{ colors: { primary: "#0D7353", light: "#7FE0B0" } }, []],
    [
      { colors: { primary: "#FFE000", light: "#FFE000" } },
      [/^contrast 5: The contrast of #FFE000 is 1\.\d in light mode/],
    ],
    [
      { colors: { primary: "#0D7353", light: "#0D7353" } },
      [/^contrast 6: The contrast of #0D7353 is \d\.\d in dark mode/],
    ],
  ])("%j", async (settings, expected) => {
    const found = await problemsOf("Text.", settings);
    expect(found).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(found[index]).toMatch(pattern);
  });
});

test("nothing is reported without the option", async () => {
  expect(await problemsOf("### One\n\n![](/a.png) [here](/other)", {}, false)).toEqual([]);
});
