/** Generates the OpenAPI description of the service from its endpoints. */

import type { TSchema } from "@sinclair/typebox";
import { describedText } from "../core/described.ts";
import { type CallerKind, type Endpoint, ErrorBody } from "../core/endpoint.ts";
import { idempotencyKey } from "../core/idempotency.ts";
import { endpoints } from "./endpoints.ts";
import { exampleValues } from "./example-values.ts";
import { headerComponents, headersOf } from "./openapi-headers.ts";
import { linksFrom } from "./openapi-links.ts";

type Json = Record<string, unknown>;

/** Descriptions of the tags, in the order in which the reference lists them. */
const tags: Record<(typeof endpoints)[keyof typeof endpoints]["tag"], string> = {
  Analytics: "Conversations with the assistant, feedback, searches, page views, and a feed of their changes.",
  Assistant: "Questions to the assistant of a site.",
  Search: "Search in a site, and the Markdown of its pages.",
  "Static export": "Exports of a site as static files.",
  Deployments: "Builds of a site from archives and repositories, previews, and rollbacks.",
  Projects: "Projects and their settings. Each project has one site.",
  Domains: "Custom domains of a site, and their verification.",
  Webhooks: "HTTP requests to your servers about deployments and other events.",
  "Audit log": "Changes that members, keys, and operators made in an organization.",
  Operator: "Organizations, keys, and projects of a service, for its operator.",
};

const schemes: Record<CallerKind, Json> = {
  admin: {
    type: "http",
    scheme: "bearer",
    description: "An admin key for your organization (`oct_…`). Use it only on your servers.",
  },
  assistant: {
    type: "http",
    scheme: "bearer",
    description: "An assistant key for one project (`oct_pub_…`).",
  },
  operator: {
    type: "http",
    scheme: "bearer",
    description: "The operator token that is set as `OCTAVO_OPERATOR_TOKEN` on the service.",
  },
};

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes retries safe. If you send the same request again with the same key within 24 hours, it has no further effect, and you get the first response.",
  schema: { type: "string", ...idempotencyKey, examples: ["release-42"] },
};

export function describeApi(url: string): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const endpoint of Object.values(endpoints) as Endpoint[]) {
    const item = (paths[endpoint.path] ??= {});
    item[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
  }

  return {
    openapi: "3.1.0",
    info: {
      title: "Octavo API",
      version: "1.0.0",
      description:
        "Deploy and export documentation sites, search them, ask their assistants, and read their analytics.",
      contact: { name: "Octavo", url },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas, headers: headerComponents(), securitySchemes: schemes },
  };
}

function operation(endpoint: Endpoint, schemas: Record<string, Json>): Json {
  const { operationId, tag, summary, description, caller, params = {}, query = {}, body, success } = endpoint;
  const parameters = [
    ...Object.entries(params).map(([name, text]) => ({
      name,
      in: "path",
      required: true,
      description: text,
      schema: withExample(name, { type: "string" }),
    })),
    ...Object.entries(query).map(([name, { schema, description: text }]) => ({
      name,
      in: "query",
      description: text,
      schema,
    })),
    ...(endpoint.isIdempotent ? [idempotencyParameter] : []),
  ];

  const content = success.schema
    ? { "application/json": { schema: jsonSchema(success.schema, schemas) } }
    : success.events && { "text/event-stream": { schema: jsonSchema(success.events, schemas) } };
  const links = linksFrom(endpoint, Object.values(endpoints) as Endpoint[]);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: [{ [caller]: [] }],
    ...(parameters.length ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: bodyContent(body, schemas) } } : {}),
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOf(endpoint, success.status),
        ...(content ? { content } : {}),
        ...(Object.keys(links).length ? { links } : {}),
      },
      ...Object.fromEntries(
        Object.entries(refusalsOf(endpoint)).map(([status, text]) => [
          status,
          {
            description: text,
            headers: headersOf(endpoint, Number(status)),
            content: { "application/json": { schema: jsonSchema(ErrorBody, schemas) } },
          },
        ]),
      ),
    },
  };
}

function bodyContent(body: NonNullable<Endpoint["body"]>, schemas: Record<string, Json>): Json {
  const { type } = body;
  if (type === "application/json") {
    const options = { isRequest: true, isClosed: body.allowsUnknown !== true };
    return { [type]: { schema: withoutNul(jsonSchema(body.schema, schemas, options)) } };
  }

  // Some generators send binary bodies only in the form of OpenAPI 3.0, and only if it's the first one.
  const { description } = body;
  return {
    "application/octet-stream": { schema: { type: "string", format: "binary", description } },
    [type]: { schema: type === "application/gzip" ? { description } : { type: "string", description } },
  };
}

/** Adds `describedText` to the texts in the schema of a request that have no other rule. */
function withoutNul(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNul);
  const schema: Json = Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, key === "examples" ? entry : withoutNul(entry)]),
  );
  const isText = schema.type === "string" || (Array.isArray(schema.type) && schema.type.includes("string"));
  const isRuled = ["enum", "const", "format", "pattern"].some((keyword) => schema[keyword] !== undefined);
  return isText && !isRuled ? { ...schema, ...describedText } : schema;
}

