import { readdirSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { direction, localeCodes, messagesOf } from "./locales.ts";

const english = messagesOf("en");
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

test("every locale file is registered", () => {
  const files = readdirSync(import.meta.dirname).flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? []);
  expect(files.sort()).toEqual([...localeCodes].sort());
});

describe.each(localeCodes.filter((code) => code !== "en"))("%s", (code) => {
  const messages = messagesOf(code);

  it("is not English", () => {
    expect(messages).not.toBe(english);
    expect(messages.answer.notCovered).not.toBe(english.answer.notCovered);
  });

  it.each(Object.keys(english) as (keyof typeof english)[])(
    "has every message of %s, with the same placeholders",
    (group) => {
      expect(Object.keys(messages[group])).toEqual(Object.keys(english[group]));
      for (const [key, text] of Object.entries(messages[group])) {
        // A message can have a form for 1 before a "|".
        const [wanted = ""] = (english[group] as Record<string, string>)[key]!.split("|");
        for (const form of text.split("|"))
          expect([key, placeholders(form)]).toEqual([key, placeholders(wanted)]);
      }
    },
  );
});

describe("messagesOf", () => {
  it.each([
    ["de", "Suchen"],
    ["fr-CA", "Rechercher"],
    ["pt-BR", "Pesquisar"],
    ["pt", "Pesquisar"],
    ["pt-PT", "Pesquisar"],
    ["cn", "搜索"],
    ["jp", "検索"],
    ["ja-JP", "検索"],
    ["zh-TW", "搜尋"],
    ["zh-Hant", "搜尋"],
    ["xx", "Search"],
    ["constructor", "Search"],
  ])("finds the messages of %s", (code, search) => expect(messagesOf(code).site.search).toBe(search));
});

test("direction", () => {
  expect([direction("ar"), direction("he"), direction("en")]).toEqual(["rtl", "rtl", "ltr"]);
});
