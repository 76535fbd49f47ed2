/**
 * Compares two versions of an OpenAPI document. The order of keys, and how the document is divided into
 * components, make no difference.
 */

import type { ChangeRule } from "../../../base/change-rules.ts";
import type { ApiDocument } from "../document/api-document.ts";
import {
  type Header,
  type MediaType,
  type Operation,
  type Parameter,
  readOperation,
} from "../request/operation.ts";
import type { OperationEntry } from "../request/operation-list.ts";
import type { SecurityAlternative } from "../request/security.ts";
import { type Change, type DataDirection, newChange } from "./change.ts";
import { withLevels } from "./change-levels.ts";
import { inCode } from "./code-in-message.ts";
import { SchemaComparison, type Subject } from "./compare-schemas.ts";

/**
 * Returns the changes, the worst ones first, and then in the order of the later document. `isListed`: whether
 * an operation belongs to the API. Others count as missing.
 */
export function compareDocuments(
  before: ApiDocument,
  after: ApiDocument,
  isListed: (operation: OperationEntry) => boolean = () => true,
): Change[] {
  const comparison = new DocumentComparison(before, after, isListed);
  return withLevels(comparison.changes(), {});
}

/** A part of an operation in both versions. */
interface Versions<T> {
  before: T;
  after: T;
}

class DocumentComparison {
  private readonly before: ApiDocument;
  private readonly after: ApiDocument;
  private readonly schemas: SchemaComparison;
  private readonly isListed: (operation: OperationEntry) => boolean;
  private readonly found = new Set<Change>();

  constructor(before: ApiDocument, after: ApiDocument, isListed: (operation: OperationEntry) => boolean) {
    this.before = before;
    this.after = after;
    this.isListed = isListed;
    this.schemas = new SchemaComparison({ before: before.refs, after: after.refs });
  }

  changes(): Change[] {
    const earlier = operationsOf(this.before, this.isListed);
    const later = operationsOf(this.after, this.isListed);

    for (const [key, operation] of later) {
      const known = earlier.get(key);
      if (known) this.compareOperations({ before: known, after: operation });
      else this.add(operation, newChange("operation-added", "Added", { after: operation.node.pointer }));
    }

    for (const [key, operation] of earlier)
      if (!later.has(key)) {
        const rule = operation.deprecated ? "deprecated-operation-removed" : "operation-removed";
        this.add(operation, newChange(rule, "Removed", { before: operation.node.pointer }));
      }

    return [...this.found];
  }

  private add(operation: Operation, ...changes: readonly Change[]): void {
    const name = nameOf(operation);
    for (const change of changes) {
      this.found.add(change);
      if (change.operations.at(-1) !== name) change.operations.push(name);
    }
  }

  private compareOperations({ before, after }: Versions<Operation>): void {
    const at = { before: before.node.pointer, after: after.node.pointer };
    const add = (rule: ChangeRule, message: string, place = at) =>
      this.add(after, newChange(rule, message, place));
    if (!before.deprecated && after.deprecated) add("operation-deprecated", "Deprecated");
    if (before.deprecated && !after.deprecated) add("operation-no-longer-deprecated", "No longer deprecated");
    if (before.operationId !== after.operationId)
      add(
        "operation-id-changed",
        `The \`operationId\` changed from ${before.operationId ?? "none"} to ${after.operationId ?? "none"}`,
      );
    if (before.summary !== after.summary || before.description !== after.description)
      add("operation-text-changed", "The summary or description changed");

    this.compareServers({ before, after }, add);
    compareSecurity({ before: before.security, after: after.security }, add);
    this.compareParameters({ before, after });
    this.compareBodies({ before, after });
    this.compareResponses({ before, after });
  }

  private compareServers(
    { before, after }: Versions<Operation>,
    add: (rule: ChangeRule, message: string) => void,
  ) {
    const [earlier, later] = [urlsOf(before), urlsOf(after)];
    for (const url of earlier) if (!later.has(url)) add("server-removed", `The server ${url} was removed`);
    for (const url of later) if (!earlier.has(url)) add("server-added", `The server ${url} was added`);
  }

  private compareParameters({ before, after }: Versions<Operation>): void {
    const [earlier, later] = [parametersOf(before), parametersOf(after)];
    for (const [key, parameter] of later) {
      const known = earlier.get(key);
      const name = `the ${parameter.in} parameter ${inCode(parameter.name)}`;
      if (known) this.compareParameter({ before: known, after: parameter }, after, name);
      else {
        const rule = parameter.required ? "required-parameter-added" : "optional-parameter-added";
        const message = `${parameter.required ? "The required" : "The"} ${parameter.in} parameter ${inCode(parameter.name)} was added`;
        this.add(after, newChange(rule, message, { after: parameter.pointer, field: parameter.name }));
      }
    }

    for (const [key, { pointer, in: place, name }] of earlier)
      if (!later.has(key))
        this.add(
          after,
          newChange("parameter-removed", `The ${place} parameter ${inCode(name)} was removed`, {
            before: pointer,
          }),
        );
  }

