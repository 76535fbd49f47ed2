/** The operation or schema that a page's frontmatter names. */
import type { Frontmatter } from "../config/frontmatter.ts";
import type { ApiDocument } from "../openapi/document.ts";
import { child, type Located } from "../openapi/refs.ts";
import { type ApiDocuments, operationText } from "./api-documents.ts";
import { findOperation, type OperationTarget } from "./api-pages.ts";

export type PageReference =
  | ({ kind: "operation" } & OperationTarget)
  | { kind: "schema"; document: ApiDocument; schema: Located; name: string };

export interface FoundReference {
  reference?: PageReference;
  /** What an author should know: nothing was found, or too much. */
  complaint?: { message: string; hint?: string };
}

/** Undefined when the page names nothing. */
export function findReference(frontmatter: Frontmatter, documents: ApiDocuments): FoundReference | undefined {
  if (frontmatter.openapi) return findPageOperation(frontmatter.openapi, documents);
  if (frontmatter["openapi-schema"]) return findPageSchema(frontmatter["openapi-schema"], documents);
  return undefined;
}

/** Names a found reference and what it was made from, so that a cached page knows when it leads elsewhere. */
export function referenceKey(found: FoundReference | undefined): string {
  const { reference, complaint } = found ?? {};
  if (!reference) return complaint?.message ?? "";
  const pointer = reference.kind === "schema" ? reference.schema.pointer : reference.entry.node.pointer;
  return `${reference.document.file}${pointer} ${complaint?.message ?? ""}`;
}

function findPageOperation(text: string, documents: ApiDocuments): FoundReference {
  const wanted = operationText(text);
  if (!wanted) return { complaint: { message: `${JSON.stringify(text)} is not METHOD /path`, hint: "Write for example GET /users/{id}." } };
  const named = wanted.document === undefined ? documents.all : documents.named(wanted.document);
  const holding = (among: readonly ApiDocument[]) =>
    among.flatMap((document) => {
      const entry = findOperation(document, wanted);
      return entry ? [{ kind: "operation" as const, document, entry }] : [];
    });
  const found = holding(named);
  const [reference = holding(documents.all)[0]] = found;
  if (!reference) {
    const where = wanted.document === undefined ? "No OpenAPI document" : `${wanted.document}, as any other OpenAPI document,`;
    return { complaint: { message: `${where} has ${wanted.method} ${wanted.path}` } };
  }
  return found.length > 1 && wanted.document === undefined
    ? {
        reference,
        complaint: ambiguous(
          text,
          found.map(({ document }) => document),
        ),
      }
    : { reference };
}

function findPageSchema(text: string, documents: ApiDocuments): FoundReference {
  const match = /^(?:(\S+)\s+)?(\S.*)$/.exec(text.trim())!;
  const holding = (among: readonly ApiDocument[], name: string) =>
    among.flatMap((document) => {
      const schemas = document.refs.at("#/components/schemas");
      const schema = schemas && child(schemas, name);
      return schema ? [{ kind: "schema" as const, document, schema, name }] : [];
    });
  const whole = holding(documents.all, text.trim());
  const found = whole.length || match[1] === undefined ? whole : holding(documents.named(match[1]), match[2]!);
  if (!found[0]) return { complaint: { message: `No OpenAPI document has a schema ${JSON.stringify(match[2])}` } };
  return found.length > 1
    ? {
        reference: found[0],
        complaint: ambiguous(
          text,
          found.map(({ document }) => document),
        ),
      }
    : { reference: found[0] };
}

function ambiguous(text: string, documents: readonly ApiDocument[]): { message: string; hint: string } {
  return {
    message: `${JSON.stringify(text)} is in ${documents.map(({ file }) => file).join(" and in ")}; the first is shown`,
    hint: `Name the document: ${documents[0]!.file} ${text}`,
  };
}
