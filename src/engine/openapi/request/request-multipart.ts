/**
 * Creates multipart bodies (RFC 7578). The boundary isn't random, so that a displayed request has the
 * boundary that is sent. If the content contains the boundary, the boundary gets a numeric suffix.
 */

import { jsonText } from "../nodes/json-text.ts";
import { isInRange, isJson, isXml, isYaml } from "../nodes/media-types.ts";
import { isRaw, type Refs } from "../nodes/refs.ts";
import { type SchemaRef, viewOf } from "../schema/schema-view.ts";
import { declaredProperty } from "../schema/sent-values.ts";
import type { MediaType, PropertyEncoding } from "./operation.ts";
import { scalarText, styledPairs } from "./parameter-styles.ts";
import { encodeHeader } from "./percent-encode.ts";
import { type FileValue, isFileValue, type MultipartBody, type MultipartPart } from "./request-model.ts";
import { headerText } from "./request-parameters.ts";
import { isHeaderName } from "./request-restrictions.ts";
import { xmlText } from "./xml-text.ts";
import { yamlText } from "./yaml-text.ts";

/**
 * Creates a part for each property, or for each item of a property that is a list. A property whose encoding
 * has a style is serialized in that style. If the value itself is a list, each item is a part without a name.
 */
export function multipartBody(
  value: unknown,
  mediaType: string,
  declared: MediaType | undefined,
  refs: Refs,
): MultipartBody {
  const isForm = /^multipart\/form-data/i.test(mediaType);
  const members: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => ["", item])
    : Object.entries(isRaw(value) ? value : {});
  const parts = members.flatMap(([name, item]) => {
    const encoding = Object.hasOwn(declared?.encoding ?? {}, name) ? declared!.encoding[name] : undefined;
    const schema = declared?.schema && declaredProperty(name, declared.schema, refs, "request");
    return partsOf(name, item, { encoding, schema, refs, isForm });
  });
  return { kind: "multipart", boundary: unusedBoundary(parts.flatMap(textsOf)), parts };
}

interface PartRules {
  encoding: PropertyEncoding | undefined;
  schema: SchemaRef | undefined;
  refs: Refs;
  isForm: boolean;
}

function partsOf(name: string, value: unknown, rules: PartRules): MultipartPart[] {
  const { encoding, schema, refs } = rules;
  if (value === undefined) return [];

  if (encoding?.style !== undefined) {
    const rule = {
      name,
      style: encoding.style,
      explode: encoding.explode ?? encoding.style === "form",
      encode: (text: string) => text,
    };
    return styledPairs(rule, value).map(([key, text]) => part(key, { text }, undefined, rules));
  }

  if (Array.isArray(value)) {
    const items = schema && viewOf(schema, refs, "request").items;
    return value.flatMap((item) =>
      Array.isArray(item)
        ? [onePart(name, item, { ...rules, schema: items })]
        : partsOf(name, item, { ...rules, schema: items }),
    );
  }

  return [onePart(name, value, rules)];
}

function onePart(name: string, value: unknown, rules: PartRules): MultipartPart {
  const declaredTypes = (rules.encoding?.contentType ?? "").split(",").map((type) => type.trim());
  const concrete = declaredTypes.find((type) => type && !type.includes("*"));

  if (isFileValue(value)) {
    const { type } = value.file;
    const allowed =
      type &&
      (declaredTypes[0] === "" || declaredTypes.some((range) => range === type || isInRange(type, range)));
    return part(name, value, (allowed ? type : concrete) ?? (type || "application/octet-stream"), rules);
  }

  const isObject = typeof value === "object" && value !== null;
  const content = rules.schema && viewOf(rules.schema, rules.refs, "request").contentMediaType;
  const type = concrete ?? (isObject ? "application/json" : content);
  const text =
    type && isXml(type) && isObject
      ? xmlText(value, rules.schema, rules.refs, name)
      : type && isYaml(type) && isObject
        ? yamlText(value)
        : typeof value !== "string" && (isObject || isJson(type ?? ""))
          ? jsonText(value)
          : scalarText(value);

  return part(name, { text: text.replaceAll("\0", "") }, type, rules);
}

