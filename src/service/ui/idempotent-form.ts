/**
 * Creates and reads idempotency keys of forms that create something, so that submitting a form again has no
 * further effect.
 */

import type { IdempotentRequest } from "../core/idempotency.ts";
import type { Service } from "../core/service.ts";
import { field } from "./read-form.ts";

/** Creates a value for the form's `IdempotencyKey` field. */
export function newIdempotencyKey({ random }: Pick<Service, "random">): string {
  return random(12).toString("base64url");
}

/** Returns the request for `idempotent`. `route`: name of the action, unique in the service. */
export function idempotentForm(route: string, form: URLSearchParams): IdempotentRequest {
  return { route, key: field(form, "idempotencyKey") || undefined, body: form.toString() };
}
