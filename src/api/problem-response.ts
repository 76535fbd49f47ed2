/** The one door through which every refusal leaves. */
import type { FastifyReply } from "fastify";
import { Refusal, type RefusalKind } from "../platform/refusal.ts";

const statuses: Record<RefusalKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  gone: 410,
  "too-large": 413,
  reused: 422,
  "rate-limited": 429,
  unavailable: 503,
};

/** A status that only HTTP knows. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: { error: string; details?: { message: string }[] };
}

const details_count = 50;

export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof HttpRefusal) return { status: error.status, headers: error.headers, body: { error: error.message } };
  if (error instanceof Refusal) {
    const { kind, message, details, retryAfter_s } = error;
    return {
      status: statuses[kind],
      headers: {
        ...(kind === "unauthorized" ? { "www-authenticate": 'Bearer realm="api"' } : {}),
        ...(retryAfter_s === undefined ? {} : { "retry-after": String(retryAfter_s) }),
      },
      body: { error: message, ...(details.length ? { details: details.slice(0, details_count).map((text) => ({ message: text })) } : {}) },
    };
  }
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  // Fastify's own refusals: an address that cannot be decoded, headers that are too large.
  if (code?.startsWith("FST_") && statusCode !== undefined && statusCode < 500)
    return { status: statusCode, headers: {}, body: { error: "The request cannot be read" } };
  if (isDatabaseAway(error))
    return { status: 503, headers: { "retry-after": "1" }, body: { error: "The service is busy; try again in a moment" } };
  if (isDiskFull(error))
    return {
      status: 503,
      headers: { "retry-after": "60" },
      body: { error: "The service is out of disk space; its operator has to add some" },
    };
  return { status: 500, headers: {}, body: { error: "Internal server error" } };
}

/** Of the files or of the database. */
function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "53100"].includes((error as { code?: string }).code ?? "");
}

/** Connections that fail or end, and servers that start or stop: the caller may try again. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined && /^(?:08...|53300|57P0[123]|57014|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|The database ended)/.test(message ?? "");
}

export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, headers, body } = errorAnswer(error);
  return reply.code(status).headers(headers).send(body);
}
