/**
 * Checks that the statements of ARCHITECTURE.md, CONTRIBUTING.md and README.md about the source tree are
 * true.
 */

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const architecture = readFileSync("ARCHITECTURE.md", "utf8");

/** Cells of the table below a heading, by row. */
function tableBelow(heading: string): string[][] {
  const section = architecture.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe("ARCHITECTURE.md", () => {
  test.each(["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"])(
    "every path that %s names exists",
    (file) => {
      const named = [
        ...readFileSync(file, "utf8").matchAll(
          /`((?:src|test|docs|chart|scripts|bench|eval|examples)\/[\w./-]*)`/g,
        ),
      ].map((match) => match[1]!);
      expect(named.filter((name) => !existsSync(name))).toEqual([]);
    },
  );

  test("has at most 250 lines", () => {
    expect(architecture.split("\n").length).toBeLessThanOrEqual(251);
  });

  test("leads from at least 25 tasks to a file each", () => {
    const rows = tableBelow("I want to …");
    expect(rows.length).toBeGreaterThanOrEqual(25);
    expect(rows.filter(([, start]) => !/`(?:src|chart)\/[\w./-]+`/.test(start!))).toEqual([]);
  });

  test("names every folder of src/", () => {
    const layout = architecture.split("## Layout\n")[1]!.split("\n## ")[0]!;
    for (const folder of [
      "base",
      "layout",
      "io",
      "engine",
      "host",
      "browser",
      "bundle",
      "builder",
      "service",
      "cli",
      "main",
    ])
      expect(layout).toContain(`${folder}/`);
  });
});
