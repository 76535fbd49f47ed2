/**
 * Converts a page that describes an operation with field components to an OpenAPI document. Such a page has
 * `api` in its frontmatter. Samples and the playground are generated from the document, which contains only
 * this operation.
 */

import { componentNamed } from "../../components/components.ts";
import type { Frontmatter } from "../../config/frontmatter.ts";
import type { ContentElement, ContentNode, Props } from "../../content.ts";
import { textOf } from "../../content.ts";
import { text } from "../../html/prop-values.ts";
import { type Raw, Refs } from "../../openapi/nodes/refs.ts";
import { listOperations } from "../../openapi/request/operation-list.ts";
import type { ApiSettings } from "../../reference/settings.ts";
import type { PageReference } from "./page-reference.ts";

/**
 * Converts a page to an OpenAPI document with one operation. Undefined if `frontmatter.api` isn't a method
 * followed by a path or URL.
 */
export function describedOperation(
  frontmatter: Frontmatter,
  nodes: readonly ContentNode[],
  api: ApiSettings,
): Raw | undefined {
  const match = /^(get|put|post|delete|options|head|patch|trace)\s+(\S+)$/i.exec(
    frontmatter.api?.trim() ?? "",
  );
  if (!match) return undefined;
  const [, method, address] = match as unknown as [string, string, string];
  const origin = /^https?:\/\/[^/]+/i.exec(address)?.[0];
  const path =
    origin === undefined
      ? address.startsWith("/")
        ? address
        : `/${address}`
      : address.slice(origin.length) || "/";

  const servers = origin === undefined ? [api.mdx?.server ?? []].flat() : [origin];
  const fields = fieldsIn(nodes);
  const auth = securityOf(frontmatter, api);
  const fieldsAt = (location: FieldLocation) => fields.filter((field) => field.location === location);
  const parameters = (["path", "query", "header"] as const).flatMap((location) =>
    fieldsAt(location).map((field) => ({
      name: field.name,
      in: location,
      required: field.required || location === "path",
      schema: field.schema,
    })),
  );

  const declared = new Set(fieldsAt("path").map((field) => field.name));
  const undeclared = [...path.matchAll(/\{([^{}]+)\}/g)]
    .map((found) => found[1]!)
    .filter((name) => !declared.has(name));
  const responses = fieldsAt("response");
  return {
    openapi: "3.1.0",
    info: { title: frontmatter.title ?? "", version: "" },
    servers: servers.map((url) => ({ url, ...hostVariables(url) })),
    ...(auth ? { components: { securitySchemes: { auth } }, security: [{ auth: [] }] } : {}),
    paths: {
      [path]: {
        [method.toLowerCase()]: {
          parameters: [
            ...parameters,
            ...undeclared.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
          ],
          ...(fieldsAt("body").length
            ? {
                requestBody: {
                  content: {
                    [frontmatter.contentType ?? "application/json"]: { schema: objectOf(fieldsAt("body")) },
                  },
                },
              }
            : {}),
          responses: {
            200: {
              description: "",
              ...(responses.length
                ? { content: { "application/json": { schema: objectOf(responses) } } }
                : {}),
            },
          },
        },
      },
    },
  };
}

/** Declares `{variables}` of a URL as server variables, which the reader can set. */
function hostVariables(url: string): { variables?: Raw } {
  const names = [...url.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  return names.length
    ? { variables: Object.fromEntries(names.map((name) => [name, { default: name }])) }
    : {};
}

/** Returns the reference to the operation in a document from `describedOperation`. */
export function describedReference(file: string, root: Raw): PageReference {
  const refs = new Refs(root);
  const operations = listOperations(refs);
  return {
    kind: "operation",
    document: { file, isRemote: false, root, refs, operations },
    entry: operations[0]!,
  };
}

type FieldLocation = "path" | "query" | "header" | "body" | "response";

interface Field {
  location: FieldLocation;
  name: string;
  required: boolean;
  schema: Raw;
}

/** Returns the outermost fields in the content. Fields inside a field belong to the outer field. */
function fieldsIn(nodes: readonly ContentNode[]): Field[] {
  return nodes.flatMap((node): Field[] => {
    if (typeof node === "string") return [];
    const field = fieldOf(node);
    return field ? [field] : fieldsIn(node.children);
  });
}

function fieldOf({ name: component, props, children }: ContentElement): Field | undefined {
  const field = componentNamed(component)?.field;
  if (!field) return undefined;
  const isResponse = field === "response";
  const location = isResponse
    ? "response"
    : (["query", "path", "body", "header"] as const).find(
        (key) => typeof props[key] === "string" && props[key],
      );
  const name = location && text(props[isResponse ? "name" : location]);
  return location && name
    ? { location, name, required: props.required === true, schema: schemaOf(props, children) }
    : undefined;
}

function schemaOf(props: Props, children: readonly ContentNode[]): Raw {
  const below = fieldsIn(children);
  const written = typeof props.type === "string" ? props.type.trim() : "";
  const base = typeSchema(written, below);
  const first = children.find((child) => typeof child !== "string" && child.name === "p");
  const value = props.default ?? props.initialValue;
  return {
    ...base,
    ...(first ? { description: textOf(first).trim() } : {}),
    ...(props.default === undefined || props.default === null ? {} : { default: props.default }),
    ...(value === undefined || value === null ? {} : { "x-default": value }),
    ...(typeof props.placeholder === "string" && props.default === undefined
      ? { example: props.placeholder }
      : {}),
    ...(props.deprecated === true ? { deprecated: true } : {}),
  };
}

function typeSchema(type: string, below: readonly Field[]): Raw {
  if (type.endsWith("[]")) return { type: "array", items: typeSchema(type.slice(0, -2), below) };
  const choices = /^enum<(.*)>$/.exec(type)?.[1];
  if (choices !== undefined)
    return { type: /^(?:string|integer|number|boolean)$/.test(choices) ? choices : "string" };
  if (below.length) return objectOf(below);
  if (type === "file") return { type: "string", format: "binary" };
  return /^(?:string|number|integer|boolean|object|null)$/.test(type) ? { type } : {};
}

function objectOf(fields: readonly Field[]): Raw {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter((field) => field.required).map(({ name }) => name),
  };
}

/**
 * Returns the security scheme for `authMethod` in the frontmatter, or else for the method in docs.json.
 * Undefined for `none` and unknown methods, and if no method is set.
 */
function securityOf(frontmatter: Frontmatter, api: ApiSettings): Raw | undefined {
  const method = frontmatter.authMethod ?? api.mdx?.auth?.method;
  switch (method) {
    case "bearer":
    case "basic":
      return { type: "http", scheme: method };
    case "key":
    case "cobo":
      return { type: "apiKey", in: "header", name: api.mdx?.auth?.name ?? "Key" };
    default:
      return undefined;
  }
}
