/** Finds differences between a response and the API document. */

import { checkResponse } from "../../engine/openapi/check/check-contract.ts";
import type { CheckOptions, Finding } from "../../engine/openapi/check/check-value.ts";
import type { Refs } from "../../engine/openapi/nodes/refs.ts";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import { readJson } from "./exact-json.ts";
import type { Exchange } from "./exchange.ts";
import { type ReceivedBody, tree_bytes } from "./read-response-body.ts";

/** Checks a response. Returns undefined if there is no complete response. */
export function responseFindings(
  operation: Operation,
  exchange: Exchange | undefined,
  refs: Refs,
  options: CheckOptions,
): Finding[] | undefined {
  if (exchange?.state !== "done" || !exchange.response) return undefined;
  const { status, headers, redirectedTo } = exchange.response;

  // The response is that of another URL, which the operation doesn't describe.
  if (redirectedTo !== undefined && operation.responses.some((response) => /^3/.test(response.status)))
    return [];

  const findings = checkResponse(
    operation,
    { status, headers, body: exchange.body && parsed(exchange.body) },
    refs,
    options,
  );

  // Browsers hide most headers of other origins, so missing headers are only reported if the docs server sent
  // the request.
  return exchange.proxied ? findings : findings.filter(({ code }) => code !== "header");
}

function parsed(body: ReceivedBody): { value: unknown } | undefined {
  if (body.kind !== "json" || body.size > tree_bytes) return undefined;
  try {
    return { value: readJson(body.text) };
  } catch {
    return undefined;
  }
}
