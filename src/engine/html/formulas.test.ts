import { describe, expect, test } from "vitest";
import { limits } from "../../base/limits.ts";
import { renderFormula } from "./formulas.ts";

test("formulas become MathML", () => {
  expect(renderFormula("x^2", false).html).toMatch(
    /^<math xmlns="http:\/\/www.w3.org\/1998\/Math\/MathML"><semantics>.*<\/math>$/,
  );
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

describe("the MathML of formulas is limited", () => {
  const nested = (open: string, close: string, times: number) =>
    `${open.repeat(times)}x${close.repeat(times)}`;
  const rows: [name: string, formula: string][] = [
    ["a long macro, many times", `\\def\\a{${"x".repeat(6_000)}}${"\\a".repeat(900)}`],
    ["a long macro of fractions", `\\def\\a{${"\\frac12".repeat(900)}}${"\\a".repeat(400)}`],
    [
      "macros of macros",
      `\\def\\a{${"x".repeat(60)}}\\def\\b{${"\\a".repeat(60)}}\\def\\c{${"\\b".repeat(60)}}\\c`,
    ],
    ["an argument in many places", `\\def\\a#1{${"#1".repeat(1_900)}}\\a{${"x".repeat(4_000)}}`],
    ["arguments in arguments", `\\def\\a#1{${"#1".repeat(100)}}${nested("\\a{", "}", 3)}`],
    ["an argument that grows", `\\def\\a#1{#1#1}${nested("\\a{", "}", 25)}`],
    [
      "nine arguments",
      `\\def\\a#1#2#3#4#5#6#7#8#9{${"#1#9".repeat(400)}}${"\\a".repeat(80)}${`{${"x".repeat(600)}}`.repeat(9)}`,
    ],
    ["an expanded definition", `\\def\\a{xx}${"\\edef\\a{\\a\\a}".repeat(24)}\\a`],
    ["an expanded global definition", `\\def\\a{xx}${"\\xdef\\a{\\a\\a}".repeat(24)}\\a`],
    ["a macro that never ends", "\\def\\a{\\a\\a}\\a"],
    ["two macros that call each other", "\\def\\a{x\\b\\b}\\def\\b{y\\a\\a}\\a"],
    ["a macro by \\newcommand", `\\newcommand\\a[1]{${"#1".repeat(900)}}\\a{\\a{\\a{x}}}`],
    ["a macro by \\let", `\\def\\a{${"x".repeat(5_000)}}\\let\\b\\a${"\\b".repeat(900)}`],
    ["a huge alignment", `\\begin{matrix}${`${"&".repeat(150)}\\\\`.repeat(50)}\\end{matrix}`],
    ["open brackets", "{".repeat(7_900)],
    ["nested roots", nested("\\sqrt{", "}", 1_100)],
    ["nested fractions", nested("\\frac{", "}{y}", 720)],
    ["nested brackets", nested("\\left(", "\\right)", 600)],
    ["nested exponents", nested("x^{", "}", 1_900)],
    ["nested matrices", nested("\\begin{matrix}", "\\end{matrix}", 270)],
    ["primes", `x${"'".repeat(7_900)}`],
    ["accents", `e${"\u0301".repeat(7_900)}`],
    ["columns", `\\begin{array}{${"c".repeat(3_900)}}${"&".repeat(3_900)}\\end{array}`],
  ];

  test.each(rows)("%s", (_, formula) => {
    expect(formula.length).toBeLessThan(limits.formula_chars);
    const { html } = renderFormula(formula, true);
    expect(html.length).toBeLessThan(limits.formulaOutput_chars);
  });

  test.each(rows.filter(([name]) => /^(?:a long macro|macros of|an argument in|nine|a macro by)/.test(name)))(
    "%s: the source is shown",
    (_, formula) => {
      const { html, error } = renderFormula(formula, true);
      expect(error).toBe("Its macros expand too much");
      expect(html).toContain("<code");
    },
  );

  test("macros of usual length are expanded", () => {
    const formula = `\\newcommand\\RR{\\mathbb{R}}\\newcommand\\those[2]{\\left\\{#1 \\mid #2\\right\\}}${"\\those{x\\in\\RR^n}{\\lVert x\\rVert\\le 1}+".repeat(50)}1`;
    expect(renderFormula(formula, true).error).toBeUndefined();
  });
});

test("links and images in formulas are not trusted", () => {
  expect(renderFormula("\\href{javascript:x}{y}", false).html).not.toContain("href=");
  expect(renderFormula("\\includegraphics{https://evil/x}", false).html).not.toContain("<img");
});
