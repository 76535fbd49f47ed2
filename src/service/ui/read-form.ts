/** Reads submitted forms of the dashboard. */

import type { IncomingMessage } from "node:http";
import { invalid } from "../../base/app-error.ts";
import { checkContentType, readWhole } from "../http/read-body.ts";

/** Maximum size of a submitted form in bytes. */
const form_bytes = 64 * 1024;

/**
 * Reads a submitted form. Throws an AppError if the content type is wrong, or the form is too large or has
 * invalid characters.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  checkContentType(request.headers["content-type"], "application/x-www-form-urlencoded");
  const form = new URLSearchParams((await readWhole(request, form_bytes, "form")).toString());
  // PostgreSQL text can't contain NUL characters or lone surrogates.
  for (const value of form.values())
    if (value.includes("\0") || !value.isWellFormed())
      throw invalid("The form contains invalid characters. Remove them and try again.");
  return form;
}

/** Returns the trimmed value of a field. Empty if the field is absent. */
export function field(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? "").trim();
}
