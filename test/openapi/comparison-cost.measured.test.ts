/**
 * Comparing two versions of a document costs at most half of the CPU time, and at most the memory, of building the
 * pages of one. For GitHub's document, see `seeded-edits.long.test.ts`. Needs `npm run build`.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import { env, execPath } from "node:process";
import { expect, test } from "vitest";
import { type Cost, measure } from "../../bench/measure.ts";
import { siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";
import { editDocument, type Json } from "./seeded-edits.ts";

const twilio = path.join(corpusOf.openapi, "twilio-api-v2010-3.0.json");
const files = [
  ...(inCorpus(twilio) ? [twilio] : []),
  ...(env["OPENAPI_DOCUMENT"] ? [env["OPENAPI_DOCUMENT"]] : []),
];

/** Runs a command of the command line. The cost includes that of the processes that it starts. */
async function costOf(cwd: string, args: string): Promise<Cost> {
  const log = path.join(temporaryFolder(), "log.txt");
  const cost = await measure(`${execPath} ${path.resolve("bin/octavo.js")} ${args}`, { cwd, log });
  expect(cost.code, readFileSync(log, "utf8").slice(0, 1_000)).toBe(0);
  return cost;
}

test.runIf(files.length > 0).each(files)("%s", { timeout: 600_000 }, async (file) => {
  const source = JSON.parse(readFileSync(file, "utf8")) as Json;
  const folder = temporaryFolder();
  const api = JSON.stringify(source);
  const groups = [
    { group: "Home", pages: ["index"] },
    { group: "API", openapi: "api.json" },
  ];
  writeFiles(folder, {
    ...siteOf({ "index.mdx": "Text.", "api.json": api }, { navigation: { groups } }),
    "edited.json": JSON.stringify(editDocument(source, 200, 1).document),
  });
  const build = await costOf(folder, "build . --output out");
  const comparison = await costOf(folder, "api diff api.json edited.json --format json");
  console.log({ build, comparison });
  expect(comparison.cpu_s / build.cpu_s).toBeLessThanOrEqual(0.5);
  expect(comparison.peak_mb / build.peak_mb).toBeLessThanOrEqual(1);
});

test("a cost is that of the command", async () => {
  const { cpu_s, peak_mb } = await costOf(temporaryFolder(), "--version");
  expect(cpu_s).toBeGreaterThan(0.01);
  expect(peak_mb).toBeGreaterThanOrEqual(0);
});
