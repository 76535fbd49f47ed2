import { expect, test } from "vitest";
import { TextFinder } from "./text-finder.ts";

const one = "A text that no one else may read";
const other = "A text that no one but staff may read";
const accented = "Ein Text über Größe, den keiner lesen darf";
const finder = new TextFinder([one, other, accented]);
const found = (text: string) => [...finder.findIn(Buffer.from(text))].sort();

test.each([
  ["at the start, in the middle and at the end", `${one} and ${other}, ${accented}`, [0, 1, 2]],
  ["twice", `${one}${one}`, [0]],
  ["after a part of it", `A text that ${other}`, [1]],
  ["not if a character is missing", one.slice(0, -1), []],
  ["not if a character differs", other.replace("staff", "stuff"), []],
  ["not in a short text", "A text", []],
  ["not in an empty text", "", []],
])("texts are found %s", (_, text, expected) => {
  expect(found(text)).toEqual(expected);
});