  private compareParameter({ before, after }: Versions<Parameter>, operation: Operation, name: string): void {
    const at = { before: before.pointer, after: after.pointer, field: after.name };
    const add = (rule: ChangeRule, message: string) => this.add(operation, newChange(rule, message, at));
    const title = `T${name.slice(1)}`;
    if (!before.required && after.required) add("parameter-required", `${title} is now required`);
    if (before.required && !after.required) add("parameter-optional", `${title} is now optional`);
    if (!before.deprecated && after.deprecated) add("parameter-deprecated", `${title} was deprecated`);
    if (serializationOf(before) !== serializationOf(after))
      add("parameter-serialization-changed", `${title} is sent in a different format`);
    const isText = after.mediaType === undefined;
    const isRepeatable =
      isText && after.style === "form" && after.explode && serializationOf(before) === serializationOf(after);
    const subject: Subject = { place: name, field: after.name, isText, isRepeatable };
    this.add(operation, ...this.schemas.compare(before.schema, after.schema, "request", subject));
  }

  private compareBodies({ before, after }: Versions<Operation>): void {
    const [was, is] = [before.body, after.body];
    const add = (rule: ChangeRule, message: string) =>
      this.add(after, newChange(rule, message, { before: was?.pointer, after: is?.pointer }));
    if (!was && is)
      return is.required
        ? add("required-body-added", "A required request body was added")
        : add("optional-body-added", "An optional request body was added");
    if (was && !is) return add("body-removed", "The request body was removed");
    if (!was || !is) return;
    if (!was.required && is.required) add("body-required", "The request body is now required");
    if (was.required && !is.required) add("body-optional", "The request body is now optional");
    this.compareContent({ before: was.content, after: is.content }, after, "request", "the request body");
  }

  private compareResponses({ before, after }: Versions<Operation>): void {
    const earlier = new Map(before.responses.map((response) => [response.status, response]));
    const later = new Map(after.responses.map((response) => [response.status, response]));

    for (const [status, response] of later) {
      const known = earlier.get(status);
      const place = `the ${status} response`;
      if (!known) {
        this.add(
          after,
          newChange("response-added", `The ${status} response was added`, { after: response.pointer }),
        );
        continue;
      }
      this.compareContent({ before: known.content, after: response.content }, after, "response", place);
      this.compareHeaders({ before: known.headers, after: response.headers }, after, place);
    }

    for (const [status, { pointer }] of earlier)
      if (!later.has(status)) {
        const rule = status.startsWith("2") ? "success-response-removed" : "error-response-removed";
        this.add(after, newChange(rule, `The ${status} response was removed`, { before: pointer }));
      }
  }

  private compareHeaders(
    { before, after }: Versions<readonly Header[]>,
    operation: Operation,
    place: string,
  ) {
    const byName = (headers: readonly Header[]) =>
      new Map(headers.map((header) => [header.name.toLowerCase(), header]));
    const [earlier, later] = [byName(before), byName(after)];
    for (const [key, { name, pointer, schema }] of later) {
      const known = earlier.get(key);
      const header = `the header ${inCode(name)} of ${place}`;
      this.add(
        operation,
        ...(known
          ? this.schemas.compare(known.schema, schema, "response", { place: header })
          : [newChange("response-header-added", `T${header.slice(1)} was added`, { after: pointer })]),
      );
    }

    for (const [key, { name, pointer }] of earlier)
      if (!later.has(key))
        this.add(
          operation,
          newChange("response-header-removed", `The header ${inCode(name)} of ${place} was removed`, {
            before: pointer,
          }),
        );
  }

  private compareContent(
    { before, after }: Versions<readonly MediaType[]>,
    operation: Operation,
    direction: DataDirection,
    place: string,
  ): void {
    const byType = (content: readonly MediaType[], version: keyof Versions<unknown>) =>
      new Map(
        content
          .filter(
            ({ schema }) => direction === "request" || !schema || !this.schemas.isNever(schema, version),
          )
          .map((media) => [media.type.toLowerCase(), media]),
      );
    const [earlier, later] = [byType(before, "before"), byType(after, "after")];
    for (const [type, media] of later) {
      const key = direction === "response" ? typeWithoutNewParameters(type, earlier, later) : type;
      if (key === type) continue;
      later.delete(type);
      later.set(key, media);
    }

    for (const [key, media] of later) {
      const known = earlier.get(key);
      const { type, pointer } = media;
      if (known) this.compareMediaTypes({ before: known, after: media }, operation, direction, place);
      else
        this.add(
          operation,
          newChange(`${direction}-media-type-added`, `The media type ${type} of ${place} was added`, {
            after: pointer,
          }),
        );
    }

    for (const [key, { type, pointer }] of earlier)
      if (!later.has(key))
        this.add(
          operation,
          newChange(`${direction}-media-type-removed`, `The media type ${type} of ${place} was removed`, {
            before: pointer,
          }),
        );
  }

