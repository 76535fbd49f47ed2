/** Converts errors to HTTP responses. */

import type { FastifyReply } from "fastify";
import { AppError, detailText } from "../../base/app-error.ts";
import { isDiskFull } from "../../io/system-error.ts";

export interface ErrorResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { error: string; details?: { message: string }[] };
}

/** Maximum number of details in an error response. */
const details_count = 50;

/**
 * Creates the response for an error. Only AppErrors are sent with their own messages. Other errors get a
 * generic message.
 */
export function errorResponse(error: unknown): ErrorResponse {
  if (error instanceof AppError) {
    const { status, headers, message } = error;
    const details = error.details.slice(0, details_count).map((detail) => ({ message: detailText(detail) }));
    return { status, headers, body: { error: message, ...(details.length ? { details } : {}) } };
  }

  const { statusCode, code } = error as { statusCode?: number; code?: string };

  // Errors of Fastify, such as a URL that can't be decoded.
  if (code?.startsWith("FST_") && statusCode !== undefined && statusCode < 500)
    return { status: statusCode, headers: {}, body: { error: "The request can't be read" } };

  if (isDatabaseUnavailable(error))
    return {
      status: 503,
      headers: { "retry-after": "1" },
      body: { error: "The service is busy. Try again in a moment." },
    };

  if (isDiskFull(error))
    return {
      status: 503,
      headers: { "retry-after": "60" },
      body: { error: "The service is out of disk space. Ask the operator to add more." },
    };

  return { status: 500, headers: {}, body: { error: "Internal server error" } };
}

/**
 * Whether the database connection failed or was lost, the database is starting or stopping, or a statement
 * timed out. The client may retry.
 */
function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (
    code !== undefined &&
    /^(?:08...|53300|57P0[123]|57014|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN)$/.test(code)
  )
    return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|The database ended)/.test(
    message ?? "",
  );
}

export function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, headers, body } = errorResponse(error);
  return reply.code(status).headers(headers).send(body);
}
