/** Finds the operation, document or schema for `openapi` or `openapi-schema` in a page's frontmatter. */

import { nearest } from "../../../base/nearest.ts";
import type { ProblemCode } from "../../../base/problem-codes.ts";
import { isHttpUrl } from "../../../base/url.ts";
import type { Frontmatter } from "../../config/frontmatter.ts";
import { parseOperationText } from "../../config/openapi-entries.ts";
import type { ApiDocument } from "../../openapi/document/api-document.ts";
import { child, type Located } from "../../openapi/nodes/refs.ts";
import type { ApiDocuments } from "./api-documents.ts";
import {
  ambiguousEntry,
  didYouMean,
  findOperation,
  missingIn,
  missingOperation,
  type OperationTarget,
} from "./operation-target.ts";

export type PageReference =
  | ({ kind: "operation" } & OperationTarget)
  /** A document, whose overview the page shows. */
  | { kind: "document"; document: ApiDocument }
  | { kind: "schema"; document: ApiDocument; schema: Located; name: string };

export interface FoundReference {
  reference?: PageReference;
  /**
   * The problem to report if the reference is malformed, has no match or has several. In the last case,
   * `reference` is the first match.
   */
  problem?: ReferenceProblem;
}

interface ReferenceProblem {
  code: ProblemCode;
  message: string;
  hint?: string | undefined;
  /** Whether the cause is a document that can't be fetched or read, which is already reported. */
  isKnown?: boolean;
}

/** Finds the operations, documents and schemas that pages show. Memoized by the values in the frontmatter. */
export class PageReferences {
  private readonly documents: ApiDocuments;
  private readonly known = new Map<string, FoundReference | undefined>();

  constructor(documents: ApiDocuments) {
    this.documents = documents;
  }

  /**
   * Finds the reference in a page's frontmatter. Undefined if the frontmatter has neither `openapi` nor
   * `openapi-schema`. `folder`: the folder of the page's file.
   */
  find({ openapi, "openapi-schema": schema }: Frontmatter, folder: string): FoundReference | undefined {
    const key = JSON.stringify([openapi, schema, folder]);
    if (!this.known.has(key)) this.known.set(key, findReference(openapi, schema, this.documents, folder));
    return this.known.get(key);
  }
}

function findReference(
  operation: string | undefined,
  schema: string | undefined,
  documents: ApiDocuments,
  folder: string,
): FoundReference | undefined {
  if (operation) return findPageOperation(operation, documents, folder);
  if (schema) return findPageSchema(schema, documents, folder);
  return undefined;
}

/** Returns a key that identifies a found reference. A cached page is compiled again if this key changes. */
export function referenceKey(found: FoundReference | undefined): string {
  const { reference, problem } = found ?? {};
  if (!reference) return problem ? `${problem.message} ${problem.isKnown ?? false}` : "";
  const pointer =
    reference.kind === "document"
      ? ""
      : reference.kind === "schema"
        ? reference.schema.pointer
        : reference.entry.node.pointer;
  return `${reference.document.file}${pointer} ${problem?.message ?? ""}`;
}

function findPageOperation(text: string, documents: ApiDocuments, folder: string): FoundReference {
  const wanted = parseOperationText(text);
  if (!wanted) return findPageDocument(text.trim(), documents, folder);

  const find = (among: readonly ApiDocument[]): PageReference[] =>
    among.flatMap((document) => {
      const entry = findOperation(document, wanted);
      return entry ? [{ kind: "operation" as const, document, entry }] : [];
    });

  const found = findIn(find, wanted.document, {
    documents,
    folder,
    text,
    entry: `${wanted.method} ${wanted.path}`,
  });

  if (!("named" in found)) return found;

  // A document that can't be read could have the operation.
  const isKnown = wanted.document === undefined && documents.hasBroken;

  if (found.named.length > 0) {
    const [message, hint] = missingOperation(found.named, wanted);
    return { problem: { code: "openapi-operation-missing", message, hint, isKnown } };
  }

  const message = `${JSON.stringify(text)} can't be found because the site has no OpenAPI document`;
  return { problem: { code: "openapi-operation-missing", message, isKnown } };
}

