/**
 * Functions that the endpoints of a site share: convert errors to responses, and check the method, origin,
 * reader, rate limits and body.
 */

import type { Static, TSchema } from "@sinclair/typebox";
import { AppError } from "../../base/app-error.ts";
import { isCrossOrigin } from "../../base/cross-origin.ts";
import { limits } from "../../base/limits.ts";
import { plural } from "../../base/plural.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import type { RateRuleName } from "../../base/rate-rules.ts";
import type { EndpointVisit, SiteEndpointHandler } from "../../host/hosting.ts";
import type { SiteDocs } from "../assistant/site-docs.ts";
import { errorResponse } from "../http/error-response.ts";
import { checkContentType, readJson } from "../http/read-body.ts";

/**
 * Creates an endpoint that converts errors to responses. `report` receives internal errors, which readers
 * don't see.
 */
export function endpointHandler(
  report: (error: unknown) => void,
  answer: (visit: EndpointVisit) => Promise<void>,
): SiteEndpointHandler {
  return async (visit) => {
    const { response } = visit;
    response.setHeader("cache-control", "no-store");
    response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    response.setHeader("cross-origin-resource-policy", "same-origin");
    try {
      await answer(visit);
    } catch (error) {
      const { status, headers, body } = errorResponse(error);
      if (status >= 500) report(error);
      if (response.headersSent) return void response.destroy();
      sendJson(visit, status, body, headers);
    }
  };
}

export function sendJson(
  { response }: EndpointVisit,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  type = "application/json; charset=utf-8",
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      ...headers,
      "content-type": type,
      "content-length": Buffer.byteLength(text),
    })
    .end(text);
}

export function checkMethod({ request }: EndpointVisit, ...methods: string[]): void {
  if (!methods.includes(request.method ?? ""))
    throw new AppError("wrong-method", "Method not allowed", { headers: { allow: methods.join(", ") } });
}

/** Whether a page of another origin sent the request. */
export function isFromOtherOrigin({ request: { headers } }: EndpointVisit): boolean {
  return isCrossOrigin(headers, ({ host }) => host === headers.host?.toLowerCase());
}

/** Throws an AppError unless a page of the site, the widget, or a program sent the request. */
export function checkOrigin(visit: EndpointVisit): void {
  if (!visit.isWidget && isFromOtherOrigin(visit))
    throw new AppError("forbidden", "Requests are only allowed from this site's own pages");
}

/**
 * Throws an AppError if the site requires sign-in, the reader isn't signed in and there are no public pages.
 */
export function checkReader({ site, reader }: EndpointVisit, docs: SiteDocs): void {
  if (site.signIn && !reader && !docs.hasPublicPages(site))
    throw new AppError("sign-in", "Sign in to use this site");
}

/** Throws an AppError if a limit of the rate rule is exceeded, such as the limit per visitor or per site. */
export async function checkRates(
  { site, address }: EndpointVisit,
  count: RateLimit,
  rule: RateRuleName,
): Promise<void> {
  const { wait_s } = await count(rule, { site: site.projectId, address });
  if (wait_s > 0)
    throw new AppError("rate-limited", "Too many requests", {
      details: [`Retry after ${plural(wait_s, "second")}`],
      retryAfter_s: wait_s,
    });
}

/**
 * Reads and validates a JSON body of at most `limits.requestBody_bytes`. Throws an AppError if it is too
 * large or invalid, or has a different content type.
 */
export async function readBody<S extends TSchema>({ request }: EndpointVisit, schema: S): Promise<Static<S>> {
  checkContentType(request.headers["content-type"], "application/json");
  if (Number(request.headers["content-length"] ?? 0) > limits.requestBody_bytes)
    throw new AppError("too-large", "The request body is too large", { headers: { connection: "close" } });
  // Pages of earlier versions, which can still be open, may send more.
  return (await readJson(request, schema, { allowsUnknown: true })) as Static<S>;
}
