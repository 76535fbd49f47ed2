/** Creates the body of a request (text, a file or parts) and its `Content-Type` from the body input. */

import { jsonText } from "./json-text.ts";
import { essenceOf, isJson, isXml, mediaTypeOf } from "./media-types.ts";
import type { MediaType, Operation } from "./operation.ts";
import { styledPairs } from "./parameter-styles.ts";
import { encodeReserved, encodeText, wellFormed } from "./percent-encode.ts";
import { isRaw, type Refs } from "./refs.ts";
import { type BodyInput, isFileValue, type RequestBody } from "./request-model.ts";
import { multipartBody } from "./request-multipart.ts";
import { xmlText } from "./xml-text.ts";

export interface BuiltBody {
  contentType: string;
  body: RequestBody;
}

/**
 * Creates the body in the format of its media type. If the media type has no specific format, text stays unchanged and other values become
 * JSON.
 */
export function buildBody(operation: Operation, { mediaType, content }: BodyInput, refs: Refs): BuiltBody {
  const essence = essenceOf(mediaType);
  const declared = operation.body && mediaTypeOf(operation.body.content, mediaType);
  if ("text" in content) return textBody(concrete(mediaType, "text/plain"), content.text);
  const { value } = content;
  if (isFileValue(value)) {
    return { contentType: concrete(mediaType, value.file.type || "application/octet-stream"), body: { kind: "file", file: value.file } };
  }
  if (essence.startsWith("multipart/")) {
    const body = multipartBody(value, mediaType, declared, refs);
    const type = concrete(mediaType, "multipart/form-data").replace(/;\s*boundary=[^;]*/gi, "");
    return { contentType: `${type}; boundary=${body.boundary}`, body };
  }
  if (essence === "application/x-www-form-urlencoded") return textBody(mediaType, urlencoded(value, declared));
  if (isXml(essence)) return textBody(mediaType, typeof value === "string" ? value : xmlText(value, declared?.schema, refs));
  if (Array.isArray(value) && isLines(essence)) return textBody(mediaType, value.map((item) => `${jsonText(item)}\n`).join(""));
  if (typeof value === "string" && !isJson(essence) && !essence.includes("*")) return textBody(mediaType, value);
  return textBody(concrete(mediaType, "application/json"), jsonText(value, 2));
}

/** Replaces an empty media type or a range such as `image/*`, which can't be sent, with `otherwise`. */
function concrete(mediaType: string, otherwise: string): string {
  return essenceOf(mediaType).includes("*") || !mediaType.trim() ? otherwise : mediaType;
}

/** Replaces lone surrogates, which have no UTF-8 encoding, and removes NUL, which many sample languages can't express. */
function textBody(contentType: string, text: string): BuiltBody {
  return { contentType, body: { kind: "text", text: wellFormed(text).replaceAll("\0", "") } };
}

function isLines(essence: string): boolean {
  return /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/.test(essence);
}

/**
 * URL-encodes a body. Lists repeat the property's name and objects become JSON text, unless `encoding` sets `style` or `explode`. Spaces
 * become `+`, as in HTML forms.
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
