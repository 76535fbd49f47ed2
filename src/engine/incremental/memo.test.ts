/** Results of earlier builds are used only if everything that they depend on is unchanged. */

import { expect, test } from "vitest";
import { memo, recall, remember, versionOf } from "./memo.ts";
import { MemoryStore } from "./store.ts";

test("a value is made once for its name and key", () => {
  const store = new MemoryStore();
  let made = 0;
  const value = (name: string, key: string) => memo(store, name, key, () => Buffer.of(++made))[0];
  expect([value("a", "1"), value("a", "1"), value("a", "2"), value("b", "1"), value("a", "1")]).toEqual([
    1, 1, 2, 3, 1,
  ]);
});

const dependencies = { "a.mdx": "hash of a", "b.mdx": "hash of b", "missing.mdx": null };

test.each([
  ["nothing", {}, true],
  ["one of several dependencies", { "b.mdx": "another" }, false],
  ["a dependency that was removed", { "a.mdx": null }, false],
  ["a dependency that was missing", { "missing.mdx": "new" }, false],
])("a result is recalled if %s has changed: %j", (_title, change, isRecalled) => {
  const store = new MemoryStore();
  remember(store, "page", "key", dependencies, '{"text":"two\\nlines"}');
  const now: Record<string, string | null> = { ...dependencies, ...change };
  expect(recall(store, "page", "key", (dependency) => now[dependency]!)).toEqual(
    isRecalled ? { result: { text: "two\nlines" }, version: versionOf("key", dependencies) } : undefined,
  );
  expect(recall(store, "page", "other key", (dependency) => now[dependency]!)).toBeUndefined();
});
