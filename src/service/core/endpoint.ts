/** The HTTP API as data: what an endpoint takes, gives and asks of its caller. Routes, checks, description and client follow from it. */
import { FormatRegistry, type Static, type TSchema, Type } from "@sinclair/typebox";
import { readInstant } from "../../base/instant.ts";
import { parseUrl } from "../../base/url.ts";
import type { QueryOf, QueryParameters } from "./parameters.ts";

// TypeBox has no built-in formats.
FormatRegistry.Set("date-time", (text) => readInstant(text) !== undefined);
FormatRegistry.Set("uri", (text) => parseUrl(text) !== undefined);

/** Who may call: an organization with an admin key, the operator of the service, or an integrator with an assistant key. */
export type CallerKind = "admin" | "operator" | "assistant";

/** Budgets, shared by all endpoints that name them. */
export type RateLimitName = "analytics" | "trigger" | "messages" | "searches" | "pages";

export type EndpointBody =
  | { type: "application/json"; schema: TSchema }
  /** Handed to the handler as a stream. */
  | { type: "application/gzip" | "application/x-ndjson"; description: string };

export interface Endpoint {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** In the form of OpenAPI: `/v1/deployments/{id}`. */
  path: string;
  caller: CallerKind;
  /** The least role that a member needs whose admin key calls this; absent: admin. */
  role?: "viewer" | "editor";
  /** A plan that the organization needs. */
  plan?: "enterprise";
  rateLimit?: RateLimitName;
  /** The response waits until this process serves all changes, so that a client that reads "success" finds the site. Changes always wait. */
  waitsForSites?: true;
  /** What the path's parameters name. */
  params?: Record<string, string>;
  query?: QueryParameters;
  body?: EndpointBody;
  /** The one success: its status and its body, or the shape of the events that are streamed. */
  success: { status: 200 | 201 | 202 | 204; description: string; schema?: TSchema; events?: TSchema };
  /** Errors in addition to those that every endpoint of this kind has. */
  refusals?: Partial<Record<404 | 409 | 410 | 413 | 415 | 422 | 429, string>>;
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

export type ParamsOf<E extends Endpoint> = { [Name in keyof E["params"]]: string };
export type QueryFor<E extends Endpoint> = E["query"] extends QueryParameters ? QueryOf<E["query"]> : Record<never, never>;
export type BodyOf<E extends Endpoint> = E["body"] extends { schema: infer S extends TSchema } ? Static<S> : undefined;
export type ResultOf<E extends Endpoint> = E["success"] extends { schema: infer S extends TSchema }
  ? Static<S>
  : E["success"] extends { events: infer S extends TSchema }
    ? Events<Static<S>>
    : undefined;

/** Sends events one by one and resolves after the last. `signal`: the client has disconnected. */
export type Events<Event> = (send: (event: Event) => void, signal: AbortSignal) => Promise<void>;

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "What went wrong, for people." }),
    details: Type.Optional(
      Type.Array(Type.Object({ message: Type.String({ description: "One thing to mend; begins with the name of the field." }) })),
    ),
  },
  { $id: "Error" },
);

export const Timestamp = Type.String({ format: "date-time", description: "RFC 3339 in UTC with milliseconds." });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
