/** What differs between a request or a response and the document. */
import type { Finding } from "../../engine/openapi/check-contract.ts";
import type { Operation } from "../../engine/openapi/operation.ts";
import type { Refs } from "../../engine/openapi/refs.ts";
import type { RequestInputs } from "../../engine/openapi/request.ts";
import type { Exchange } from "./exchange.ts";

export function requestOf(_operation: Operation, _inputs: RequestInputs, _refs: Refs): Finding[] {
  return [];
}
export function responseOf(_operation: Operation, _now: Exchange, _refs: Refs): Finding[] | undefined {
  return undefined;
}
