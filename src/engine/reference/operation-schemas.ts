/** Adds the schemas of an operation to a page, and determines the directions of its bodies. */

import type { Operation } from "../openapi/request/operation.ts";
import type { Direction } from "../openapi/schema/schema-flags.ts";
import { contentPanels } from "./body-content.tsx";
import type { ReferencePrint } from "./print.ts";

/**
 * Returns the directions of an operation's bodies. The server sends webhooks and callbacks, so their
 * directions are reversed.
 */
export function directionsOf({ kind }: Operation): { body: Direction; response: Direction } {
  return kind === "operation"
    ? { body: "request", response: "response" }
    : { body: "response", response: "request" };
}

/**
 * Adds all schemas of an operation to the page. On each level, schemas that are added first are expanded
 * first.
 */
export function addSchemas(page: ReferencePrint, operation: Operation): void {
  const { parameters, body, responses, callbacks } = operation;
  const directions = directionsOf(operation);
  page.expansion.reserveRows(parameters.length);
  for (const parameter of parameters) page.expansion.addSchema(parameter.schema, "request");
  if (body) contentPanels(page, body.content, directions.body);
  const successful = responses.filter(({ status }) => status.startsWith("2"));
  for (const response of [...successful, ...responses.filter((other) => !successful.includes(other))]) {
    contentPanels(page, response.content, directions.response);
    for (const header of response.headers) page.expansion.addSchema(header.schema, directions.response);
  }
  for (const callback of callbacks) addSchemas(page, callback.operation);
}