function part(
  name: string,
  content: MultipartPart["content"],
  type: string | undefined,
  { encoding, isForm, refs }: PartRules,
): MultipartPart {
  const headers: [string, string][] = [];
  const filename = isFileValue(content) ? `; filename="${quoted(content.file.name)}"` : "";
  if (isForm) headers.push(["Content-Disposition", `form-data; name="${quoted(name)}"${filename}`]);
  else if (filename) headers.push(["Content-Disposition", `attachment${filename}`]);
  if (type) headers.push(["Content-Type", encodeHeader(type)]);
  for (const header of encoding?.headers ?? []) {
    const value = header.examples[0]?.value ?? viewOf(header.schema, refs, "request").default?.value;
    const text = headerText(header, value);
    const isAllowed = isHeaderName(header.name) && !/^content-(?:type|disposition)$/i.test(header.name);
    if (text !== undefined && isAllowed) headers.push([header.name, text]);
  }
  return { name, headers, content };
}

/**
 * Escapes the name of a field or file as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"),
 * and removes NUL.
 */
function quoted(name: string): string {
  return name
    .replaceAll('"', "%22")
    .replace(/\r\n|\r|\n/g, "%0D%0A")
    .replaceAll("\0", "");
}

function textsOf({ content }: MultipartPart): string[] {
  return isFileValue(content) ? [content.file.boundaries ?? ""] : [content.text];
}

const boundaryBase = "----octavo-boundary";
const boundaries = new RegExp(`${boundaryBase}(?:-\\d{1,9})?`, "g");

function unusedBoundary(texts: readonly string[]): string {
  let boundary = boundaryBase;
  for (let count = 1; texts.some((text) => text.includes(boundary)); count++)
    boundary = `${boundaryBase}-${count}`;
  return boundary;
}

/** Number of bytes of a file that are searched at once. */
const slice_bytes = 1 << 20;

/** Returns the texts in a file that are possible results of `unusedBoundary`, joined by line breaks. */
export async function boundariesIn(file: Blob): Promise<string> {
  const latin1 = new TextDecoder("latin1");
  const found = new Set<string>();
  for (let at = 0; at < file.size; at += slice_bytes) {
    const text = latin1.decode(
      await file.slice(at, at + slice_bytes + 2 * boundaryBase.length).arrayBuffer(),
    );
    for (const [boundary] of text.matchAll(boundaries)) found.add(boundary);
  }
  return [...found].join("\n");
}

/**
 * Returns the body as text. `file` returns the replacement for a file's bytes. Default: a placeholder with
 * the file's name.
 */
export function multipartText({ boundary, parts }: MultipartBody, file = placeholderOf): string {
  const written = parts.map(
    (one) =>
      `--${boundary}\r\n${headOf(one)}${isFileValue(one.content) ? file(one.content.file) : one.content.text}\r\n`,
  );
  return `${written.join("")}--${boundary}--\r\n`;
}

function placeholderOf(file: FileValue["file"]): string {
  return `<contents of ${file.name}>`;
}

function headOf({ headers }: MultipartPart): string {
  return `${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

/** Returns the body as bytes. Rejects if a file can't be read. */
export async function multipartBytes({ boundary, parts }: MultipartBody): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  for (const one of parts) {
    const content = isFileValue(one.content)
      ? await fileBytes(one.content.file)
      : encoder.encode(one.content.text);
    chunks.push(encoder.encode(`--${boundary}\r\n${headOf(one)}`), content, encoder.encode("\r\n"));
  }
  return joined([...chunks, encoder.encode(`--${boundary}--\r\n`)]);
}

/**
 * Returns the content of a file. Empty until the reader selects a file. Rejects if the file can't be read.
 */
export async function fileBytes(file: FileValue["file"]): Promise<Uint8Array<ArrayBuffer>> {
  return file.bytes ? new Uint8Array(await file.bytes.arrayBuffer()) : new Uint8Array();
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
