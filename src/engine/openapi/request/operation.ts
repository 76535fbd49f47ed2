/** Reads one operation of a document with all data that a page or a playground needs. */

import { platformExtension } from "../nodes/extensions.ts";
import {
  child,
  children,
  entries,
  isRaw,
  type Located,
  own,
  ownText,
  pointerKeys,
  Refs,
  texts,
  valueText,
} from "../nodes/refs.ts";
import { externalDocsOf, type SchemaRef, schemaRef } from "../schema/schema-view.ts";
import { readSecurity, type SecurityAlternative } from "./security.ts";

export interface Operation {
  kind: "operation" | "webhook" | "callback";
  /** HTTP method in uppercase. */
  method: string;
  /** The path (`/pets/{id}`), the name of a webhook, or the URL expression of a callback. */
  path: string;
  /** The operation's node in the document. */
  node: Located;
  /** The operation's summary, or else the path item's. */
  summary?: string;
  /** The operation's description, or else the path item's. */
  description?: string;
  /** The path item's summary and description, unless they are used as the operation's. */
  pathTexts: string[];
  operationId?: string;
  tags: string[];
  /** Labels of the operation, from `x-badges`. */
  badges: string[];
  deprecated: boolean;
  externalDocs?: { url: string; description?: string };
  /** Parameters of the path item and of the operation. The operation's take precedence. */
  parameters: Parameter[];
  body?: Body;
  responses: Response[];
  callbacks: Callback[];
  servers: Server[];
  /**
   * Security alternatives. A request must satisfy one of them. Empty if no credentials are needed. An
   * alternative without schemes makes credentials optional.
   */
  security: SecurityAlternative[];
  /** The valid entries of `x-codeSamples`, or else of `x-code-samples`. */
  codeSamples: CodeSample[];
  /** MDX from `x-platform.content`, shown before the generated reference. */
  content?: string;
}

export type ParameterLocation = "path" | "query" | "header" | "cookie" | "querystring";

export interface Parameter {
  name: string;
  in: ParameterLocation;
  required: boolean;
  deprecated: boolean;
  description?: string;
  schema: SchemaRef;
  /**
   * Serialization style: `form`, `simple`, `label`, `matrix`, `spaceDelimited`, `pipeDelimited`, `deepObject`
   * or `cookie`. Default: the style that OpenAPI defines for `in`.
   */
  style: string;
  explode: boolean;
  allowReserved: boolean;
  allowEmptyValue: boolean;
  /** Media type of the value, for a parameter with `content`. */
  mediaType?: string;
  examples: Example[];
  pointer: string;
}

export interface Body {
  required: boolean;
  description?: string;
  content: MediaType[];
  pointer: string;
}

export interface MediaType {
  /** The media type as written in the document, such as `application/json`. */
  type: string;
  /** `schema`, or else `itemSchema`. */
  schema?: SchemaRef;
  /** Schema of each item of a sequence. Absent if it isn't declared. */
  itemSchema?: SchemaRef;
  /** Examples in the document. If there are none, pages show a generated example (`exampleOf`). */
  examples: Example[];
  encoding: Record<string, PropertyEncoding>;
  pointer: string;
}

/** Encoding of one property of a multipart or URL-encoded body. */
export interface PropertyEncoding {
  contentType?: string;
  headers: Header[];
  style?: string;
  explode?: boolean;
  allowReserved: boolean;
}

export interface Example {
  /** Key in `examples`; `example` if the value is from the `example` keyword. */
  key: string;
  label: string;
  description?: string;
  /** Undefined if the example is only at `externalValue`. */
  value: unknown;
  /** URL of the example. It isn't fetched. */
  externalValue?: string;
}

export interface Response {
  /** Status code, range or default: `200`, `4XX`, `default`. */
  status: string;
  summary?: string;
  description?: string;
  headers: Header[];
  content: MediaType[];
  links: Link[];
  pointer: string;
}

export type Header = Omit<Parameter, "in">;

