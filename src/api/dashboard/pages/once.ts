/** Forms that make something, and make it once, however often they are sent. */
import type { Repeatable } from "../../../platform/access/idempotency.ts";
import type { Service } from "../../../platform/service.ts";
import { field } from "../read-form.ts";

/** For the form's `Once`. */
export function chance({ random }: Pick<Service, "random">): string {
  return random(12).toString("base64url");
}

export function sentOnce(route: string, form: URLSearchParams): Repeatable {
  return { route, key: field(form, "once") || undefined, body: form.toString() };
}
