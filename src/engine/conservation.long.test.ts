/**
 * Tests that no words of real documentation repositories are lost. Without the corpus, these tests are
 * skipped.
 */

import path from "node:path";
import { describe, expect, test } from "vitest";
import { conservationOf } from "../../test/engine/conservation.ts";
import { corpusOf, inCorpus } from "../../test/shared/corpus.ts";

/** Maximum share of words that an output leaves out: exceptions, and others. */
const leftOut_share = 0.005;

describe.each(["dify", "fastmcp", "mintlify", "spree", "turso", "x402"])("%s", (name) => {
  const folder = path.join(corpusOf.docs, name);

  test.skipIf(!inCorpus(folder))("keeps the words of its pages", { timeout: 900_000 }, async () => {
    const { checked, found, excepted, missing, crashed } = await conservationOf(folder);
    console.log(
      `${name}: ${checked} words checked, ${found} found, ${excepted} excepted, ${missing.length} missing`,
    );
    expect(crashed).toEqual([]);
    expect(checked).toBeGreaterThan(10_000);
    expect((excepted + missing.length) / checked, missing.slice(0, 50).join("\n")).toBeLessThan(
      leftOut_share,
    );
  });
});
