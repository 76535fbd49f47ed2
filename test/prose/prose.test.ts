/**
 * Checks the texts that people read: words to avoid, and the length of sentences. CONTRIBUTING.md has the
 * style guide.
 */

import { describe, expect, test } from "vitest";
import { filesIn, jsonTexts, markdownTexts, plainTexts, sourceTexts, yamlComments } from "./read-texts.ts";
import { avoided, readability, sentencesOf, wordsOf } from "./style.ts";

const sources = (folder: string) =>
  filesIn(
    folder,
    /^(?!.*(?:\.test|\.fixture|\/i18n\/(?!en)|config\/reference-pages|synonyms)).*\.tsx?$/,
  ).flatMap(sourceTexts);

const areas = {
  docs: filesIn("docs", /\.mdx$/).flatMap(markdownTexts),
  repository: [
    ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md"].flatMap(
      markdownTexts,
    ),
    ...plainTexts("chart/templates/NOTES.txt"),
    ...yamlComments("chart/values.yaml"),
    ...jsonTexts("chart/values.schema.json"),
  ],
  API: jsonTexts("docs/openapi/octavo.json"),
  settings: jsonTexts("docs/docs.schema.json"),
  "command line": [
    ...sources("src/cli"),
    ...sources("tools"),
    ...sources("examples/plant-shop"),
    ...filesIn("src/cli/help", /\.txt$/).flatMap(plainTexts),
  ],
  dashboard: sources("src/service"),
  site: [...sources("src/engine/i18n"), ...sources("src/browser")],
  problems: [
    ...sourceTexts("src/base/problem-codes.ts"),
    ...sourceTexts("src/base/openapi-problem-codes.ts"),
    ...sources("src/engine"),
  ],
  server: ["src/main", "src/host", "src/io", "src/bundle", "src/builder", "src/base", "src/layout"].flatMap(
    sources,
  ),
};

const measured = Object.entries(areas).map(([area, texts]) => ({
  area,
  texts,
  ...readability(texts.map(({ text }) => text)),
}));

test("readability", () => {
  console.table(
    measured.map(({ area, words, sentences, long, grade }) => ({
      area,
      words,
      sentences,
      over30: long.length,
      grade: grade.toFixed(1),
    })),
  );
});

describe.each(measured)("$area", ({ area, texts, sentences, long, grade }) => {
  test("has no words to avoid", () => {
    const found = texts.flatMap(({ file, text }) =>
      sentencesOf(text).flatMap((sentence) =>
        avoided.flatMap(([pattern, instead]) => {
          const hit = pattern.exec(sentence);
          return hit ? [`${file}: “${hit[0].slice(0, 40)}” (${instead}) in: ${sentence}`] : [];
        }),
      ),
    );
    expect(found).toEqual([]);
  });

  test("has few long sentences", () => {
    for (const sentence of long) console.warn(`${area}: ${wordsOf(sentence).length} words: ${sentence}`);
    expect(long.length / sentences).toBeLessThan(0.03);
  });

  test("is easy to read", () => {
    if (area === "docs") expect(grade).toBeLessThanOrEqual(9);
  });
});
