/** A preview of a large site shows the opened page before the other pages are compiled. */

import path from "node:path";
import { expect, test } from "vitest";
import { siteOf, temporaryFolder, writeFiles } from "../../test/engine/build.ts";
import { testRunner } from "../../test/engine/test-runner.ts";
import type { BuildMessage } from "./build-protocol.ts";

const docs = writeFiles(
  temporaryFolder(),
  siteOf(
    Object.fromEntries(
      Array.from({ length: 60 }, (_, page) => [
        `page-${page}.mdx`,
        `---\ntitle: Title ${page}\n---\n\nWords of ${page}.\n`,
      ]),
    ),
  ),
);
const cacheFolder = path.join(docs, ".octavo/cache");
const files = ["page-0.html", "page-7.html", "page-9.html"];

/**
 * Builds a preview. Resolves with the texts of `files` when the site is outlined (undefined if it isn't), and
 * when it is built.
 */
async function preview(first: string): Promise<{ outlined: string[] | undefined; built: string[] }> {
  let outlined: Promise<string[]> | undefined;
  const messages: BuildMessage[] = [];
  const runner = testRunner({
    send(message) {
      messages.push(message);
      if (message.event === "outlined") outlined = read();
    },
  });
  const read = () =>
    Promise.all(
      files.map(async (file, index) => {
        await runner.answer({ id: index, do: "file", path: file });
        const found = messages.find((message) => message.event === "file" && message.id === index);
        messages.splice(messages.indexOf(found!), 1);
        return found?.event === "file" ? Buffer.from(found.bytes!).toString() : "";
      }),
    );
  const output = {
    kind: "hold",
    target: { kind: "cloud", links: "clean", readers: "author" },
    first,
  } as const;
  await runner.answer({ id: 100, do: "build", job: { folder: docs, crashed: [], output, cacheFolder } });
  expect(messages.at(-1)).toMatchObject({ event: "built" });
  return { outlined: await outlined, built: await read() };
}

const hasText = (pages: string[] | undefined) =>
  pages?.map((html, index) => html.includes(`Words of ${[0, 7, 9][index]}.`));

test("the opened page comes first, with the titles of the others in its navigation", async () => {
  const { outlined, built } = await preview("page-7");
  expect(hasText(outlined)).toEqual([false, true, false]);
  expect(outlined![1]).toContain("Title 9");
  expect(hasText(built)).toEqual([true, true, true]);
});

test("a change that few pages depend on shows all pages at once", async () => {
  writeFiles(docs, { "page-9.mdx": "---\ntitle: Title 9\n---\n\nWords of 9.\n\nMore.\n" });
  expect((await preview("page-7")).outlined).toBeUndefined();
});

test("without the opened page, the first one comes first", async () => {
  writeFiles(docs, {
    "docs.json": JSON.stringify({
      ...JSON.parse(String(siteOf({})["docs.json"])),
      variables: { a: "b" },
      navigation: { pages: ["page-9", "page-0"] },
    }),
  });
  expect(hasText((await preview("missing")).outlined)).toEqual([false, false, true]);
});
