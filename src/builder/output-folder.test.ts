import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { writeFolder } from "./output-folder.ts";

test("a file replaces a folder that the file system reports with the file's size", async () => {
  const folder = temporaryFolder();
  const target = path.join(folder, "page");
  mkdirSync(target);
  const text = "x".repeat(statSync(target).size);
  await writeFolder(folder, [["page", { access: "anyone", make: () => text }]]);
  expect(readFileSync(target, "utf8")).toBe(text);
});

/** Threads that write no file, such as one that has ended. */
const idleThreads = { isRunning: true, write: async () => false };

test.each([
  ["this thread", undefined],
  ["another thread", idleThreads],
])(
  "a file that can't be written by %s is reported, whether other files follow or not",
  async (_name, threads) => {
    const folder = temporaryFolder();
    const unwritable = ["x".repeat(300), { access: "anyone", make: () => "text" }] as const;
    const others = Array.from(
      { length: 200 },
      (_, index) => [`page-${index}`, { access: "anyone", make: () => "text" }] as const,
    );
    for (const files of [[unwritable], [unwritable, ...others], [...others, unwritable]]) {
      const written = writeFolder(
        folder,
        files.map(([name, file]) => [name, file]),
        undefined,
        threads,
      );
      await expect(written).rejects.toThrow("ENAMETOOLONG");
    }
  },
);

test.each([
  ["a text", "text"],
  ["chunks", [new TextEncoder().encode("text")][Symbol.iterator]()],
] as const)("a link in the output folder is replaced, and its target stays: %s", async (_name, content) => {
  const folder = temporaryFolder();
  const [link, target] = [path.join(folder, "page"), path.join(temporaryFolder(), "other")];
  writeFileSync(target, "other");
  symlinkSync(target, link);
  await writeFolder(folder, [["page", { access: "anyone", make: () => content }]]);
  expect([lstatSync(link).isFile(), readFileSync(link, "utf8"), readFileSync(target, "utf8")]).toEqual([
    true,
    "text",
    "other",
  ]);
});
