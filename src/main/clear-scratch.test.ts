import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/engine/build.ts";
import { clearScratch } from "./clear-scratch.ts";

test("what a killed process left is out of the way at once and removed soon, and build caches remain", async () => {
  const work = temporaryFolder();
  const files = [
    "deployments/1-1/docs/a/b.mdx",
    "uploads/2",
    "exports/3-1/site/index.html",
    "checks/4/repository/HEAD",
    "cache/5/pages/c",
  ];
  // Also what was being removed when the process was killed.
  for (const file of [...files, "removed/1/deployments/6-1/docs.json"]) {
    mkdirSync(path.dirname(path.join(work, file)), { recursive: true });
    writeFileSync(path.join(work, file), "x");
  }
  const errors: unknown[] = [];
  await clearScratch(work, "2", (error) => errors.push(error));
  expect(readdirSync(work).filter((name) => name !== "removed")).toEqual(["cache"]);
  await expect.poll(() => existsSync(path.join(work, "removed"))).toBe(false);
  expect(existsSync(path.join(work, "cache/5/pages/c"))).toBe(true);
  expect(errors).toEqual([]);
});

test("a new work folder is created", async () => {
  await clearScratch(path.join(temporaryFolder(), "data/work"), "1", () => {});
});
