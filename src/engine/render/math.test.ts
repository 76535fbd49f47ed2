import { expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import { renderFormula } from "./math.ts";

test("formulas become MathML", () => {
  expect(renderFormula("x^2", false).html).toMatch(/^<math xmlns="http:\/\/www.w3.org\/1998\/Math\/MathML"><semantics>.*<\/math>$/);
  expect(renderFormula("x^2", true).html).toContain('display="block"');
});

test.each([
  ["unfinished", "\\frac{1", "$\\frac{1$"],
  ["unknown command", "\\nope<b>", "$\\nope&lt;b&gt;$"],
  ["without end", "\\def\\a{\\a\\a}\\a", "$\\def\\a{\\a\\a}\\a$"],
  ["too long", "x".repeat(limits.formula_chars + 1), "xxx"],
])("%s: the source is shown", (_, formula, shown) => {
  const { html, error } = renderFormula(formula, false);
  expect(html).toContain(shown);
  expect(error).toBeTruthy();
});

test("links and images in formulas are not trusted", () => {
  expect(renderFormula("\\href{javascript:x}{y}", false).html).not.toContain("href=");
  expect(renderFormula("\\includegraphics{https://evil/x}", false).html).not.toContain("<img");
});