/** Returns the descriptions of all error responses of an endpoint, by status. */
function refusalsOf(endpoint: Endpoint): Record<string, string> {
  const { params = {}, body, plan, rateLimit, caller, refusals = {}, isIdempotent } = endpoint;

  const refused = [
    ...(plan ? ["the organization's plan"] : []),
    "the key's type",
    ...(caller === "admin" ? ["its scopes", "its creator's role"] : []),
  ];

  return {
    400: "The request is invalid. `details`, if present, describes the problems. Unknown query parameters and fields are rejected.",
    401:
      caller === "operator"
        ? "The operator token is missing or invalid."
        : "The API key is missing or invalid.",
    ...(caller === "operator" ? {} : { 403: `Not allowed by ${refused.join(", ")} or its allowed IPs.` }),
    ...(Object.keys(params).length
      ? {
          404: caller === "operator" ? "Not found." : "Not found in your organization.",
          414: "A parameter in the path is too long.",
        }
      : {}),
    405: "The path doesn't support this method. `Allow` lists those that it does.",
    ...(body ? { 413: "The request body is too large.", 415: "The content type isn't supported." } : {}),
    429: "Too many failed authentication attempts from your network. Wait for the number of seconds in `Retry-After`.",
    ...refusals,
    ...(isIdempotent
      ? {
          409: [refusals[409], "A request with this `Idempotency-Key` is still in progress."]
            .filter(Boolean)
            .join(" "),
          422: "The `Idempotency-Key` was already used with a different request.",
        }
      : {}),
    ...(rateLimit ? { 429: "Rate limit exceeded. Wait for the number of seconds in `Retry-After`." } : {}),
    500: "Internal server error.",
    503: "The service is busy or restarting. Wait for the number of seconds in `Retry-After`.",
  };
}

/**
 * Converts a TypeBox schema to JSON Schema. Adds named schemas to `schemas`, and returns references to them.
 * Unions of constants become enums. In schemas of requests without a name, adds the keywords of `described`,
 * see `src/service/core/described.ts`. `isClosed`: whether unknown properties are refused.
 * `isRoot`: whether `schema` itself isn't replaced with a reference.
 */
function jsonSchema(
  schema: TSchema,
  schemas: Record<string, Json>,
  options: { isRequest?: boolean; isClosed?: boolean; isRoot?: boolean } = {},
): Json {
  const { $id } = schema;
  const { isRequest = false, isClosed = false } = options;

  if ($id !== undefined && !options.isRoot) {
    const name = isRequest ? `${$id}Input` : $id;
    schemas[name] ??= isRequest
      ? (withoutNul(jsonSchema(schema, schemas, { ...options, isRoot: true })) as Json)
      : jsonSchema(schema, schemas, { isRoot: true });
    return { $ref: `#/components/schemas/${name}` };
  }

  const below = (value: TSchema) => jsonSchema(value, schemas, { isRequest, isClosed });
  const converted: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    // Some generators name models after titles, which would be the same for a request and a response.
    const isNamedResult = $id !== undefined && !isRequest;
    if (key === "$id" || key === "described" || (key === "title" && isNamedResult)) continue;
    if (key === "properties")
      converted[key] = Object.fromEntries(
        Object.entries(value as Record<string, TSchema>).map(([name, sub]) => [
          name,
          withExample(name, below(sub)),
        ]),
      );
    else if (key === "items" || (key === "additionalProperties" && typeof value === "object"))
      converted[key] = below(value as TSchema);
    else if (key === "patternProperties")
      converted.additionalProperties = below(Object.values(value as Record<string, TSchema>)[0]!);
    else if (key !== "anyOf") converted[key] = value;
  }

  if (isClosed && converted.properties) converted.additionalProperties ??= false;
  const described = { ...converted, ...(isRequest ? (schema.described as Json | undefined) : undefined) };
  return schema.anyOf ? { ...described, ...union(schema.anyOf as TSchema[], below) } : described;
}

/**
 * Adds an example value to a string or a list of strings, unless the schema already describes the values, for
 * example with an enum or a pattern.
 */
function withExample(name: string, schema: Json): Json {
  const example = exampleValues[name];
  if (schema.type === "array") return { ...schema, items: withExample(name, schema.items as Json) };
  const isText = schema.type === "string" || (Array.isArray(schema.type) && schema.type.includes("string"));
  const isHinted = ["enum", "const", "format", "pattern", "examples"].some(
    (keyword) => schema[keyword] !== undefined,
  );
  return example === undefined || !isText || isHinted ? schema : { ...schema, examples: [example] };
}

function union(choices: TSchema[], below: (choice: TSchema) => Json): Json {
  const constants = choices.filter((choice) => choice.const !== undefined);
  if (constants.length === choices.length)
    return { type: "string", enum: choices.map((choice) => choice.const as string) };
  const [only, ...others] = choices.filter((choice) => choice.type !== "null");
  if (
    others.length === 0 &&
    only &&
    only.$id === undefined &&
    choices.length === 2 &&
    typeof only.type === "string"
  ) {
    const value = below(only);
    return { ...value, type: [value.type, "null"] };
  }

  const discriminator = discriminatorOf(choices, below);
  return discriminator ? { oneOf: choices.map(below), discriminator } : { anyOf: choices.map(below) };
}

/** Returns the property whose constants tell named variants apart, and the variant of each constant. */
function discriminatorOf(choices: TSchema[], below: (choice: TSchema) => Json): Json | undefined {
  if (choices.some(({ $id, properties }) => $id === undefined || properties === undefined)) return undefined;

  for (const propertyName of Object.keys(choices[0]!.properties as object)) {
    const mapping = choices.flatMap((choice) => {
      const property = (choice.properties as Record<string, TSchema>)[propertyName];
      const constants = ((property?.anyOf as TSchema[] | undefined) ?? [property]).map((each) => each?.const);
      return constants.map((text) => [text as unknown, below(choice).$ref] as const);
    });

    const texts = new Set(mapping.map(([text]) => text));
    if (!texts.has(undefined) && texts.size === mapping.length)
      return { propertyName, mapping: Object.fromEntries(mapping) };
  }

  return undefined;
}
