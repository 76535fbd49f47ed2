/** Validates the API responses that tests receive against the OpenAPI description. */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { readInstant } from "../../src/base/instant.ts";
import { endpoints } from "../../src/service/app/endpoints.ts";
import { describeApi } from "../../src/service/app/openapi-description.ts";
import type { Endpoint } from "../../src/service/core/endpoint.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas are untyped in tests.
type Json = any;

const description = strict(structuredClone(describeApi("http://localhost")));
const ajv = new Ajv2020({
  strict: false,
  formats: { "date-time": (text: string) => readInstant(text) !== undefined, date: true, uri: URL.canParse },
});
ajv.addSchema(description, "api");

const routes = (Object.values(endpoints) as Endpoint[]).map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, "[^/]+")}$`),
}));
const validators = new Map<string, ValidateFunction>();

/** Headers that the description leaves out, because HTTP clients and browsers handle them. */
const plumbing = new Set([
  "cache-control",
  "connection",
  "content-length",
  "content-security-policy",
  "content-type",
  "date",
  "keep-alive",
  "referrer-policy",
  "strict-transport-security",
  "transfer-encoding",
  "x-accel-buffering",
  "x-content-type-options",
]);

/** Throws an Error if the response doesn't match the description. */
export function checkResponse(
  method: string,
  target: string,
  status: number,
  json: unknown,
  headers: Record<string, unknown>,
): void {
  const path = target.replace(/\?.*$/s, "");
  const route = routes.find(
    ({ endpoint, pattern }) => (status === 405 || endpoint.method === method) && pattern.test(path),
  );
  if (!route) return;
  const { endpoint } = route;
  const at = `${endpoint.method} ${endpoint.path} ${status}`;
  const response = (description.paths as Json)[endpoint.path][endpoint.method.toLowerCase()].responses[
    status
  ];
  if (!response) throw new Error(`${at}: the description has no such status`);
  checkHeaders(at, response.headers ?? {}, headers);
  if (response.content?.["text/event-stream"]) return;
  if (!response.content) {
    if (json !== undefined) throw new Error(`${at}: a body where the description has none`);
    return;
  }
  const pointer = [
    "paths",
    endpoint.path,
    endpoint.method.toLowerCase(),
    "responses",
    String(status),
    "content",
    "application/json",
    "schema",
  ];
  const validate =
    validators.get(at) ??
    ajv.compile({
      $ref: `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`,
    });
  validators.set(at, validate);
  if (!validate(json))
    throw new Error(`${at}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(json).slice(0, 500)}`);
}

/** Throws an Error if a header that was sent isn't declared, or one that is required wasn't sent. */
function checkHeaders(at: string, declared: Json, sent: Record<string, unknown>): void {
  const known = new Map(
    Object.entries(declared).map(([name, header]) => [
      name.toLowerCase(),
      (description.components as Json).headers[
        String((header as Json).$ref ?? "")
          .split("/")
          .at(-1)!
      ] ?? header,
    ]),
  );
  for (const name of Object.keys(sent))
    if (!known.has(name) && !plumbing.has(name)) throw new Error(`${at}: the header ${name} isn't declared`);
  for (const [name, header] of known) {
    if (sent[name] === undefined && header.required) throw new Error(`${at}: the header ${name} is missing`);
    if (sent[name] !== undefined && !fits(header.schema, String(sent[name])))
      throw new Error(`${at}: the header ${name} is ${sent[name]}`);
  }
}

/** Whether the text of a header matches its schema. */
function fits(schema: Json, text: string): boolean {
  return ajv.validate(schema, schema.type === "integer" ? Number(text) : text);
}

/** Throws an Error if an event of a stream doesn't match its schema. */
export function checkEvent(name: string, event: unknown): void {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `api#/components/schemas/${name}` });
  validators.set(name, validate);
  if (!validate(event))
    throw new Error(`${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(event).slice(0, 500)}`);
}

/** Forbids additional properties in all object schemas. */
function strict(node: Json): Json {
  if (Array.isArray(node)) for (const entry of node) strict(entry);
  else if (node && typeof node === "object") {
    if (node.type === "object" && node.properties) node.additionalProperties ??= false;
    for (const value of Object.values(node)) strict(value);
  }
  return node;
}
