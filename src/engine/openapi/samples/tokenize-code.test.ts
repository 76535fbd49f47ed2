/**
 * Tests the tokens of code samples and JSON. All text must be preserved, and tokenizing must take linear
 * time.
 */

import { describe, expect, test } from "vitest";
import { sampleLanguages } from "./sample-languages.ts";
import { tokenizeCode } from "./tokenize-code.ts";

/** The tokens of a text without plain text, as `keyword:const string:"a"`. */
function coloredTokens(language: string, text: string): string {
  return tokenizeCode(language, text)
    .filter(({ kind }) => kind)
    .map(({ kind, text }) => `${kind}:${text}`)
    .join(" ");
}

describe("tokenizeCode", () => {
  test.each([
    [
      "json",
      '{"a" : [1.5e3, -2, true], "b\\"": "c"}',
      'property:"a" number:1.5e3 number:-2 keyword:true property:"b\\"" string:"c"',
    ],
    [
      "javascript",
      "const a = { b: `x\n${y}` }; // it's",
      "keyword:const property:b string:`x\n${y}` comment:// it's",
    ],
    [
      "bash",
      "curl --request POST 'it'\\''s' # no",
      "keyword:curl property:--request string:'it' string:'s' comment:# no",
    ],
    ["bash", "curl https://a.b/c#d", "keyword:curl"],
    ["python", 'x = """a\n"b" """ # c', 'string:"""a\n"b" """ comment:# c'],
    ["rust", 'let a = r#"x"y"#; &\'static', 'keyword:let string:r#"x"y"# keyword:static'],
    [
      "xml",
      "<a b=\"it's\">it's 1</a>",
      'keyword:<a property:b string:"it\'s" keyword:> number:1 keyword:</a keyword:>',
    ],
    ["http", "POST /a HTTP/1.1\nX-Id: 1\n", "keyword:POST keyword:HTTP number:1.1 property:X-Id number:1"],
    ["go", '"not closed\nfunc', 'string:"not closed keyword:func'],
    ["unknown", "const", ""],
  ])("%s: %s", (language, text, expected) => {
    expect(coloredTokens(language, text)).toBe(expected);
  });

  const languages = [...new Set([...sampleLanguages.map(({ syntax }) => syntax), "json", "xml", "http"])];
  test.each(languages)("%s: long texts take linear time", (language) => {
    for (const unit of [
      '"',
      "'",
      "`",
      "/*",
      "<!--",
      "#",
      "\\",
      "-",
      "1",
      "a",
      " ",
      '"a" ',
      "<a b=",
      '{"a":',
      "r#",
      "1.",
      "--a",
      '"\\'.repeat(3),
    ]) {
      const text = unit.repeat((language === "json" ? 1e6 : 2e5) / unit.length);
      const start = performance.now();
      const pieces = tokenizeCode(language, text);
      expect(performance.now() - start, JSON.stringify(unit)).toBeLessThan(4000);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    }
  });
});
