/** The tokenizer of the package octavo-semantic, and the embedder that the service opens from a folder. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openLocalEmbedder } from "../../src/io/local-embedder.ts";

type ReadTokenizer = (json: string) => (text: string, most: number) => number[];
const { readTokenizer } = (await import(path.join(import.meta.dirname, "word-pieces.js"))) as {
  readTokenizer: ReadTokenizer;
};

const pieces = ["[CLS]", "[SEP]", "[UNK]", "cafe", "load", "##ing", "##s", "a", "`", ".", "中", "$"];
const encode = readTokenizer(
  JSON.stringify({ model: { vocab: Object.fromEntries(pieces.map((piece, number) => [piece, number])) } }),
);

test.each([
  ["Café loads", "cafe load ##s"],
  ["LOADING.", "load ##ing ."],
  ["`a`", "` a `"],
  ["中a", "中 a"],
  ["$a unknown", "$ a [UNK]"],
  ["loadx", "[UNK]"],
  ["a\u0000\u200ba", "[UNK]"],
  ["", ""],
])("%j is split into %j", (text, expected) => {
  const ids = encode(text, 256);
  expect(ids.map((id) => pieces[id]).join(" ")).toBe(`[CLS] ${expected} [SEP]`.replace(/ {2}/, " "));
});

test("a long text is cut", () => expect(encode("a ".repeat(300), 8)).toEqual([0, 7, 7, 7, 7, 7, 7, 1]));

test("the service opens the package in a folder", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "octavo-embedder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(path.join(folder, "index.js"), 'export const openEmbedder = () => ({ model: "tiny" });');
  expect((await openLocalEmbedder(folder)).model).toBe("tiny");
});
