/** Table-driven tests of MDX and the expected HTML. */

import { expect, test } from "vitest";
import { buildPage, type Sources } from "./build.ts";

/** Name of the row, the page's MDX, and texts that its HTML must (or, with `not`, must not) contain. */
export type Row = [name: string, mdx: string, ...wanted: (string | RegExp | { not: string | RegExp })[]];

/** Defines a test for each row, which builds a page. `beside`: other files of the documentation folder. */
export function testRows(rows: readonly Row[], beside: Sources = {}): void {
  test.each(rows)("%s", async (_name, mdx, ...wanted) => {
    const { html } = await buildPage(mdx, beside);
    expectAll(html, wanted);
  });
}

export function expectAll(
  text: string,
  wanted: readonly (string | RegExp | { not: string | RegExp })[],
): void {
  for (const want of wanted) {
    if (typeof want === "object" && "not" in want) expect(text).not.toMatch(want.not);
    else expect(text).toMatch(want);
  }
}
