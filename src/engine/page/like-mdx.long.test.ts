/** Compares every page of the corpus with `@mdx-js/mdx`, as `like-mdx.sites.test.ts` does for a sample. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../../../test/engine/build.ts";
import { exceptions, isShownAsWritten } from "../../../test/engine/mdx-exceptions.ts";
import { judgeAll } from "../../../test/engine/mdx-judge.ts";
import { corpusEntries, corpusOf } from "../../../test/shared/corpus.ts";

const folders = [corpusOf.docs, corpusOf.moreDocs].flatMap((folder) =>
  corpusEntries(folder).map((name) => path.join(folder, name)),
);

/** Largest share of the tags, texts and codes that may be different on purpose. */
const excepted_share = 0.003;

const rows = folders.map((folder) => [path.basename(folder), folder]);

test.skipIf(folders.length === 0).each(folders.length ? rows : [["no corpus"]])(
  "%s",
  { timeout: 600_000 },
  async (name, folder) => {
    const files = filesBelow(folder!).filter((file) => /\.mdx?$/.test(file));
    const sources = files.map((file) => [file, readFileSync(path.join(folder!, file), "utf8")] as const);
    const { pages, compared, excepted, wrong } = await judgeAll(sources, {
      math: true,
      exceptions,
      isShownAsWritten,
    });
    console.log(`${name}: ${pages} pages, ${compared} compared, ${JSON.stringify(excepted)}`);
    expect(wrong).toEqual([]);
    const unreported = Object.entries(excepted).reduce(
      (sum, [key, count]) => (key === "reported" ? sum : sum + count),
      0,
    );
    expect(unreported / compared).toBeLessThan(excepted_share);
  },
);
