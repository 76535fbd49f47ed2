import { describe, expect, test } from "vitest";
import { csvLine } from "./csv.ts";

describe("a formula gets an apostrophe, so that it stays text", () => {
  const before = [
    "",
    " ",
    "   ",
    "\t",
    "\n",
    "\r\n",
    "\v",
    "\f",
    "\0",
    "\u001b",
    "\u0085",
    "\u00a0",
    "\u00ad",
    "\u200b",
    "\u2003",
    "\u2028",
    "\u202e",
    "\u3000",
    "\ufeff",
    " \t\u00a0",
  ];
  const signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];

  test.each(before.map((blanks) => [JSON.stringify(blanks), blanks]))("after %s", (_, blanks) => {
    for (const sign of signs) {
      const text = `${blanks}${sign}cmd|' /C calc'!A0`;
      expect(csvLine([text]).replace(/^"/, "")).toMatch(/^'/);
    }
  });

  // Spreadsheets remove these characters, or start a new field after them.
  test.each(["\ttext", "\rtext", "\ntext"])("%j without a sign", (text) => {
    expect(csvLine([text]).replace(/^"/, "")).toMatch(/^'/);
  });

  // Spreadsheets of many languages separate fields with semicolons, and then quotation marks in the middle of a
  // field have no effect.
  test.each([
    "a;=1",
    "a;;+1",
    "a; -1",
    'a;"=1',
    'a;""@A1',
    "a\n=1",
    "a\r\n=1",
    "a\t=1",
    "a\n\u200b =1",
    "a\n;\t=1",
    "a;＝1",
  ])("%j in a file whose fields are separated by semicolons", (text) => {
    const fields = csvLine([1, text, 2]).split(/[;\t\r\n]/);
    for (const field of fields) expect(field).not.toMatch(/^["\s\p{Cf}]*[=+\-@＝＋－＠]/u);
    expect(fields.join("")).toContain("'");
  });

  test.each(["a=1; b", "a;b", "a;1-2", "a;'=1", "a\nb", "1 = 2"])("%j isn't a formula", (text) => {
    expect(csvLine([text])).not.toMatch(/'(?!=1)/);
  });

  test("a long text takes time in proportion to its length", () => {
    for (const text of ["\n", ";", ' "', "\u200b"]) expect(csvLine([text.repeat(500_000)])).toBeTruthy();
  });

  test.each(["a=1", "1-2", "mail@example.com", "", "'=1"])("%s is unchanged", (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`);
  });
});
