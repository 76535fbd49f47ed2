/**
 * Paths of real repositories, OpenAPI documents, question sets and field cases in a folder next to the
 * checkout (TEST_CORPUS sets another one). If they are missing, the tests that need them are skipped, or fail
 * if REQUIRE_CORPUS is 1.
 */

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const shared = process.env.TEST_CORPUS ?? path.resolve(import.meta.dirname, "../../../shared");
const corpus = path.join(shared, "corpus");

export const corpusOf = {
  docs: path.join(corpus, "docs"),
  moreDocs: path.join(corpus, "docs-more"),
  mdxExamples: path.join(corpus, "mdx-examples"),
  navigationFacts: path.join(corpus, "navigation-facts"),
  openapi: path.join(corpus, "openapi"),
  openapiMore: path.join(corpus, "openapi-more"),
  schemaSuite: path.join(corpus, "json-schema-suite/draft2020-12"),
  retrieval: path.join(corpus, "retrieval"),
  fieldCases: path.join(shared, "field-cases"),
};

/**
 * Returns the names of a folder's entries. Empty if the folder is missing. Throws an Error if REQUIRE_CORPUS
 * is 1.
 */
export function corpusEntries(folder: string): string[] {
  return inCorpus(folder) ? readdirSync(folder) : [];
}

/**
 * Whether a folder or file of the corpus exists. Throws an Error if it is missing and REQUIRE_CORPUS is 1.
 */
export function inCorpus(file: string): boolean {
  if (existsSync(file)) return true;
  if (process.env.REQUIRE_CORPUS === "1")
    throw new Error(`${path.relative(process.cwd(), file)} is missing and REQUIRE_CORPUS is 1`);
  return false;
}
