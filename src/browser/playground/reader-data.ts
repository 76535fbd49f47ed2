/** Fills in what the site's sign-in says about the reader: keys, headers, and variables of servers. */

import type { ReaderData, ReaderDataPlace } from "../../base/reader-data.ts";
import type { Refs } from "../../engine/openapi/nodes/refs.ts";
import type { Operation } from "../../engine/openapi/request/operation.ts";
import { parameterKey } from "../../engine/openapi/request/request-model.ts";
import type { SecurityScheme } from "../../engine/openapi/request/security.ts";
import { viewOf } from "../../engine/openapi/schema/schema-view.ts";
import { readReaderData } from "../reader-data.ts";
import { credentialKey, type Draft } from "./draft.ts";
import { readJson } from "./exact-json.ts";
import { serverUrlOf } from "./server-url.ts";

/** Returns the draft with the values that the operation names. Values that the reader entered before stay. */
export function withReaderData(draft: Draft, operation: Operation, refs: Refs): Draft {
  const data = readReaderData();
  if (!data) return draft;

  const variables = { ...draft.variables };
  const originOf = (values: Record<string, string>) => serverUrlOf(operation.servers[0], values).origin;
  for (const { name, enum: choices } of operation.servers[0]?.variables ?? []) {
    const value = valueOf(data, { in: "server", name })?.toString();
    if (value === undefined) continue;
    const origin = originOf(variables);
    // Another host would get the reader's keys, so the document must list the value.
    const isAllowed = choices.length
      ? choices.includes(value)
      : origin !== undefined && originOf({ ...variables, [name]: value }) === origin;
    if (isAllowed) variables[name] = value;
  }

  const parameters = { ...draft.parameters };
  for (const parameter of operation.parameters) {
    const value = valueOf(data, parameter);
    if (value === undefined) continue;
    const { types } = viewOf(parameter.schema, refs, "request");
    parameters[parameterKey(parameter)] = types.includes("string") ? String(value) : typed(value);
  }

  const origin = originOf(variables);
  const credentials = { ...draft.credentials };
  for (const scheme of operation.security.flatMap(({ schemes }) => schemes)) {
    const value = credentialIn(data, scheme);
    if (value !== undefined) credentials[credentialKey(origin ?? "", scheme)] ??= { value };
  }

  return { ...draft, variables, parameters, credentials };
}

/** Names of headers have any case. */
function valueOf(data: ReaderData, { in: place, name }: { in: string; name: string }) {
  const same = (text: string) => (place === "header" ? text.toLowerCase() : text);
  const values = Object.entries(data[place as ReaderDataPlace] ?? {});
  return values.find(([key]) => same(key) === same(name))?.[1];
}

function typed(value: string | number | boolean): unknown {
  try {
    return typeof value === "string" ? readJson(value) : value;
  } catch {
    return value;
  }
}

/** Returns the key or token of a scheme. The headers of other schemes are values of `Authorization`. */
function credentialIn(data: ReaderData, scheme: SecurityScheme): string | undefined {
  if (scheme.type === "apiKey") return valueOf(data, scheme)?.toString();
  const header = valueOf(data, { in: "header", name: "Authorization" })?.toString();
  if (scheme.type === "http") return header;
  const isToken = scheme.type === "bearer" || scheme.type === "oauth2" || scheme.type === "openIdConnect";
  return isToken ? header?.replace(/^bearer\s+/i, "") : undefined;
}
