/** Reads the parameters of a path. */

import type { FastifyRequest } from "fastify";
import { notFound } from "../../base/app-error.ts";

/**
 * Returns the decoded parameters. Throws "not found" for values that no stored value can have: with control
 * characters, which PostgreSQL refuses, or with unpaired surrogates.
 */
export function readParams(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>;
  for (const value of Object.values(params))
    if (/[\0-\x1f\x7f]/.test(value) || !value.isWellFormed()) throw notFound();
  return params;
}