export interface Link {
  name: string;
  description?: string;
  /** The linked operation: its `operationId`, or its `operationRef`. */
  target: string;
  /** The linked operation, if the document has it. */
  operation?: { pointer: string; title: string };
  parameters: [string, string][];
  /** The server of the linked operation, if it isn't the operation's own. */
  server?: Server;
  /** Text of the request body. */
  requestBody?: string;
}

export interface Callback {
  name: string;
  operation: Operation;
}

export interface Server {
  /** URL template, which can contain `{variables}`. */
  url: string;
  name?: string;
  description?: string;
  variables: ServerVariable[];
}

export interface ServerVariable {
  name: string;
  default: string;
  enum: string[];
  description?: string;
}

export interface CodeSample {
  /** Language as written in the document: `curl`, `Python`. */
  lang: string;
  label?: string;
  source: string;
}

/** HTTP methods, in the order that pages list the operations of a path. */
export const methods = [
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
  "trace",
  "query",
] as const;

/** Reads a text of a referenced object. The text next to the `$ref` takes precedence. */
function textAt(entry: Located, target: Located, key: "summary" | "description"): string | undefined {
  return ownText(entry.value, key) || ownText(target.value, key);
}

/** Maximum length of a webhook's summary as a title. Some documents have whole paragraphs there. */
const webhookTitle_chars = 100;

/**
 * Returns the summary of an operation as the title of its page. Undefined if there is none, or if it's a long
 * text of a webhook, which then has its name as the title and in its URL.
 */
export function titleIn(kind: Operation["kind"], operation: unknown): string | undefined {
  const summary = ownText(operation, "summary")?.trim();
  return kind === "webhook" && (summary?.length ?? 0) > webhookTitle_chars ? undefined : summary;
}

/** Reads the operation for a method from a path item. Undefined if there is none. */
export function readOperation(
  refs: Refs,
  pathItem: Located,
  method: string,
  path: string,
  kind: Operation["kind"],
): Operation | undefined {
  const item = refs.follow(pathItem);
  const node = item && operationNode(item, method);
  if (!node || !isRaw(node.value)) return undefined;

  const raw = node.value;
  const text = (key: string) => ownText(raw, key);
  const requestBody = child(node, "requestBody");
  const body = requestBody && readBody(refs, requestBody);
  const externalDocs = externalDocsOf(own(raw, "externalDocs"));
  const extension = platformExtension(raw);
  const shared = (key: "summary" | "description") => textAt(pathItem, item, key);
  const isLong = text("summary") !== undefined && titleIn(kind, raw) === undefined;
  const optional = {
    summary: isLong ? undefined : text("summary") || shared("summary") || text("summary"),
    description: text("description") || shared("description") || text("description"),
    operationId: text("operationId"),
    content: ownText(extension, "content"),
    body,
    externalDocs,
  };

  const pathTexts = (["summary", "description"] as const).flatMap((key) => (text(key) && shared(key)) || []);
  const security = own(raw, "security") ?? (kind === "operation" ? own(refs.root, "security") : undefined);
  return {
    kind,
    method: method.toUpperCase(),
    path,
    node,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<Operation>),
    pathTexts: isLong ? [text("summary")!, ...pathTexts] : pathTexts,
    tags: texts(own(raw, "tags")).filter(Boolean),
    badges: readBadges(raw),
    deprecated: own(raw, "deprecated") === true,
    parameters: readParameters(refs, item, node),
    responses: readResponses(refs, node),
    callbacks: kind === "callback" ? [] : readCallbacks(refs, node),
    servers: kind === "webhook" ? [] : serversOf(raw, item.value, refs.root),
    security: readSecurity(security, refs),
    codeSamples: readCodeSamples(raw),
  };
}

const ignoredHeaders = new Set(["accept", "content-type", "authorization"]);

/** Whether OpenAPI ignores a header of a request, because media types and security schemes describe it. */
export function isIgnoredHeader(name: string): boolean {
  return ignoredHeaders.has(name.toLowerCase());
}

