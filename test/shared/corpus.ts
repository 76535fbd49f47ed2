/**
 * Paths of real repositories, OpenAPI documents and question sets in a folder next to the checkout. If they are missing, the
 * tests that need them are skipped, or fail if REQUIRE_CORPUS is 1.
 */

import { existsSync } from "node:fs";
import path from "node:path";

const corpus = path.resolve(import.meta.dirname, "../../../shared/corpus");

export const corpusOf = {
  docs: path.join(corpus, "docs"),
  openapi: path.join(corpus, "openapi"),
  schemaSuite: path.join(corpus, "json-schema-suite/draft2020-12"),
  retrieval: path.join(corpus, "retrieval"),
};

/** Whether a folder or file of the corpus exists. Throws an Error if it is missing and REQUIRE_CORPUS is 1. */
export function inCorpus(file: string): boolean {
  if (existsSync(file)) return true;
  if (process.env.REQUIRE_CORPUS === "1") throw new Error(`${path.relative(process.cwd(), file)} is missing and REQUIRE_CORPUS is 1`);
  return false;
}
