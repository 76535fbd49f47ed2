import type { LanguageRegistration } from "shiki/core";
import { createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import githubLight from "shiki/themes/github-light.mjs";
import { describe, expect, test } from "vitest";
import { asciiSource } from "../../../scripts/build/ascii-source.js";
import { convertPatterns } from "../../../scripts/build/patterns.js";
import { ConvertedPatterns } from "./converted-patterns.ts";

const samples = {
  bash: '# Install\nnpm install acme --save && export KEY="$(cat key)"\ncat <<EOF\n$HOME\nEOF\n',
  python:
    'import os\n\n@decorator\ndef greet(name: str = "x") -> str:\n    """Text."""\n    return f"Hello {name!r}" if name else None\n',
  typescript:
    "import { a } from 'b';\n\nexport class A<T> extends B {\n  private x = `a ${b + /c+/g} d`;\n  async f(): Promise<void> {}\n}\n",
  yaml: "a: 1\nb:\n  - c: 'x' # comment\n  - |\n    text\n",
};

async function grammarsOf(language: keyof typeof samples): Promise<LanguageRegistration[]> {
  return (await bundledLanguages[language]()).default;
}

async function convertedOf(language: keyof typeof samples): Promise<ConvertedPatterns> {
  const tables = new Map(
    (await grammarsOf(language)).map((grammar) => [grammar.name, JSON.stringify(convertPatterns(grammar))]),
  );
  const converted = new ConvertedPatterns();
  converted.useTables((grammar) => tables.get(grammar));
  for (const grammar of tables.keys()) converted.addGrammar(grammar);
  return converted;
}

async function highlight(
  language: keyof typeof samples,
  cache: Map<string, RegExp | Error>,
  code = samples[language],
): Promise<unknown> {
  const engine = createJavaScriptRegexEngine({ forgiving: true, cache, target: "ES2024" });
  const core = await createHighlighterCore({
    themes: [githubLight],
    langs: [await grammarsOf(language)],
    engine,
  });
  // Without a time limit per line, so that a busy machine has the same result.
  return core.codeToTokensBase(code, { lang: language, theme: "github-light", tokenizeTimeLimit: 0 });
}

describe.each(Object.keys(samples) as (keyof typeof samples)[])("%s", (language) => {
  test("code looks the same with converted patterns, and hardly any pattern is converted again", async () => {
    const converted = await convertedOf(language);
    const missing: string[] = [];
    const get = converted.get.bind(converted);
    converted.get = (pattern) => {
      const found = get(pattern);
      if (!found) missing.push(pattern);
      return found;
    };

    expect(await highlight(language, converted)).toEqual(await highlight(language, new Map()));
    // The ends of some rules depend on the text at their start, such as the `EOF` of a here document.
    expect(missing.length, missing.join("\n")).toBeLessThanOrEqual(3);
    expect(converted.size).toBeGreaterThan(15);
  });

  test("the forms of patterns for ASCII text have the same matches in it", async () => {
    const code = Object.values(samples).join("\n");
    const random = Array.from({ length: 20 }, (_, seed) =>
      [...code].filter((_, at) => (at * at + seed * 7) % 11 < 3).join(""),
    );
    const lines = [...code.split("\n"), ...random];
    const different: string[] = [];
    for (const grammar of await grammarsOf(language)) {
      for (const converted of Object.values(convertPatterns(grammar))) {
        const [source, flags, ascii] = converted as [source: string, flags: string, ascii: string | null];
        if (typeof ascii !== "string") continue;
        const forms = [new RegExp(source, flags), new RegExp(ascii, flags.replace("v", ""))] as const;
        for (const line of lines) {
          for (let from = 0; from <= line.length; from += 13) {
            for (const form of forms) form.lastIndex = from;
            const [match, simple] = forms.map((form) => form.exec(line));
            if (match?.indices?.join(" ") !== simple?.indices?.join(" "))
              different.push(`${source} in ${line}`);
          }
        }
      }
    }
    expect(different).toEqual([]);
  });

  test("code with other characters looks the same, too", async () => {
    const sample = samples[language].replace(
      /[aeou]/g,
      (letter) => ({ a: "ä", e: "é", o: "ø" })[letter] ?? "漢",
    );
    const converted = await convertedOf(language);
    expect(await highlight(language, converted, sample)).toEqual(
      await highlight(language, new Map(), sample),
    );
  });
});

test.each([
  ["s", "\\u017f", "dgvi"],
  ["K", "\\u212A", "dgvi"],
  ["a", "a\\ud83d\\ude00*", "dgv"],
  ["a", "a😀*", "dgv"],
  ["x", "[\\p{L}--[a-f]]", "dgv"],
  ["F", "[\\p{Lu}&&[a-f]]", "dgvi"],
])("the form for ASCII text, if there is one, matches %s like %s with %s", (text, source, flags) => {
  const ascii = asciiSource(source, flags);
  if (ascii !== undefined)
    expect(new RegExp(ascii, flags.replace("v", "")).test(text)).toBe(new RegExp(source, flags).test(text));
});