/** Whether OpenAPI ignores a header of a response or of a part of a body, because media types describe it. */
export function isContentType(name: string): boolean {
  return name.toLowerCase() === "content-type";
}

/**
 * Returns the keys of a path item's operations: methods in lowercase, in the order of `methods`, and then
 * additional operations as in the document.
 */
export function methodsOf(item: Located): string[] {
  const more = own(item.value, "additionalOperations");
  return [
    ...methods.filter((method) => isRaw(own(item.value, method))),
    ...(isRaw(more) ? Object.keys(more).filter((method) => isRaw(more[method])) : []),
  ];
}

/**
 * Returns the node of an operation. `method`: a key of the path item, in any case, or of its additional
 * operations.
 */
export function operationNode(item: Located, method: string): Located | undefined {
  const more = child(item, "additionalOperations");
  return child(item, method.toLowerCase()) ?? (more && child(more, method));
}

function readParameters(refs: Refs, item: Located, operation: Located): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const list of [child(item, "parameters"), child(operation, "parameters")]) {
    for (const entry of children(list)) {
      const node = refs.follow(entry);
      const parameter = node && readParameter(refs, node, entry);
      if (parameter) byKey.set(parameterId(parameter), parameter);
    }
  }
  return [...byKey.values()];
}

/** Identifies a parameter by its location and name. Names of headers are case-insensitive. */
export function parameterId({ in: place, name }: { in: string; name: string }): string {
  return `${place} ${place === "header" ? name.toLowerCase() : name}`;
}

const locations: readonly string[] = ["path", "query", "header", "cookie", "querystring"];

function readParameter(refs: Refs, node: Located, entry: Located): Parameter | undefined {
  const place = ownText(node.value, "in") as ParameterLocation;
  const name = ownText(node.value, "name");
  if (name === undefined || !locations.includes(place) || (place === "header" && isIgnoredHeader(name)))
    return undefined;
  const header = readHeader(refs, name, node, entry, place);
  return { ...header, in: place, required: header.required || place === "path" };
}

function readHeader(
  refs: Refs,
  name: string,
  node: Located,
  entry: Located,
  place: ParameterLocation = "header",
): Header {
  const content = child(node, "content");
  const [media] = entries(content);
  const schema = child(media?.[1] ?? node, "schema") ?? { value: true, pointer: node.pointer };
  const style = ownText(node.value, "style") ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const description = textAt(entry, node, "description");
  return {
    name,
    required: own(node.value, "required") === true,
    deprecated: own(node.value, "deprecated") === true,
    ...(description === undefined ? {} : { description }),
    schema: schemaRef(schema),
    style,
    explode:
      typeof own(node.value, "explode") === "boolean"
        ? own(node.value, "explode") === true
        : style === "form",
    allowReserved: own(node.value, "allowReserved") === true,
    allowEmptyValue: own(node.value, "allowEmptyValue") === true,
    ...(media ? { mediaType: media[0] } : {}),
    examples: readExamples(refs, media?.[1] ?? node),
    pointer: node.pointer,
  };
}

function readBody(refs: Refs, entry: Located): Body | undefined {
  const node = refs.follow(entry);
  if (!node) return undefined;
  const description = textAt(entry, node, "description");
  return {
    required: own(node.value, "required") === true,
    ...(description === undefined ? {} : { description }),
    content: readContent(refs, node),
    pointer: node.pointer,
  };
}

function readContent(refs: Refs, node: Located): MediaType[] {
  return entries(child(node, "content")).flatMap(([type, entry]) => {
    const media = refs.follow(entry);
    if (!media) return [];
    const ofItems = child(media, "itemSchema");
    const itemSchema = ofItems && schemaRef(ofItems);
    const whole = child(media, "schema");
    const schema = whole ? schemaRef(whole) : itemSchema;
    return [
      {
        type,
        ...(schema ? { schema } : {}),
        ...(itemSchema ? { itemSchema } : {}),
        examples: readExamples(refs, media),
        encoding: Object.fromEntries(
          entries(child(media, "encoding")).map(([name, value]) => [name, readEncoding(refs, value)]),
        ),
        pointer: media.pointer,
      },
    ];
  });
}

