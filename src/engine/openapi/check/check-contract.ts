/**
 * Checks requests and responses against an operation of a document. Each check returns at most
 * `findings_count` findings.
 */

import { parseJson } from "../nodes/json-text.ts";
import { essenceOf, isInRange, isJson, mediaTypeOf } from "../nodes/media-types.ts";
import type { Refs } from "../nodes/refs.ts";
import { memberPath, shown } from "../nodes/value-text.ts";
import type { Header, MediaType, Operation, Parameter } from "../request/operation.ts";
import { scalarText } from "../request/parameter-styles.ts";
import { type BodyInput, parameterKey, type RequestInputs } from "../request/request-model.ts";
import { fillPath } from "../request/request-parameters.ts";
import { isOfType } from "../schema/schema-types.ts";
import { type SchemaRef, viewOf } from "../schema/schema-view.ts";
import { type CheckOptions, checkValue, type Finding, findings_count } from "./check-value.ts";

export interface ReceivedResponse {
  status: number;
  headers: [string, string][];
  /** The parsed body. Absent if there is none or it can't be checked, for example because it isn't JSON. */
  body?: { value: unknown };
}

/** Checks the parameters and the body of a request. Doesn't check credentials. */
export function checkRequest(
  operation: Operation,
  inputs: RequestInputs,
  refs: Refs,
  options: CheckOptions = {},
): Finding[] {
  const { parameters } = operation;
  const findings = parameters.flatMap((parameter) =>
    checkParameter(parameter, inputs.parameters[parameterKey(parameter)], refs, options),
  );
  const { open } = fillPath(operation.path, operation.parameters, inputs.parameters);
  for (const parameter of parameters) {
    const value = inputs.parameters[parameterKey(parameter)];
    if (parameter.in === "path" && open.includes(parameter.name) && value !== undefined) {
      findings.push({
        code: "pathSegment",
        found: shown(value),
        path: memberPath("path", parameter.name),
        pointer: parameter.pointer,
      });
    }
  }

  return [...findings, ...checkBody(operation, inputs.body, refs, options)].slice(0, findings_count);
}

function checkParameter(parameter: Parameter, value: unknown, refs: Refs, options: CheckOptions): Finding[] {
  const path = memberPath(parameter.in, parameter.name);
  if (value === undefined) {
    const isRequired = parameter.required || parameter.in === "path";
    return isRequired
      ? [{ code: "required", wanted: parameter.name, path, pointer: `${parameter.pointer}/required` }]
      : [];
  }
  if (value === "" && parameter.allowEmptyValue) return [];
  const sent = parameter.mediaType === undefined ? asDeclared(value, parameter.schema, refs) : value;
  return checkValue(sent, parameter.schema, refs, "request", path, options);
}

/**
 * Converts a value to its declared type, if possible. Parameters and headers are sent as text, so `7` and
 * `"7"` are equivalent.
 */
function asDeclared(value: unknown, schema: SchemaRef, refs: Refs): unknown {
  const { types, items } = viewOf(schema, refs);
  if (Array.isArray(value)) return items ? value.map((item) => asDeclared(item, items, refs)) : value;
  if (
    types.length === 0 ||
    value === null ||
    typeof value === "object" ||
    types.some((type) => isOfType(value, type))
  )
    return value;
  return typeof value === "string" ? jsonOr(value) : types.includes("string") ? scalarText(value) : value;
}

function checkBody(
  { body }: Operation,
  input: BodyInput | undefined,
  refs: Refs,
  options: CheckOptions,
): Finding[] {
  if (!body) return [];

  if (!input)
    return body.required
      ? [{ code: "required", wanted: "body", path: "body", pointer: `${body.pointer}/required` }]
      : [];

  const declared = mediaTypeOf(body.content, input.mediaType) ?? rangeOf(body.content, input.mediaType);
  if (!declared)
    return body.content.length ? [undeclaredType(body.content, input.mediaType, "body", body.pointer)] : [];

  if ("value" in input.content)
    return declared.schema
      ? checkValue(input.content.value, declared.schema, refs, "request", "body", options)
      : [];

  if (!isJson(input.mediaType)) return [];

  try {
    const value = parseJson(input.content.text);
    return declared.schema ? checkValue(value, declared.schema, refs, "request", "body", options) : [];
  } catch {
    return [{ code: "syntax", path: "body", pointer: declared.pointer }];
  }
}

/** Checks the status, headers, media type and body of a response. */
export function checkResponse(
  operation: Operation,
  response: ReceivedResponse,
  refs: Refs,
  options: CheckOptions = {},
): Finding[] {
  const { status } = response;
  const by = (wanted: string) => operation.responses.find((one) => one.status.toUpperCase() === wanted);
  const declared = by(`${status}`) ?? by(`${Math.floor(status / 100)}XX`) ?? by("DEFAULT");
  if (!declared) {
    const wanted = operation.responses.map((one) => one.status).join(", ");
    return [
      {
        code: "status",
        wanted,
        found: `${status}`,
        path: "response.status",
        pointer: `${operation.node.pointer}/responses`,
      },
    ];
  }

  const findings = declared.headers.flatMap((header) => checkHeader(header, response.headers, refs, options));
  const type = headerValue(response.headers, "content-type");
  if (declared.content.length && (type !== undefined || response.body)) {
    const media =
      type === undefined
        ? undefined
        : (mediaTypeOf(declared.content, type) ?? rangeOf(declared.content, type));
    if (!media) findings.push(undeclaredType(declared.content, type ?? "", "response", declared.pointer));
    else if (media.schema && response.body)
      findings.push(...checkValue(response.body.value, media.schema, refs, "response", "response", options));
  }

  return findings.slice(0, findings_count);
}

function checkHeader(
  header: Header,
  received: ReceivedResponse["headers"],
  refs: Refs,
  options: CheckOptions,
): Finding[] {
  const path = memberPath("header", header.name);
  const text = headerValue(received, header.name);
  if (text === undefined)
    return header.required ? [{ code: "header", wanted: header.name, path, pointer: header.pointer }] : [];
  return checkValue(headerAsValue(text, header, refs), header.schema, refs, "response", path, options);
}

/**
 * Returns the values of a header, joined by commas if the header is repeated. Undefined if there are none.
 */
function headerValue(headers: ReceivedResponse["headers"], name: string): string | undefined {
  const values = headers
    .filter(([other]) => other.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  return values.length ? values.join(", ") : undefined;
}

/**
 * Converts a header to its declared type. Undefined for an object that isn't in JSON, which can't be checked.
 */
function headerAsValue(text: string, { schema, mediaType }: Header, refs: Refs): unknown {
  if (mediaType !== undefined && isJson(mediaType)) return jsonOr(text);
  const { types } = viewOf(schema, refs, "response");
  if (types.includes("object")) return undefined;
  const isList = types.includes("array") && !types.includes("string");
  return asDeclared(isList ? text.split(",").map((item) => item.trim()) : text, schema, refs);
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function rangeOf(content: readonly MediaType[], type: string): MediaType | undefined {
  return content.find((media) => isInRange(essenceOf(type), essenceOf(media.type)));
}

function undeclaredType(
  content: readonly MediaType[],
  found: string,
  path: string,
  pointer: string,
): Finding {
  return {
    code: "contentType",
    wanted: shown(content.map(({ type }) => type).join(", ")),
    found: shown(found),
    path,
    pointer: `${pointer}/content`,
  };
}
