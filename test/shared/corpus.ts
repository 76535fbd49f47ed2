/**
 * Real repositories, OpenAPI documents and question sets that lie next to a checkout. Tests that need them are skipped
 * without them, and counted as skipped in the summary; with REQUIRE_CORPUS=1 they fail instead.
 */
import { existsSync } from "node:fs";
import path from "node:path";

const corpus = path.resolve(import.meta.dirname, "../../../shared/corpus");

export const corpusOf = {
  docs: path.join(corpus, "docs"),
  openapi: path.join(corpus, "openapi"),
  retrieval: path.join(corpus, "retrieval"),
};

/** Whether a folder or file of the corpus is there. Throws when it is missing although it is required. */
export function inCorpus(file: string): boolean {
  if (existsSync(file)) return true;
  if (process.env.REQUIRE_CORPUS === "1") throw new Error(`${path.relative(process.cwd(), file)} is missing and REQUIRE_CORPUS is 1`);
  return false;
}
