/** Does a request or a response keep what the document promises? Every mismatch is told with its place in the value and in the document. */
import type { Operation } from "./operation.ts";
import type { Refs } from "./refs.ts";
import type { RequestInputs } from "./request.ts";
import type { Direction, SchemaRef } from "./schema-view.ts";

/** A mismatch, as data: the reader's language has the sentence for its code. */
export interface Finding {
  /** `type`, `required`, `enum`, `minimum`, `pattern`, `status`, `contentType`, `header`, … */
  code: string;
  /** Words of the sentence: what was wanted and what was there. */
  wanted?: string;
  found?: string;
  /** Where in the value: `query.limit`, `body.items[0].id`, `response.items[0].id`. */
  path: string;
  /** Where in the document it is declared. */
  pointer: string;
}

export interface ReceivedResponse {
  status: number;
  headers: [string, string][];
  /** The parsed body, when it is of a kind that can be checked. */
  body?: { value: unknown };
}

export declare function checkValue(value: unknown, schema: SchemaRef, refs: Refs, direction: Direction, path: string): Finding[];
export declare function checkRequest(operation: Operation, inputs: RequestInputs, refs: Refs): Finding[];
export declare function checkResponse(operation: Operation, response: ReceivedResponse, refs: Refs): Finding[];
