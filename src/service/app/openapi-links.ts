/**
 * Finds links between operations for the OpenAPI description: which operations accept the IDs in a response.
 */

import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../core/endpoint.ts";

type Links = Record<string, { operationId: string; parameters: Record<string, string> }>;

/**
 * Returns links from the success response of `from` to those operations whose path parameters are all known
 * then, by operation ID. Adds the links that the endpoint defines.
 */
export function linksFrom(from: Endpoint, all: readonly Endpoint[]): Links {
  const links: Links = {};
  for (const to of all) {
    if (to === from || to.caller !== from.caller) continue;
    const parameters = Object.keys(to.params ?? {}).map(
      (name) => [name, valueOf(name, from, to, all)] as const,
    );
    const isNew = parameters.some(([, value]) => value?.startsWith("$response"));
    if (isNew && parameters.every(([, value]) => value !== undefined))
      links[to.operationId] = {
        operationId: to.operationId,
        parameters: Object.fromEntries(parameters) as Record<string, string>,
      };
  }

  for (const [operationId, parameters] of Object.entries(from.links ?? {}))
    links[operationId] = { operationId, parameters };
  return links;
}

/**
 * Returns a runtime expression for a path parameter of `to`. Undefined if neither the request nor the
 * response of `from` contains it. IDs of a collection are taken only from responses of its own operations.
 */
function valueOf(name: string, from: Endpoint, to: Endpoint, all: readonly Endpoint[]): string | undefined {
  if (name !== "id" && from.params && Object.hasOwn(from.params, name)) return `$request.path.${name}`;
  const collection = collectionOf(from);
  const isOfCollection = to.path.includes(`/${collection}/{${name}}`) || name === idIn(collection);
  if (!isOfCollection && all.some((other) => idIn(collectionOf(other)) === name)) return undefined;

  const keys = isOfCollection ? [name, "id"] : [name];
  const pointerIn = (schema: TSchema | undefined) => {
    const key =
      keys.find((each) => schema?.properties?.[each] !== undefined && each !== "id") ??
      (isOfCollection ? "id" : undefined);
    return key !== undefined && schema?.properties?.[key] !== undefined ? key : undefined;
  };

  const direct = pointerIn(from.success.schema);
  if (direct !== undefined) return `$response.body#/${direct}`;

  for (const [list, schema] of Object.entries(
    (from.success.schema?.properties ?? {}) as Record<string, TSchema>,
  )) {
    const item = schema.type === "array" ? pointerIn(schema.items as TSchema) : undefined;
    if (item !== undefined) return `$response.body#/${list}/0/${item}`;
  }

  return undefined;
}

/** Returns the last fixed segment of an operation's path, such as `projects`. */
function collectionOf({ path }: Endpoint): string {
  return path.split("/").findLast((segment) => !segment.startsWith("{"))!;
}

/** Returns the name of the parameter with the ID of an object in a collection, such as `projectId`. */
function idIn(collection: string): string {
  return `${collection.replace(/s$/, "")}Id`;
}
