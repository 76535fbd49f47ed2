/** Tests that the size of a page does not grow with the number of pages. */

import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeCorpus } from "../../bench/corpus.ts";
import { filesBelow, runOctavo, temporaryFolder } from "../../test/engine/build.ts";
import { findAll, parseHtml } from "../../test/engine/outline.ts";

const folder = temporaryFolder();

test("a page weighs the same among 1,000 and among 2,000 pages, and every page is one step from the contents", {
  timeout: 300_000,
}, async () => {
  const median = async (pages: number) => {
    const docs = path.join(folder, `pages-${pages}`);
    writeCorpus(docs, pages, "octavo");
    const out = path.join(folder, `pages-${pages}-site`);
    const { code, err } = await runOctavo(["build", docs, "--out", out]);
    expect(code, err).toBe(0);
    const sizes = filesBelow(out)
      .filter((file) => /^group-\d+\/page-\d+\.html$/.test(file))
      .map((file) => statSync(path.join(out, file)).size)
      .sort((a, b) => a - b);
    expect(sizes.length).toBe(pages);
    return sizes[Math.floor(pages / 2)]!;
  };
  const [few, many] = [await median(1_000), await median(2_000)];
  expect(many).toBeLessThan(25 * 1024);
  expect(Math.abs(many / few - 1)).toBeLessThan(0.05);

  const out = path.join(folder, "pages-1000-site");
  const page = parseHtml(readFileSync(path.join(out, "group-7/page-375.html"), "utf8"));
  const [all] = findAll(page, ({ attributes }) => attributes.class === "o-nav-all");
  const contents = path.posix.join("group-7", all!.attributes.href!);
  const links = linksOf(out, contents);
  expect(
    filesBelow(out).filter((file) => /^group-\d+\/page-\d+\.html$/.test(file) && !links.has(file)),
  ).toEqual([]);
});

/** Paths in the output folder that a page links to. */
function linksOf(out: string, file: string): Set<string> {
  const links = findAll(parseHtml(readFileSync(path.join(out, file), "utf8")), ({ tag }) => tag === "a");
  return new Set(
    links.map(({ attributes }) =>
      path.posix.join(
        path.posix.dirname(file),
        decodeURIComponent((attributes.href ?? "").replace(/[?#].*$/s, "")),
      ),
    ),
  );
}
