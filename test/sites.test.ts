/**
 * Each folder below `sites` is a case: `input` is a documentation folder, `expected` contains the expected
 * output. `problems.txt` lists the problems, `paths.txt` the files, `search.txt` the indexed sections,
 * `<page>.html.txt` is the outline of a page, and any other file is the output file of that path. `UPDATE=1
 * npx vitest run test/sites.test.ts` rewrites them; an empty file adds an expectation. `target.json` next to
 * the input changes the export target.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Problem } from "../src/base/problem.ts";
import { type BuiltSite, buildSiteFrom, filesBelow, readFiles } from "./engine/build.ts";
import { listed as listedSection, sectionsIn } from "./engine/open-index.ts";
import { outline } from "./engine/outline.ts";

const cases = path.join(import.meta.dirname, "sites");

describe.each(readdirSync(cases))("%s", async (name) => {
  const expected = path.join(cases, name, "expected");
  const target = path.join(cases, name, "target.json");
  const site = await buildSiteFrom(
    readFiles(path.join(cases, name, "input")),
    existsSync(target) ? JSON.parse(readFileSync(target, "utf8")) : {},
  );

  test.each(filesBelow(expected))("%s", (file) => {
    const got = output(site, file);
    if (process.env.UPDATE) writeFileSync(path.join(expected, file), got);
    expect(got).toBe(readFileSync(path.join(expected, file), "utf8"));
  });
});

function output(site: BuiltSite, file: string): string {
  if (file === "problems.txt") return site.problems.map((found) => `${listed(found)}\n`).join("");
  if (file === "search.txt") return sectionsIn(site).map(listedSection).join("");
  if (file === "paths.txt")
    return site.paths
      .filter((at) => !/^_octavo\/(?:[\w-]+-[0-9a-f]{10}\.\w+$|search\/|passages\/)/.test(at))
      .join("\n")
      .concat("\n");
  return file.endsWith(".html.txt") ? outline(site.read(file.replace(/\.txt$/, ""))) : site.read(file);
}

function listed({ severity, code, file, line, column, message, hint }: Problem): string {
  return `${severity} ${code} ${[file, line, column].filter(Boolean).join(":")} ${message}${hint ? `\n  → ${hint}` : ""}`;
}