function readEncoding(refs: Refs, node: Located): PropertyEncoding {
  const contentType = ownText(node.value, "contentType");
  const style = ownText(node.value, "style");
  const explode = own(node.value, "explode");
  return {
    ...(contentType === undefined ? {} : { contentType }),
    ...(style === undefined ? {} : { style }),
    ...(typeof explode === "boolean" ? { explode } : {}),
    allowReserved: own(node.value, "allowReserved") === true,
    headers: readHeaders(refs, node),
  };
}

function readHeaders(refs: Refs, node: Located): Header[] {
  return entries(child(node, "headers")).flatMap(([name, entry]) => {
    const header = isContentType(name) ? undefined : refs.follow(entry);
    return header ? [readHeader(refs, name, header, entry)] : [];
  });
}

/** Reads the entries of `examples` that have a value or a URL; if there are none, reads `example`. */
function readExamples(refs: Refs, node: Located): Example[] {
  const named = entries(child(node, "examples")).flatMap(([key, entry]): Example[] => {
    const example = refs.follow(entry);
    if (!example) return [];
    const { value: node } = example;
    const value = own(node, "value") ?? own(node, "dataValue") ?? own(node, "serializedValue");
    const externalValue = ownText(node, "externalValue");
    if (value === undefined && externalValue === undefined) return [];

    const description = textAt(entry, example, "description");
    return [
      {
        key,
        label: textAt(entry, example, "summary") ?? key,
        ...(description === undefined ? {} : { description }),
        value,
        ...(externalValue === undefined ? {} : { externalValue }),
      },
    ];
  });

  if (named.length) return named;
  const single = own(node.value, "example");
  return single === undefined ? [] : [{ key: "example", label: "example", value: single }];
}

/**
 * Reads the responses in ascending order of their status. A range comes after its codes, and `default` comes
 * last.
 */
function readResponses(refs: Refs, operation: Located): Response[] {
  const responses = entries(child(operation, "responses")).flatMap(([status, entry]): Response[] => {
    const node = status.startsWith("x-") ? undefined : refs.follow(entry);
    if (!node) return [];
    const [summary, description] = [textAt(entry, node, "summary"), textAt(entry, node, "description")];
    return [
      {
        status,
        ...(summary ? { summary } : {}),
        ...(description ? { description } : {}),
        headers: readHeaders(refs, node),
        content: readContent(refs, node),
        links: entries(child(node, "links")).flatMap(([name, link]) => readLink(refs, name, link) ?? []),
        pointer: node.pointer,
      },
    ];
  });

  const rank = (status: string) =>
    /^\d(?:\d\d|xx)$/i.test(status)
      ? Number(status.replace(/x/gi, "9")) + (/x/i.test(status) ? 0.5 : 0)
      : 1_000;

  return responses.sort((a, b) => rank(a.status) - rank(b.status));
}

function readLink(refs: Refs, name: string, entry: Located): Link | undefined {
  const node = refs.follow(entry);
  const target = ownText(node?.value, "operationId") ?? ownText(node?.value, "operationRef");
  if (!node || target === undefined) return undefined;

  const description = textAt(entry, node, "description");
  const requestBody = own(node.value, "requestBody");
  const [server] = readServers([own(node.value, "server")]);
  const operation = linkedOperation(refs, node);
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(operation ? { operation } : {}),
    ...(server ? { server } : {}),
    ...(requestBody === undefined ? {} : { requestBody: valueText(requestBody) }),
    target,
    parameters: entries(child(node, "parameters")).map(([key, { value }]) => [key, valueText(value)]),
  };
}

