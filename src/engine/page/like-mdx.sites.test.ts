/**
 * Tests that pages have the elements, texts, code and attributes that `@mdx-js/mdx` gives them, that a repair
 * of ours is reported, or that the difference is a known one: our documentation, a sample of the corpus, and
 * the examples of CommonMark and GFM. The long test covers the whole corpus.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { filesBelow, root } from "../../../test/engine/build.ts";
import { exceptions, isShownAsWritten } from "../../../test/engine/mdx-exceptions.ts";
import { judgeAll, type Verdict } from "../../../test/engine/mdx-judge.ts";
import { corpusEntries, corpusOf, inCorpus } from "../../../test/shared/corpus.ts";

const pagesIn = (folder: string) =>
  filesBelow(folder)
    .filter((file) => /\.mdx?$/.test(file))
    .map((file) => path.join(folder, file));

const sources = (files: readonly string[]) =>
  files.map((file) => [path.basename(file), readFileSync(file, "utf8")] as const);

function report(what: string, { pages, compared, excepted, wrong }: Verdict): void {
  console.log(
    `${what}: ${pages} pages, ${compared} compared, ${JSON.stringify(excepted)}, ${wrong.length} wrong`,
  );
}

test("our documentation", async () => {
  const verdict = await judgeAll(sources(pagesIn(path.join(root, "docs"))), {
    math: true,
    exceptions,
    isShownAsWritten,
  });
  report("docs", verdict);
  expect(verdict.wrong).toEqual([]);
  expect(verdict.compared).toBeGreaterThan(40_000);
});

test.skipIf(!inCorpus(corpusOf.docs))("a sample of real pages", async () => {
  const folders = [corpusOf.docs, corpusOf.moreDocs].flatMap((folder) =>
    corpusEntries(folder).map((name) => path.join(folder, name)),
  );
  const sample = folders.flatMap((folder) => {
    const pages = pagesIn(folder);
    return pages.filter((_, index) => index % Math.ceil(pages.length / 8) === 0);
  });
  const verdict = await judgeAll(sources(sample), { math: true, exceptions, isShownAsWritten });
  report("sample", verdict);
  expect(verdict.wrong).toEqual([]);
  expect(verdict.pages).toBeGreaterThan(180);
});

interface Example {
  example: number;
  markdown: string;
}

test.skipIf(!inCorpus(corpusOf.mdxExamples)).each(["commonmark-0.31.2", "gfm-0.29"])(
  "the examples of %s",
  async (name) => {
    const { examples } = JSON.parse(
      readFileSync(path.join(corpusOf.mdxExamples, `${name}.json`), "utf8"),
    ) as {
      examples: Example[];
    };
    const pages = examples.map(({ example, markdown }) => [`example ${example}`, markdown] as const);
    const verdict = await judgeAll(pages, { math: false, exceptions, isShownAsWritten });
    report(name, verdict);
    expect(verdict.wrong).toEqual([]);
    expect(verdict.pages).toBeGreaterThan(640);
  },
);
