/**
 * Types for defining the endpoints of the HTTP API. Routes, checks, the OpenAPI description and the typed
 * client are derived from the definitions.
 */

import { FormatRegistry, type Static, type TSchema, Type } from "@sinclair/typebox";
import { readInstant } from "../../base/instant.ts";
import { parseUrl } from "../../base/url.ts";
import type { AuditAction, ChangeAction, ViewAction } from "./audit-actions.ts";
import type { QueryOf, QueryParameters } from "./parameters.ts";

// TypeBox has no built-in formats.
FormatRegistry.Set("date-time", (text) => readInstant(text) !== undefined);
FormatRegistry.Set("uri", (text) => parseUrl(text) !== undefined);

/**
 * Credential of the caller: admin key of an organization, token of the service's operator, or assistant key
 * of a project.
 */
export type CallerKind = "admin" | "operator" | "assistant";

/** Names of the rate limits per organization. Endpoints with the same name share a rate limit. */
export type RateLimitName = "analytics" | "trigger" | "messages" | "searches" | "pages";

export type SuccessHeader = "Location" | "Retry-After";

export type EndpointBody =
  /**
   * `most_bytes`: maximum size; by default, `limits.requestBody_bytes`. `allowsUnknown`: whether properties
   * that aren't in the schema are ignored, for clients of other services. Otherwise, they're errors.
   */
  | { type: "application/json"; schema: TSchema; most_bytes?: number; allowsUnknown?: true }
  /** Content types for which the handler receives the body as a stream. */
  | { type: "application/gzip" | "application/x-ndjson"; description: string };

interface EndpointBase {
  tag: string;
  summary: string;
  description?: string;
  /** Path with parameters as in OpenAPI, such as `/v1/deployments/{id}`. */
  path: string;
  /** Minimum current role of the member who created the admin key. Default: admin. */
  role?: "viewer" | "editor";
  /** Required plan of the organization. */
  plan?: "enterprise";
  /**
   * Whether the response to a read is only sent when this process serves all committed changes, so that a
   * client that reads "success" finds the updated site. Responses to changes always wait.
   */
  waitsForSites?: true;
  /**
   * Whether the call creates or deletes an organization, and with it the audit log that would record the
   * call.
   */
  organization?: "created" | "deleted";
  /** Whether repeated calls with an `Idempotency-Key` have no further effect. The handler uses `once`. */
  isIdempotent?: true;
  /** Descriptions of the path parameters. */
  params?: Record<string, string>;
  query?: QueryParameters;
  body?: EndpointBody;
  /** The success response has a JSON body (`schema`), a stream of events (`events`), or no body. */
  success: {
    status: 200 | 201 | 202 | 204;
    description: string;
    schema?: TSchema;
    events?: TSchema;
    /** Headers that the handler adds to the response with `Reply`. */
    headers?: readonly SuccessHeader[];
  };
  /**
   * Operations that can follow, with runtime expressions for their path parameters. Only those that
   * `linksFrom` doesn't find by the names of IDs.
   */
  links?: Record<string, Record<string, string>>;
  /**
   * Descriptions of error responses by status. They add to the default ones (`refusalsOf`) or replace them.
   */
  refusals?: Partial<Record<404 | 409 | 410 | 413 | 415 | 422 | 429, string>>;
}

/**
 * Calls that change an organization's data and calls that read its analytics are recorded in the audit log.
 * Their operation IDs are actions of the audit log.
 */
type Recording =
  | {
      method: "POST" | "PATCH" | "DELETE";
      caller: "admin" | "operator";
      rateLimit?: RateLimitName;
      operationId: ChangeAction;
    }
  | { method: "GET"; caller: CallerKind; rateLimit: "analytics"; operationId: ViewAction }
  | {
      method: "GET";
      caller: CallerKind;
      rateLimit?: Exclude<RateLimitName, "analytics">;
      operationId: string;
    }
  /** Calls with assistant keys don't count as changes. */
  | { method: "POST"; caller: "assistant"; rateLimit?: RateLimitName; operationId: string };

export type Endpoint = EndpointBase & Recording;

/** Returns the endpoint's action in the audit log. Undefined if its calls aren't recorded. */
export function recordedAction(endpoint: Endpoint): AuditAction | undefined {
  if (endpoint.method === "GET") return endpoint.rateLimit === "analytics" ? endpoint.operationId : undefined;
  return endpoint.caller === "assistant" ? undefined : endpoint.operationId;
}

/** Returns the definition unchanged, with its exact type. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

export type ParamsOf<E extends Endpoint> = { [Name in keyof E["params"]]: string };
export type QueryFor<E extends Endpoint> = E["query"] extends QueryParameters
  ? QueryOf<E["query"]>
  : Record<never, never>;
export type BodyOf<E extends Endpoint> = E["body"] extends { schema: infer S extends TSchema }
  ? Static<S>
  : undefined;
export type ResultOf<E extends Endpoint> = E["success"] extends { schema: infer S extends TSchema }
  ? Static<S>
  : E["success"] extends { events: infer S extends TSchema }
    ? Events<Static<S>>
    : undefined;

/**
 * Sends events one at a time and resolves after the last one. `signal` is aborted when the client
 * disconnects.
 */
export type Events<Event> = (send: (event: Event) => void, signal: AbortSignal) => Promise<void>;

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "Human-readable error message." }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          message: Type.String({
            description:
              "Description of a problem. If the problem is in a field, starts with the field's name.",
          }),
        }),
      ),
    ),
  },
  { $id: "Error" },
);

/**
 * Creates the schema of a point in time. `meaning`: a sentence that explains what happened, or happens, at
 * that time.
 */
export function timestamp(meaning: string) {
  return Type.String({ format: "date-time", description: `${meaning} RFC 3339, UTC, with milliseconds.` });
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** Fields of a page of results: how to get the next one. */
export const nextPage = {
  nextCursor: nullable(Type.String({ description: "Cursor for the next page. Null on the last page." })),
  hasMore: Type.Boolean({ description: "Whether there is a next page." }),
};
