import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { highlightLines, languageFor, prepareLanguages, themeStyle } from "./highlight.ts";

const themes = { light: "github-light", dark: "github-dark" };

beforeAll(() => prepareLanguages(["ts", "bash", "json", "python", "env", "diff", "nope"], themes));

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name]!);

describe("languageFor", () => {
  test.each([
    ["bash", "bash"],
    ["curl", "bash"],
    ["commandline", "bash"],
    ["env", "dotenv"],
    ["Python", "python"],
    ["JSOn", "json"],
    ["tf", "terraform"],
    ["output", undefined],
    ["text", undefined],
    ["console", "console"],
    ["{", undefined],
    ["constructor", undefined],
  ])("%s → %s", (name, language) => expect(languageFor(name)).toBe(language));
});

describe("highlightLines", () => {
  test("tokens have short classes, plain text has none", () => {
    expect(highlightLines('const a = "x"; // hi', "ts")).toEqual([
      "<span class=k>const</span> a <span class=o>= </span><span class=s>&quot;x&quot;</span><span class=o>; </span><span class=c>// hi</span>",
    ]);
  });
  test("a token can span several lines", () => {
    expect(highlightLines("/* a\nb */ c", "ts")).toEqual([
      "<span class=c>/* a</span>",
      "<span class=c>b */</span> c",
    ]);
    expect(highlightLines("/* a\nb */ c", "ts")[1]).toBe("<span class=c>b */</span> c");
    expect(highlightLines("b */ c", "ts")[0]).not.toContain("class=c");
  });
  test("words with the same shape have the same color and their own text", () => {
    const [first] = highlightLines("export function loadCustomer(customerId: string) {}", "ts");
    const [second] = highlightLines("export function putX1(accountName: string) {}", "ts");
    expect(second!.replace("putX1", "loadCustomer").replace("accountName", "customerId")).toBe(first);
  });
  test("diffs, keys and variables have classes", () => {
    expect(highlightLines("+ a\n- b", "diff").join()).toMatch(/class=a>.*class=d>/);
    expect(highlightLines('{"a": 1}', "json")[0]).toContain("<span class=p>");
    expect(highlightLines("echo $HOME", "bash")[0]).toContain("<span class=v>$HOME</span>");
  });
  test("unknown languages, long lines and long blocks are plain", () => {
    expect(highlightLines("a <b>", "nope")).toEqual(["a &lt;b&gt;"]);
    const long = `const a = "${"x".repeat(6_000)}"`;
    expect(highlightLines(long, "ts")[0]).not.toContain("<span");
    expect(highlightLines("const a = 1\n".repeat(20_000), "ts")[0]).toBe("const a = 1");
  });
  test("named themes set both colors", () => {
    const [line] = highlightLines("const a = 1", "ts", themes);
    expect(line).toMatch(/^<span style="--o-l:#D73A49;--o-d:#F97583">const/);
    expect(themeStyle(themes)).toContain("--o-lb:#fff");
    expect(highlightLines("const a = 1", "ts", { light: "none", dark: "none" })[0]).toContain("class=k");
  });
  test("all text is preserved", () => {
    const words = fc.constantFrom(
      "const ",
      "userName",
      "$x",
      "`${a}`",
      '"',
      "'",
      "/*",
      "*/",
      "\n",
      "{",
      "}",
      "<b>",
      "&",
      "#a1b2c3",
      "12345",
      "\\n",
      "café",
      "snake_case ",
      "日本",
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 30 }),
        fc.constantFrom("ts", "bash", "json", "python"),
        (parts, language) => {
          const code = parts.join("");
          expect(highlightLines(code, language).map(textOf).join("\n")).toBe(code);
          expect(highlightLines(code, language, themes).map(textOf).join("\n")).toBe(code);
        },
      ),
      { numRuns: 150 },
    );
  });
});
