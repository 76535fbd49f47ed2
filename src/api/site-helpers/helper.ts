/** What all helpers of a site have in common: who may call them, from where, and how a refusal is told. */
import type { IncomingMessage } from "node:http";
import type { Static, TSchema } from "@sinclair/typebox";
import { limits } from "../../base/limits.ts";
import type { RateLimit } from "../../base/rate-limit.ts";
import type { RateRuleName } from "../../base/rate-rules.ts";
import { parseUrl } from "../../base/url.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { HelperVisit, SiteHelper } from "../../reader/hosting.ts";
import { errorAnswer, HttpRefusal } from "../problem-response.ts";
import { checkContentType, readJson } from "../read-body.ts";
import type { SiteDocs } from "../site-docs.ts";

/** `report` is told of faults of ours. */
export function helper(report: (error: unknown) => void, answer: (visit: HelperVisit) => Promise<void>): SiteHelper {
  return async (visit) => {
    const { response } = visit;
    response.setHeader("cache-control", "no-store");
    response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    response.setHeader("cross-origin-resource-policy", "same-origin");
    try {
      await answer(visit);
    } catch (error) {
      const { status, headers, body } = errorAnswer(error);
      if (status >= 500) report(error);
      if (response.headersSent) return void response.destroy();
      sendJson(visit, status, body, headers);
    }
  };
}

export function sendJson({ response }: HelperVisit, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { ...headers, "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(text) })
    .end(text);
}

export function checkMethod({ request }: HelperVisit, ...methods: string[]): void {
  if (!methods.includes(request.method ?? "")) throw new HttpRefusal(405, "Method not allowed", { allow: methods.join(", ") });
}

/** Browsers say which site's page sends a request: only this site's own may. Programs say nothing, and have no cookies to abuse. */
export function checkOrigin({ request }: HelperVisit): void {
  const { origin, host } = request.headers;
  const site = header(request, "sec-fetch-site");
  const isForeign = origin !== undefined && parseUrl(origin)?.host !== host?.toLowerCase();
  if (isForeign || (site !== undefined && site !== "same-origin" && site !== "none"))
    throw new HttpRefusal(403, "Only the site's own pages may ask this");
}

/** Where readers sign in, whoever has not is told of public pages only, and nothing where there are none. */
export function checkReader({ site, reader }: HelperVisit, docs: SiteDocs): void {
  if (site.signIn && !reader && !docs.hasPublicPages(site)) throw new HttpRefusal(401, "Sign in to read this");
}

/** Refuses what the visitor, their network or the site has had too much of. */
export async function checkRates({ site, address }: HelperVisit, count: RateLimit, rule: RateRuleName): Promise<void> {
  const { wait_s } = await count(rule, { site: site.projectId, address });
  if (wait_s > 0)
    throw new Refusal("rate-limited", "Too many requests", { details: [`Retry after ${wait_s} seconds`], retryAfter_s: wait_s });
}

/** The body of a page's own request: at most what `limits.requestBody_bytes` says. */
export async function readBody<S extends TSchema>({ request }: HelperVisit, schema: S): Promise<Static<S>> {
  checkContentType(request.headers["content-type"], "application/json");
  if (Number(request.headers["content-length"] ?? 0) > limits.requestBody_bytes)
    throw new HttpRefusal(413, "The body is too large", { connection: "close" });
  return (await readJson(request, schema)) as Static<S>;
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