  private compareMediaTypes(
    { before, after }: Versions<MediaType>,
    operation: Operation,
    direction: DataDirection,
    place: string,
  ): void {
    const schemasOf = ({ schema, itemSchema }: MediaType) => ({
      schema: schema === itemSchema ? undefined : schema,
      itemSchema,
    });
    const [earlier, later] = [schemasOf(before), schemasOf(after)];
    for (const keyword of ["schema", "itemSchema"] as const) {
      const [was, is] = [earlier[keyword], later[keyword]];
      const of = keyword === "schema" ? place : `each item of ${place}`;
      if (was && is) this.add(operation, ...this.schemas.compare(was, is, direction, { place: of }));
      else if (!this.schemas.allowsAll(was, "before") || !this.schemas.allowsAll(is, "after"))
        this.add(
          operation,
          newChange(
            is ? `${direction}-type-narrowed` : `${direction}-type-widened`,
            `The ${keyword === "schema" ? "" : "item "}schema of ${after.type} of ${place} was ${is ? "added" : "removed"}`,
            { before: before.pointer, after: after.pointer },
          ),
        );
    }
  }
}

/**
 * Returns the earlier type of a response to which parameters were added, as in `text/csv; header=absent`: who
 * accepts the type without parameters accepts it with all of them (RFC 9110, 12.5.1). Otherwise the type.
 */
function typeWithoutNewParameters(
  type: string,
  earlier: ReadonlyMap<string, unknown>,
  later: ReadonlyMap<string, unknown>,
): string {
  const [plain = type] = type.split(";");
  const bare = plain.trim();
  return !earlier.has(type) && earlier.has(bare) && !later.has(bare) ? bare : type;
}

/** Returns the operations by method and path. The names of path parameters make no difference. */
function operationsOf(
  { operations, refs }: ApiDocument,
  isListed: (operation: OperationEntry) => boolean,
): Map<string, Operation> {
  return new Map(
    operations.filter(isListed).flatMap(({ kind, method, path, pathItem }) => {
      const operation = readOperation(refs, pathItem, method, path, kind);
      return operation ? [[operationKey(nameOf(operation)), operation] as const] : [];
    }),
  );
}

function nameOf({ kind, method, path }: Operation): string {
  return kind === "webhook" ? `webhook ${path}` : `${method} ${path}`;
}

/** Returns what identifies an operation in all versions. `name`: as in `Change.operations`. */
export function operationKey(name: string): string {
  return name.startsWith("webhook ") ? name : name.replace(/\{[^{}]*\}/g, "{}");
}

/** Returns the parameters by place and name; those of the path by their position in it. */
function parametersOf({ parameters, path }: Operation): Map<string, Parameter> {
  const positions = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parameters.map((parameter) => {
      const { in: place, name } = parameter;
      const key = place === "path" ? positions.indexOf(name) : place === "header" ? name.toLowerCase() : name;
      return [`${place} ${key}`, parameter];
    }),
  );
}

function serializationOf({ style, explode, mediaType }: Parameter): string {
  return [style, explode, mediaType].join();
}

function urlsOf({ servers }: Operation): Set<string> {
  return new Set(servers.map(({ url }) => url));
}

/** Compares what credentials a request needs. */
function compareSecurity(
  { before, after }: Versions<readonly SecurityAlternative[]>,
  add: (rule: ChangeRule, message: string) => void,
): void {
  const isOpen = (alternatives: readonly SecurityAlternative[]) =>
    alternatives.length === 0 || alternatives.some(({ schemes }) => schemes.length === 0);
  if (isOpen(before) && !isOpen(after)) return add("security-required", "Credentials are now required");
  if (!isOpen(before) && isOpen(after)) return add("security-optional", "Credentials are no longer required");

  const byTitle = (alternatives: readonly SecurityAlternative[]) =>
    new Map(
      alternatives.map((alternative) => [alternative.title.split(" & ").sort().join(" & "), alternative]),
    );
  const [earlier, later] = [byTitle(before), byTitle(after)];
  for (const [title, alternative] of later) {
    const known = earlier.get(title);
    if (!known) {
      add("security-alternative-added", `Requests can now use ${title}`);
      continue;
    }
    const [had, has] = [scopesOf(known), scopesOf(alternative)];
    for (const scope of has)
      if (!had.has(scope)) add("scope-required", `The scope ${inCode(scope)} of ${title} is now required`);
    for (const scope of had)
      if (!has.has(scope))
        add("scope-no-longer-required", `The scope ${inCode(scope)} of ${title} is no longer required`);
  }

  for (const title of earlier.keys())
    if (!later.has(title)) add("security-alternative-removed", `Requests can't use ${title} anymore`);
}

function scopesOf({ schemes }: SecurityAlternative): Set<string> {
  return new Set(schemes.flatMap(({ scopes }) => scopes));
}
