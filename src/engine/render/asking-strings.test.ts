import { expect, test } from "vitest";
import { askingStrings } from "./asking-strings.ts";

const english = askingStrings("en");
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

test.each(["ar", "de", "es", "fr", "he", "id", "it", "ja", "ko", "nl", "pl", "pt-BR", "ru", "tr", "uk", "vi", "zh", "zh-Hant"])(
  "%s says everything, with the same places to fill in",
  (language) => {
    const words = askingStrings(language);
    expect(words).not.toBe(english);
    expect(Object.keys(words)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(words))
      expect([key, places(text)]).toEqual([key, places(english[key as keyof typeof english])]);
  },
);

test("an unknown language is English", () => {
  expect(askingStrings("tlh")).toBe(english);
});
