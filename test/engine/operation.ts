/** Reads operations for tests, from literals or from OpenAPI documents of the corpus. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { entries, type Raw, Refs } from "../../src/engine/openapi/nodes/refs.ts";
import { methodsOf, type Operation, readOperation } from "../../src/engine/openapi/request/operation.ts";
import { corpusOf, inCorpus } from "../shared/corpus.ts";

const specs = corpusOf.openapi;
export const hasSpecs = inCorpus(specs);

export interface OperationAt {
  operation: Operation;
  refs: Refs;
}

/** Creates a document with only this operation, and returns the operation. */
export function operationOf(
  node: Raw,
  options: { path?: string; method?: string; components?: Raw } = {},
): OperationAt {
  const { path: key = "/", method = "get", components = {} } = options;
  return operationsIn({ openapi: "3.1.0", info: {}, paths: { [key]: { [method]: node } }, components })[0]!;
}

/** All operations of an OpenAPI document of the corpus. */
export function operationsOf(file: string): OperationAt[] {
  return operationsIn(parse(readFileSync(path.join(specs, file), "utf8"), { maxAliasCount: -1 }) as Raw);
}

/** All operations of a document. */
export function operationsIn(document: Raw): OperationAt[] {
  const refs = new Refs(document);
  return entries(refs.at("#/paths")).flatMap(([key, item]) =>
    methodsOf(item).map((method) => ({
      operation: readOperation(refs, item, method, key, "operation")!,
      refs,
    })),
  );
}