function findPageDocument(name: string, documents: ApiDocuments, folder: string): FoundReference {
  if (!isHttpUrl(name) && !/\.(?:json|ya?ml)$/i.test(name) && documents.named(name).length === 0) {
    const message = `${JSON.stringify(name)} doesn't have the form METHOD /path`;
    return {
      problem: {
        code: "openapi-page-operation",
        message,
        hint: "Example: GET /users/{id}, or openapi.yaml for a whole document.",
      },
    };
  }

  const find = (among: readonly ApiDocument[]) =>
    among.map((document): PageReference => ({ kind: "document", document }));
  const found = findIn(find, name, { documents, folder, text: name, entry: "" });
  return "named" in found ? { problem: missingDocument(name, documents, false) } : found;
}

function findPageSchema(text: string, documents: ApiDocuments, folder: string): FoundReference {
  const wanted = text.trim();

  const find = (name: string) => (among: readonly ApiDocument[]) =>
    among.flatMap((document): PageReference[] => {
      const schemas = document.refs.at("#/components/schemas");
      const schema = schemas && child(schemas, name);
      return schema ? [{ kind: "schema" as const, document, schema, name }] : [];
    });

  const whole = find(wanted)(documents.all);
  if (whole[0]) return oneOf(whole, text, wanted);
  const [, file, name] = /^(\S.*?\.(?:json|ya?ml)|\S+)\s+(\S.*)$/i.exec(wanted) ?? [];
  const found = findIn(name === undefined ? () => [] : find(name), file, {
    documents,
    folder,
    text,
    entry: name ?? wanted,
  });

  if (!("named" in found)) return found;
  const schema = JSON.stringify(name ?? wanted);
  const message =
    file === undefined
      ? `No OpenAPI document has a schema ${schema}`
      : missingIn(found.named, `schema ${schema}`);

  return {
    problem: { code: "openapi-schema-missing", message, isKnown: file === undefined && documents.hasBroken },
  };
}

/**
 * Finds an operation or schema: in the documents that match a name, or else in similar ones, or else in the
 * only document that has it. If the name is undefined, searches all documents. Returns the documents that
 * match the name if nothing is found. `text`: the reference as written. `entry`: the text without the name.
 */
function findIn(
  find: (among: readonly ApiDocument[]) => PageReference[],
  name: string | undefined,
  {
    documents,
    folder,
    text,
    entry,
  }: { documents: ApiDocuments; folder: string; text: string; entry: string },
): FoundReference | { named: ApiDocument[] } {
  const named = name === undefined ? documents.all : documents.named(name);
  const found = find(named);
  if (found[0]) return oneOf(found, text, entry);
  if (name === undefined) return { named };
  if (named.length === 0 && documents.isBroken(name))
    return { problem: missingDocument(name, documents, true) };

  const use = (reference: PageReference): FoundReference => {
    const { file } = reference.document;
    const reason = named.length > 0 ? missingIn(named, entry) : `OpenAPI document not found: ${name}`;
    return { reference, problem: otherDocument(reason, file, `${file} ${entry}`.trim()) };
  };

  for (const among of documents.similar(name, folder)) {
    const [similar] = find(among);
    if (similar) return use(similar);
  }

  const anywhere = find(documents.all);
  if (anywhere.length === 1) return use(anywhere[0]!);
  return named.length > 0 ? { named } : { problem: missingDocument(name, documents, false) };
}

function missingDocument(name: string, documents: ApiDocuments, isBroken: boolean): ReferenceProblem {
  const message = isBroken
    ? `The OpenAPI document ${name} can't be read`
    : `OpenAPI document not found: ${name}`;
  const near = nearest(
    name,
    documents.all.map(({ file }) => file),
  );
  return { code: "openapi-missing", message, hint: didYouMean(near), isKnown: isBroken };
}

/**
 * Returns the problem of a reference to a document that isn't the one that is used. `written`: the text to
 * write instead.
 */
export function otherDocument(reason: string, file: string, written: string): ReferenceProblem {
  return {
    code: "openapi-other-document",
    message: `${reason}, so ${file} is used`,
    hint: `Write ${JSON.stringify(written)}.`,
  };
}

/**
 * Returns the first match, with a problem if there are several. `entry`: the text without the document's
 * name.
 */
function oneOf(found: readonly PageReference[], text: string, entry: string): FoundReference {
  const reference = found[0]!;
  if (found.length === 1) return { reference };
  const documents = found.map(({ document }) => document);
  const [message, hint] = ambiguousEntry(text, documents, entry);
  return { reference, problem: { code: "openapi-page-operation", message, hint } };
}
