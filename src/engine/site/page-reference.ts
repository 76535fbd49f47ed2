/** Finds the operation or schema for `openapi` or `openapi-schema` in a page's frontmatter. */

import { nearest } from "../../base/nearest.ts";
import type { ProblemCode } from "../../base/problem-codes.ts";
import type { Frontmatter } from "../config/frontmatter.ts";
import { operationText } from "../config/openapi-entries.ts";
import type { ApiDocument } from "../openapi/api-document.ts";
import { child, type Located } from "../openapi/refs.ts";
import type { ApiDocuments } from "./api-documents.ts";
import { ambiguousEntry, didYouMean, findOperation, missingIn, missingOperation, type OperationTarget } from "./operation-target.ts";

export type PageReference =
  | ({ kind: "operation" } & OperationTarget)
  | { kind: "schema"; document: ApiDocument; schema: Located; name: string };

export interface FoundReference {
  reference?: PageReference;
  /** The problem to report if the reference is malformed, has no match or has several. In the last case, `reference` is the first match. */
  problem?: ReferenceProblem;
}

interface ReferenceProblem {
  code: ProblemCode;
  message: string;
  hint?: string | undefined;
}

/** Finds the operations and schemas that pages show. Memoized by the values in the frontmatter. */
export class PageReferences {
  private readonly documents: ApiDocuments;
  private readonly known = new Map<string, FoundReference | undefined>();

  constructor(documents: ApiDocuments) {
    this.documents = documents;
  }

  /** Finds the reference in a page's frontmatter. Undefined if the frontmatter has neither `openapi` nor `openapi-schema`. */
  find(frontmatter: Frontmatter): FoundReference | undefined {
    const key = JSON.stringify([frontmatter.openapi, frontmatter["openapi-schema"]]);
    if (!this.known.has(key)) this.known.set(key, findReference(frontmatter, this.documents));
    return this.known.get(key);
  }
}

function findReference(frontmatter: Frontmatter, documents: ApiDocuments): FoundReference | undefined {
  if (frontmatter.openapi) return findPageOperation(frontmatter.openapi, documents);
  if (frontmatter["openapi-schema"]) return findPageSchema(frontmatter["openapi-schema"], documents);
  return undefined;
}

/** Returns a key that identifies a found reference. A cached page is compiled again if this key changes. */
export function referenceKey(found: FoundReference | undefined): string {
  const { reference, problem } = found ?? {};
  if (!reference) return problem?.message ?? "";
  const pointer = reference.kind === "schema" ? reference.schema.pointer : reference.entry.node.pointer;
  return `${reference.document.file}${pointer} ${problem?.message ?? ""}`;
}

function findPageOperation(text: string, documents: ApiDocuments): FoundReference {
  const wanted = operationText(text);
  if (!wanted) {
    const message = `${JSON.stringify(text)} doesn't have the form METHOD /path`;
    return { problem: { code: "openapi-page-operation", message, hint: "Example: GET /users/{id}." } };
  }
  const named = findDocuments(wanted.document, documents);
  if ("problem" in named) return named;
  const found = named.documents.flatMap((document) => {
    const entry = findOperation(document, wanted);
    return entry ? [{ kind: "operation" as const, document, entry }] : [];
  });
  if (!found[0]) {
    if (named.documents.length === 0)
      return {
        problem: {
          code: "openapi-operation-missing",
          message: `${JSON.stringify(text)} can't be found because the site has no OpenAPI document`,
        },
      };
    const [message, hint] = missingOperation(named.documents, wanted);
    return { problem: { code: "openapi-operation-missing", message, hint } };
  }
  return oneOf(found, text, `${wanted.method} ${wanted.path}`);
}

function findPageSchema(text: string, documents: ApiDocuments): FoundReference {
  const wanted = text.trim();
  const holding = (among: readonly ApiDocument[], name: string) =>
    among.flatMap((document) => {
      const schemas = document.refs.at("#/components/schemas");
      const schema = schemas && child(schemas, name);
      return schema ? [{ kind: "schema" as const, document, schema, name }] : [];
    });
  const whole = holding(documents.all, wanted);
  if (whole[0]) return oneOf(whole, text, wanted);
  const [, file, name] = /^(\S.*?\.(?:json|ya?ml)|\S+)\s+(\S.*)$/i.exec(wanted) ?? [];
  const named = findDocuments(file, documents);
  if ("problem" in named) return named;
  const found = name === undefined ? [] : holding(named.documents, name);
  if (found[0]) return oneOf(found, text, name!);
  const schema = JSON.stringify(name ?? wanted);
  const message = file === undefined ? `No OpenAPI document has a schema ${schema}` : missingIn(named.documents, `schema ${schema}`);
  return { problem: { code: "openapi-schema-missing", message } };
}

/** Finds the documents that match a name, or all documents if `name` is undefined. Returns a problem if none match. */
function findDocuments(name: string | undefined, documents: ApiDocuments): { documents: ApiDocument[] } | { problem: ReferenceProblem } {
  if (name === undefined) return { documents: documents.all };
  const found = documents.named(name);
  if (found.length) return { documents: found };
  const isBroken = documents.isBroken(name);
  const message = isBroken ? `The OpenAPI document ${name} can't be read` : `OpenAPI document not found: ${name}`;
  const near = nearest(
    name,
    documents.all.map(({ file }) => file),
  );
  return { problem: { code: "openapi-missing", message, hint: didYouMean(near) } };
}

/** Returns the first match, with a problem if there are several. `entry`: the text without the document's name. */
function oneOf(found: readonly PageReference[], text: string, entry: string): FoundReference {
  const reference = found[0]!;
  if (found.length === 1) return { reference };
  const documents = found.map(({ document }) => document);
  const [message, hint] = ambiguousEntry(text, documents, entry);
  return { reference, problem: { code: "openapi-page-operation", message, hint } };
}
