/** Describes the headers of the API's responses for its OpenAPI description. */

import type { Endpoint } from "../core/endpoint.ts";

type Json = Record<string, unknown>;

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

/** The headers by name. Those that aren't required are sent only in some cases. */
const headers: Record<string, Json> = {
  "X-Request-Id": {
    required: true,
    description:
      "ID of the request, which the service's log and the audit log contain. If your request has this header, with 1 to 64 letters, digits, and hyphens, it's the same ID.",
    schema: text,
  },
  "WWW-Authenticate": {
    required: true,
    description: "The authentication scheme, which is `Bearer`.",
    schema: text,
  },
  Allow: { required: true, description: "Methods of the path, separated by commas.", schema: text },
  "Retry-After": { required: true, description: "Number of seconds to wait.", schema: count },
  Location: {
    required: true,
    description: "Path of the resource, where you can get its status.",
    schema: text,
  },
  "Idempotent-Replayed": {
    description:
      "`true` if this is the response to an earlier request with the same `Idempotency-Key`. Otherwise absent.",
    schema: { type: "string", enum: ["true"] },
  },
  "X-Vercel-AI-UI-Message-Stream": {
    required: true,
    description: "Version of the UI message stream format.",
    schema: text,
  },
  "RateLimit-Policy": {
    description: "Name of the rate limit, its quota (`q`), and its window in seconds (`w`).",
    schema: { ...text, examples: ['"analytics";q=100;w=3600'] },
  },
  RateLimit: {
    description:
      "Name of the rate limit, the number of remaining requests (`r`), and seconds until the quota increases (`t`).",
    schema: { ...text, examples: ['"analytics";r=99;t=3600'] },
  },
  "RateLimit-Limit": { description: "Number of requests allowed in the window.", schema: count },
  "RateLimit-Remaining": { description: "Number of remaining requests.", schema: count },
  "RateLimit-Reset": { description: "Number of seconds until the quota increases.", schema: count },
};

const inProgress = {
  description: "Number of seconds to wait. Sent if a request with this `Idempotency-Key` is in progress.",
  schema: count,
};

const rateLimitHeaders = Object.keys(headers).filter((name) => name.startsWith("RateLimit"));

/** The headers as components of the description. */
export function headerComponents(): Json {
  return { ...headers };
}

/** Returns the headers of an endpoint's responses with this status. */
export function headersOf(endpoint: Endpoint, status: number): Json {
  const { success, rateLimit, isIdempotent } = endpoint;
  const names = [
    "X-Request-Id",
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 405 ? ["Allow"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
    ...(status === success.status ? (success.headers ?? []) : []),
    ...(status === success.status && success.events ? ["X-Vercel-AI-UI-Message-Stream"] : []),
    ...(status === success.status && isIdempotent ? ["Idempotent-Replayed"] : []),
    // Requests are counted after the authentication.
    ...(rateLimit && status !== 401 && status !== 405 ? rateLimitHeaders : []),
  ];

  return {
    ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(status === 409 && isIdempotent ? { "Retry-After": inProgress } : {}),
  };
}
