/** Creates the body of a request (text, a file or parts) and its `Content-Type` from the body input. */

import { jsonText } from "../nodes/json-text.ts";
import { essenceOf, isJson, isXml, isYaml, mediaTypeOf } from "../nodes/media-types.ts";
import { isRaw, type Raw, type Refs } from "../nodes/refs.ts";
import type { MediaType, Operation } from "./operation.ts";
import { scalarText, styledPairs } from "./parameter-styles.ts";
import { encodeReserved, encodeText, wellFormed } from "./percent-encode.ts";
import { type BodyInput, isFileValue, type RequestBody } from "./request-model.ts";
import { multipartBody, multipartText } from "./request-multipart.ts";
import { xmlText } from "./xml-text.ts";
import { yamlText } from "./yaml-text.ts";

export interface BuiltBody {
  contentType: string;
  body: RequestBody;
}

/**
 * Creates the body in the format of its media type. If the media type has no specific format, text stays
 * unchanged and other values become JSON.
 */
export function buildBody(operation: Operation, { mediaType, content }: BodyInput, refs: Refs): BuiltBody {
  return bodyOf(mediaType, content, operation.body && mediaTypeOf(operation.body.content, mediaType), refs);
}

/**
 * Returns the text of a body. Undefined if it's a file, or if an object or list has no known format in the
 * media type.
 */
export function bodyText(content: BodyInput["content"], media: MediaType, refs: Refs): string | undefined {
  if ("value" in content && !isFileValue(content.value) && !hasTextFormat(content.value, media.type))
    return undefined;
  const { body } = bodyOf(media.type, content, media, refs);
  return body.kind === "text" ? body.text : body.kind === "multipart" ? multipartText(body) : undefined;
}

/** Whether a value can be sent as text: objects and lists need a media type with a known format. */
export function hasTextFormat(value: unknown, mediaType: string): boolean {
  if (typeof value !== "object" || value === null) return true;
  const essence = essenceOf(mediaType);
  if (isJson(essence) || isXml(essence) || isYaml(essence) || isLines(essence)) return true;
  return (
    essence === "" ||
    /^multipart\/|x-www-form-urlencoded$|[/+-]csv$|^[^/]*\*|^text\/event-stream$/.test(essence)
  );
}

function bodyOf(
  mediaType: string,
  content: BodyInput["content"],
  declared: MediaType | undefined,
  refs: Refs,
): BuiltBody {
  const essence = essenceOf(mediaType);
  if ("text" in content) return textBody(concrete(mediaType, "text/plain"), content.text);
  const { value } = content;
  if (isFileValue(value)) {
    return {
      contentType: concrete(mediaType, value.file.type || "application/octet-stream"),
      body: { kind: "file", file: value.file },
    };
  }

  if (essence.startsWith("multipart/")) {
    const body = multipartBody(value, mediaType, declared, refs);
    const type = concrete(mediaType, "multipart/form-data").replace(/;\s*boundary=[^;]*/gi, "");
    return { contentType: `${type}; boundary=${body.boundary}`, body };
  }

  if (essence === "application/x-www-form-urlencoded")
    return textBody(mediaType, urlencoded(value, declared));
  if (isXml(essence))
    return textBody(mediaType, typeof value === "string" ? value : xmlText(value, declared?.schema, refs));

  if (isLines(essence) && typeof value === "object")
    return textBody(
      mediaType,
      (Array.isArray(value) ? value : [value]).map((item) => `${jsonText(item)}\n`).join(""),
    );

  if (isYaml(essence) && typeof value === "object") return textBody(mediaType, yamlText(value));
  if (/[/+-]csv$/.test(essence) && typeof value === "object")
    return textBody(mediaType, csvText(Array.isArray(value) ? value : [value]));
  if (essence === "text/event-stream" && typeof value === "object")
    return textBody(mediaType, eventText(Array.isArray(value) ? value : [value]));
  if (typeof value === "string" && !isJson(essence) && !essence.includes("*"))
    return textBody(mediaType, value);

  return textBody(concrete(mediaType, "application/json"), jsonText(value, 2));
}

/** Replaces an empty media type or a range such as `image/*`, which can't be sent, with `otherwise`. */
function concrete(mediaType: string, otherwise: string): string {
  return essenceOf(mediaType).includes("*") || !mediaType.trim() ? otherwise : mediaType;
}

/**
 * Replaces lone surrogates, which have no UTF-8 encoding, and removes NUL, which many sample languages can't
 * express.
 */
function textBody(contentType: string, text: string): BuiltBody {
  return { contentType, body: { kind: "text", text: wellFormed(text).replaceAll("\0", "") } };
}

function isLines(essence: string): boolean {
  return /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/.test(essence);
}

/** Writes objects as CSV (RFC 4180) with a header, and other values as one column. */
function csvText(rows: readonly unknown[]): string {
  const names = [...new Set(rows.flatMap((row) => (isRaw(row) ? Object.keys(row) : [])))];
  const field = (value: unknown) => {
    const text = value === undefined || value === null ? "" : scalarText(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map((row) =>
    (isRaw(row) ? names.map((name) => field(row[name])) : [row].flat().map(field)).join(","),
  );
  return [...(names.length ? [names.map(field).join(",")] : []), ...lines]
    .map((line) => `${line}\r\n`)
    .join("");
}

/**
 * Writes server-sent events. An object whose keys are the fields of an event is one event, and other values
 * are its data.
 */
function eventText(events: readonly unknown[]): string {
  const isEvent = (value: unknown): value is Raw =>
    isRaw(value) &&
    Object.hasOwn(value, "data") &&
    Object.keys(value).every((key) => /^(?:event|id|retry|data)$/.test(key));
  const lines = (event: Raw) =>
    Object.entries(event).flatMap(([key, value]) =>
      scalarText(value)
        .split("\n")
        .map((line) => `${key}: ${line}\n`),
    );
  return events.map((event) => `${lines(isEvent(event) ? event : { data: event }).join("")}\n`).join("");
}

/**
 * URL-encodes a body. Lists repeat the property's name and objects become JSON text, unless `encoding` sets
 * `style` or `explode`. Spaces become `+`, as in HTML forms.
 */
function urlencoded(value: unknown, declared: MediaType | undefined): string {
  const encodings = declared?.encoding ?? {};
  return Object.entries(isRaw(value) ? value : {})
    .flatMap(([name, item]) => {
      const encoding = Object.hasOwn(encodings, name) ? encodings[name]! : undefined;
      const encode = encoding?.allowReserved ? (text: string) => encodeReserved(text, "query") : encodeText;
      const style = encoding?.style ?? "form";
      const explode = encoding?.explode ?? style === "form";
      const isJsonText = isRaw(item) && !encoding?.style && encoding?.explode === undefined;
      return styledPairs({ name, style, explode, encode }, isJsonText ? jsonText(item) : item);
    })
    .map((pair) => pair.join("=").replaceAll("%20", "+"))
    .join("&");
}
