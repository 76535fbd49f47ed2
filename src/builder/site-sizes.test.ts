import { expect, test } from "vitest";
import { addSize, type SiteSizes, totalSize } from "./site-sizes.ts";

test.each([
  ["_octavo/mermaid-68db.js", "diagrams"],
  ["_octavo/mermaid/flow.js", "diagrams"],
  ["_octavo/playground-e84a.js", "playground"],
  ["_octavo/oauth.js", "playground"],
  ["_octavo/api/shop.json", "playground"],
  ["_octavo/search-6b9d.js", "search"],
  ["_octavo/passages/0.json", "search"],
  ["_octavo/pages.js", "search"],
  ["_octavo/asking-en-2a27.js", "search"],
  ["_octavo/assistant-9d22.js", "assistant"],
  ["_octavo/inter-basic-39a9.woff2", "fonts"],
  ["fonts/own.ttf", "fonts"],
  ["_octavo/octavo-f15a.css", "other scripts and styles"],
  ["index.html", "pages"],
  ["guides/keys.md", "pages"],
  ["images/logo.svg", "other files"],
  ["own.css", "other files"],
])("the size of %s is one of %s", (path, part) => {
  const sizes: SiteSizes = {};
  addSize(sizes, path, 3);
  addSize(sizes, path, 4);
  expect(sizes).toEqual({ [part]: 7 });
  addSize(sizes, "other.bin", 1);
  expect(totalSize(sizes)).toBe(8);
});