/** Returns the operation of a link. Undefined if the document doesn't have it. */
function linkedOperation(refs: Refs, { value: link }: Located): Link["operation"] {
  const ref = ownText(link, "operationRef");
  const id = ownText(link, "operationId");
  const target = ref?.startsWith("#") ? ref : id === undefined ? undefined : operationPointers(refs).get(id);
  const node = target === undefined ? undefined : refs.at(target);
  if (!node) return undefined;
  const [path = "", method = ""] = pointerKeys(node.pointer)?.slice(-2) ?? [];
  return {
    pointer: node.pointer,
    title: ownText(node.value, "summary") || `${method.toUpperCase()} ${path}`,
  };
}

const pointersById = new WeakMap<object, Map<string, string>>();

/** Returns the pointers of a document's operations by `operationId`. */
export function operationPointers({ root }: Refs): ReadonlyMap<string, string> {
  const known = pointersById.get(root);
  if (known) return known;
  const found = new Map<string, string>();

  // Lookups of other operations aren't dependencies of a page.
  const refs = new Refs(root);
  for (const field of ["paths", "webhooks"])
    for (const [, entry] of entries(refs.at(`#/${field}`))) {
      const item = refs.follow(entry);
      for (const method of item ? methodsOf(item) : []) {
        const node = operationNode(item!, method)!;
        const id = ownText(node.value, "operationId");
        if (id !== undefined && !found.has(id)) found.set(id, node.pointer);
      }
    }

  pointersById.set(root, found);
  return found;
}

function readCallbacks(refs: Refs, operation: Located): Callback[] {
  return entries(child(operation, "callbacks")).flatMap(([name, entry]) => {
    const callback = refs.follow(entry);
    return entries(callback).flatMap(([expression, item]) => {
      const followed = expression.startsWith("x-") ? undefined : refs.follow(item);
      if (!followed) return [];
      return methodsOf(followed).flatMap((method): Callback[] => {
        const read = readOperation(refs, item, method, expression, "callback");
        return read ? [{ name, operation: read }] : [];
      });
    });
  });
}

/** Returns the servers of an operation, or else those of its path item, or else those of the document. */
export function serversOf(operation: unknown, pathItem: unknown, root: unknown): Server[] {
  return readServers(own(operation, "servers") ?? own(pathItem, "servers") ?? own(root, "servers"));
}

/** Reads a list of servers. Omits servers without a URL. */
export function readServers(servers: unknown): Server[] {
  if (!Array.isArray(servers)) return [];

  return servers.flatMap((server): Server[] => {
    const url = ownText(server, "url");
    if (url === undefined) return [];
    const description = ownText(server, "description");
    const name = ownText(server, "name");
    return [
      {
        url,
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        variables: entries(child({ value: server, pointer: "" }, "variables")).map(([name, { value }]) => {
          const text = ownText(value, "description");
          const values = own(value, "enum");
          return {
            name,
            default: valueText(own(value, "default") ?? (Array.isArray(values) ? (values[0] ?? "") : "")),
            enum: Array.isArray(values) ? values.map(valueText) : [],
            ...(text === undefined ? {} : { description: text }),
          };
        }),
      },
    ];
  });
}

/** Reads the names of `x-badges`, whose entries are objects or strings. */
function readBadges(raw: unknown): string[] {
  const listed = own(raw, "x-badges");
  return (Array.isArray(listed) ? (listed as unknown[]) : []).flatMap((badge) =>
    typeof badge === "string" ? badge : (ownText(badge, "name") ?? []),
  );
}

function readCodeSamples(raw: unknown): CodeSample[] {
  const listed = own(raw, "x-codeSamples") ?? own(raw, "x-code-samples");
  return (Array.isArray(listed) ? listed : []).flatMap((entry) => readCodeSample(entry) ?? []);
}

/** Reads an entry of `x-codeSamples`. Undefined if it has no language or no text. */
export function readCodeSample(entry: unknown): CodeSample | undefined {
  const lang = ownText(entry, "lang");
  const source = ownText(entry, "source");
  const label = ownText(entry, "label");
  return lang === undefined || source === undefined
    ? undefined
    : { lang, source, ...(label === undefined ? {} : { label }) };
}
