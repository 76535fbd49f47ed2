/** Reads the query of a request by the grammar of each parameter. All problems are told at once. */
import type { QueryParameters } from "../contract/parameters.ts";
import { invalid } from "../platform/refusal.ts";

export function readQuery(search: string, parameters: QueryParameters): Record<string, unknown> {
  const given = new URLSearchParams(search);
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, parameter] of Object.entries(parameters)) {
    const texts = given.getAll(name);
    if (texts.length > 1 || given.has(`${name}[]`) || (!parameter.isList && texts[0]?.includes(","))) {
      problems.push(`${name} must be given once`);
      continue;
    }
    const read = parameter.read(texts[0]);
    if ("value" in read) values[name] = read.value;
    else problems.push(`${name} ${read.message}`);
  }
  if (problems.length) throw invalid("Invalid query parameters", ...problems);
  return values;
}
