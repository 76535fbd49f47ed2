/**
 * Creates the request for an operation from its inputs. The playground sends this request, and code samples
 * show it.
 */

import type { Refs } from "../nodes/refs.ts";
import type { Operation } from "./operation.ts";
import { encodeHeader, encodeText, encodeWritten } from "./percent-encode.ts";
import { buildBody } from "./request-body.ts";
import { type PlacedCredential, placeCredential } from "./request-credentials.ts";
import { type HttpRequest, parameterKey, type RequestInputs } from "./request-model.ts";
import { cookieTexts, fillPath, headerText, queryTexts } from "./request-parameters.ts";
import { isHeaderName } from "./request-restrictions.ts";

/**
 * Creates the request. Does not throw: values that can't be sent are escaped or omitted. `checkRequest`
 * reports invalid values.
 */
export function buildRequest(operation: Operation, inputs: RequestInputs, refs: Refs): HttpRequest {
  const placed = inputs.credentials.map(placeCredential).filter((one) => one !== undefined);
  const built = inputs.body && buildBody(operation, inputs.body, refs);
  const headers = headersOf(operation, inputs, placed, built?.contentType);
  const request: HttpRequest = { method: operation.method, url: urlOf(operation, inputs, placed), headers };
  if (built) request.body = built.body;
  return request;
}

function urlOf(operation: Operation, inputs: RequestInputs, placed: readonly PlacedCredential[]): string {
  const server = splitServer(inputs.server);
  const { path, query } = fillPath(operation.path, operation.parameters, inputs.parameters);
  const keys = placed.filter((one) => one.in === "query");
  const parameters = operation.parameters
    .filter(
      (parameter) => parameter.in.startsWith("query") && !keys.some(({ name }) => name === parameter.name),
    )
    .flatMap((parameter) => queryTexts(parameter, inputs.parameters[parameterKey(parameter)]));

  const whole = [
    server.query,
    query,
    ...parameters,
    ...keys.map(({ name, value }) => `${encodeText(name)}=${value}`),
  ].filter(Boolean);

  const slash = path.startsWith("/") || !path ? "" : "/";
  return `${server.origin}${server.path}${slash}${path}${whole.length ? `?${whole.join("&")}` : ""}`;
}

/**
 * Splits and encodes a base URL. Removes the fragment, trailing slashes, and spaces and control characters in
 * the origin.
 */
function splitServer(server: string): { origin: string; path: string; query: string } {
  const [, origin = "", path = "", query = ""] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/\\?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(server.trim())!;
  return {
    origin: origin.replace(/[\x00-\x20\x7f]/g, ""),
    path: encodeWritten(path).replace(/\/+$/, ""),
    query: encodeWritten(query).replaceAll("'", "%27"),
  };
}

function headersOf(
  operation: Operation,
  inputs: RequestInputs,
  placed: readonly PlacedCredential[],
  contentType: string | undefined,
): [string, string][] {
  const headers: [string, string][] = [];

  // The first value of a header is used, so credentials take precedence over parameters.
  const add = (name: string, value: string) => {
    if (isHeaderName(name) && !headers.some(([other]) => other.toLowerCase() === name.toLowerCase()))
      headers.push([name, value]);
  };

  const accept = encodeHeader(inputs.accept ?? acceptedTypes(operation).join(", "));
  if (accept) add("Accept", accept);
  if (contentType) add("Content-Type", encodeHeader(contentType));

  for (const one of placed) if (one.in === "header") add(one.name, one.value);

  const keys = placed.filter((one) => one.in === "cookie");
  const cookies = keys.map(({ name, value }) => `${encodeText(name)}=${value}`);
  for (const parameter of operation.parameters) {
    const value = inputs.parameters[parameterKey(parameter)];
    if (parameter.in === "cookie" && !keys.some(({ name }) => name === parameter.name))
      cookies.push(...cookieTexts(parameter, value));
    if (parameter.in !== "header") continue;
    const text = headerText(parameter, value);
    if (text === undefined) continue;
    if (parameter.name.toLowerCase() === "cookie") cookies.push(text);
    else add(parameter.name, text);
  }

  if (cookies.length) add("Cookie", cookies.join("; "));
  return headers;
}

/** Returns the media types of the first 2xx response, or else of the default response. */
export function acceptedTypes({ responses }: Operation): string[] {
  const success =
    responses.find(({ status }) => /^2/.test(status)) ?? responses.find(({ status }) => status === "default");
  return [...new Set(success?.content.map(({ type }) => type.trim()).filter(Boolean))];
}
