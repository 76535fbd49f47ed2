/**
 * Parses and validates the query string of a request. Throws an AppError that lists all problems, including
 * unknown parameters.
 */

import { type ErrorDetail, fieldThat, invalid } from "../../base/app-error.ts";
import { nearest } from "../../base/nearest.ts";
import type { QueryParameters } from "../core/parameters.ts";

export function readQuery(search: string, parameters: QueryParameters): Record<string, unknown> {
  const given = new URLSearchParams(search);
  const values: Record<string, unknown> = {};
  const problems: ErrorDetail[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const texts = given.getAll(name);
    if (texts.length > 1 || given.has(`${name}[]`) || (!parameter.isList && texts[0]?.includes(","))) {
      problems.push(fieldThat(name, "can be specified only once"));
      continue;
    }
    const read = parameter.read(texts[0]);
    if ("value" in read) values[name] = read.value;
    else problems.push(fieldThat(name, read.message));
  }

  const names = Object.keys(parameters);
  for (const name of new Set(given.keys())) {
    if (Object.hasOwn(parameters, name) || Object.hasOwn(parameters, name.replace(/\[\]$/, ""))) continue;
    const suggestion = nearest(name, names);
    const hint = suggestion
      ? `Did you mean ${suggestion}?`
      : names.length
        ? `Valid parameters: ${names.join(", ")}`
        : "This endpoint doesn't accept query parameters";
    problems.push(`Unknown parameter ${JSON.stringify(name.slice(0, 64))}. ${hint}`);
  }

  if (problems.length === 0 && hasNul(given)) problems.push("Parameters can't contain NUL characters");
  if (problems.length) throw invalid("Invalid query parameters", ...problems);
  return values;
}

/** Whether the name or the value of a parameter contains a NUL character, which PostgreSQL refuses. */
export function hasNul(query: URLSearchParams): boolean {
  return [...query].some((pair) => pair.some((text) => text.includes("\0")));
}
