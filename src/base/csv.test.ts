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

  test.each(["a=1", "1-2", "mail@example.com", "", "'=1"])("%s is unchanged", (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`);
  });
});
