import { describe, expect, test } from "vitest";
import { type Files, filesFrom } from "../../../base/files.ts";
import { MemoryStore, type Store } from "../../incremental/store.ts";
import { scanMarkdownFiles } from "./scan-markdown-files.ts";

const sources = {
  "a.mdx": 'import Note from "./shared/note.mdx"\n\n<Note />',
  "b.mdx": "---\nopenapi: pets.json GET /pets\n---\n",
};

/** Files whose stamps are the given texts, and the paths of the files that were read. */
function stamped(
  entries: Record<string, string>,
  stamps: Record<string, string | undefined>,
): { files: Files; read: string[] } {
  const files = filesFrom(entries);
  const read: string[] = [];
  return {
    read,
    files: {
      ...files,
      stamp: (path) => stamps[path],
      read: (path) => {
        read.push(path);
        return files.read(path);
      },
    },
  };
}

describe("reading sources between builds", () => {
  const paths = Object.keys(sources);
  const first = (store: Store, stamps: Record<string, string | undefined> = { "a.mdx": "1", "b.mdx": "1" }) =>
    scanMarkdownFiles(stamped(sources, stamps).files, paths, { store, generator: "one" });

  test("an unchanged file isn't read again", () => {
    const store = new MemoryStore(true);
    const before = first(store);
    expect([...before.imported]).toEqual(["shared/note.mdx"]);
    expect([...before.described]).toEqual([["b.mdx", "pets.json"]]);
    const { files, read } = stamped(sources, { "a.mdx": "1", "b.mdx": "1" });
    expect(scanMarkdownFiles(files, paths, { store, generator: "one" })).toEqual(before);
    expect(read).toEqual([]);
  });

  test("a file that was written is read", () => {
    const store = new MemoryStore(true);
    const before = first(store);
    const { files, read } = stamped(
      { ...sources, "a.mdx": "Without imports" },
      { "a.mdx": "2", "b.mdx": "1" },
    );
    const after = scanMarkdownFiles(files, paths, { store, generator: "one" });
    expect(read).toEqual(["a.mdx"]);
    expect([...after.imported]).toEqual([]);
    expect(after.hashes.get("a.mdx")).not.toBe(before.hashes.get("a.mdx"));
  });

  test("a file without a stamp is always read", () => {
    const store = new MemoryStore(true);
    first(store, { "b.mdx": "1" });
    const { files, read } = stamped(sources, { "b.mdx": "1" });
    scanMarkdownFiles(files, paths, { store, generator: "one" });
    expect(read).toEqual(["a.mdx"]);
  });

  test("another build of the product reads all files", () => {
    const store = new MemoryStore(true);
    first(store);
    const { files, read } = stamped(sources, { "a.mdx": "1", "b.mdx": "1" });
    scanMarkdownFiles(files, paths, { store, generator: "two" });
    expect(read).toEqual(paths);
  });
});
