/**
 * Sends a playground's request from the server, for APIs that don't allow CORS. Requests are only sent to the
 * servers that an API document of the site lists for the operation. The response is wrapped, so that browsers
 * don't show it as a page.
 */

import type { lookup } from "node:dns";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isCrossOrigin } from "../base/cross-origin.ts";
import { plural } from "../base/plural.ts";
import { parseUrl } from "../base/url.ts";
import type { ProxyRefusalBody, ProxyRefusalCode } from "../engine/openapi/request/proxy-refusal.ts";
import { notSentBySites } from "../engine/openapi/request/request-restrictions.ts";
import { type AllowedHosts, allowSetting } from "../io/allowed-hosts.ts";
import { expectLongBody } from "../io/guard-server.ts";
import { HostNotAllowed, RequestBlocked, sendRequest } from "../io/outbound.ts";
import { TooManyRequests } from "../io/request-slots.ts";
import { readApiPath } from "../layout/site-layout.ts";

/** Timeout for receiving the request body, and for the exchange with the API. */
const proxy_ms = 30_000;
/** Maximum size of the request's body in bytes. */
const proxyRequest_bytes = 1024 * 1024;
/** Maximum size of the API's response body in bytes. */
const proxyResponse_bytes = 5 * 1024 * 1024;

export interface ProxyOptions {
  /**
   * Origins that requests may be sent to, by the path of an operation's data. Read from a table in the
   * export.
   */
  origins: ReadonlyMap<string, readonly string[]>;
  /** Organization of the site, as in `OutboundOptions`. */
  owner?: string | undefined;
  /**
   * Whether the reader may use the operation's playground. `sign-in`: the reader must sign in first. Default:
   * `allowed`.
   */
  access?: "allowed" | "sign-in" | "denied";
  /**
   * Counts a request. Resolves with the seconds to wait if the rate limit is exceeded, and otherwise with 0.
   */
  wait_s?(): Promise<number>;
  /** Allows requests to private addresses. For tests. */
  allowPrivate?: boolean;
  /** Hosts that the operator allows in addition to the public internet. */
  allowed?: AllowedHosts;
  /** Allows requests only to the hosts in `allowed`, and not to the public internet. */
  onlyAllowed?: boolean;
  lookup?: typeof lookup;
}

/** Parses the table for `ProxyOptions.origins`. Empty if the site has no such table. */
export function readProxyOrigins(json: Uint8Array | undefined): Map<string, string[]> {
  return new Map(
    json ? Object.entries(JSON.parse(new TextDecoder().decode(json)) as Record<string, string[]>) : [],
  );
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]);

class ProxyError extends Error {
  readonly status: number;
  readonly code: ProxyRefusalCode;
  constructor(status: number, code: ProxyRefusalCode, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Answers a request to the proxy. The response to GET and HEAD is empty: its headers show that there is a
 * proxy, and whether the reader may use it. For an error, sends a `ProxyRefusalBody` or, if the response has
 * started, closes the connection.
 */
export async function answerProxy(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");

  try {
    if (request.method === "GET" || request.method === "HEAD")
      return void response
        .writeHead(204, { "octavo-proxy": "1", "octavo-access": options.access ?? "allowed" })
        .end();
    if (request.method !== "POST") {
      response.setHeader("allow", "GET, HEAD, POST");
      throw new ProxyError(405, "method", "Playground requests must use POST");
    }
    await relay(request, response, options);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const { status, ...body } = errorResponse(error);
    // The rest of the request body isn't read, so the connection can't be reused.
    response
      .writeHead(status, { "content-type": "application/json; charset=utf-8", connection: "close" })
      .end(JSON.stringify(body));
  }
}

/** Codes of errors that occur before a connection is established. */
const notConnected = new Set(["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"]);

function errorResponse(error: unknown): { status: number } & ProxyRefusalBody {
  if (error instanceof ProxyError) return { status: error.status, error: error.message, code: error.code };

  if (error instanceof HostNotAllowed)
    return {
      status: 403,
      error: `Request blocked: ${error.message}.`,
      code: "address",
      blocked: { host: error.host, entry: error.entry, setting: allowSetting },
    };

  if (error instanceof RequestBlocked)
    return { status: 403, error: `Request blocked: ${error.message}.`, code: "address" };
  if (error instanceof TooManyRequests) return { status: 429, error: error.message, code: "rate" };
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError")
    return {
      status: 504,
      error: `The API didn't respond within ${proxy_ms / 1_000} seconds`,
      code: "timeout",
    };

  if (notConnected.has(code ?? ""))
    return { status: 502, error: "The docs server couldn't connect to the API", code: "not-connected" };
  return { status: 502, error: "The connection to the API failed", code: "unreachable" };
}

async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  requireOwnPage(request);
  if (options.access === "sign-in") throw new ProxyError(401, "sign-in", "Sign in to send requests");
  if (options.access === "denied")
    throw new ProxyError(403, "access", "You don't have access to this playground");

  const target = targetOf(request, options.origins);
  const method = header(request, "octavo-method").toUpperCase();
  if (!methods.has(method))
    throw new ProxyError(
      405,
      "method",
      method ? `The proxy doesn't support the method ${method}` : "The octavo-method header is missing",
    );

  const headers = headersOf(request);
  const wait_s = (await options.wait_s?.()) ?? 0;
  if (wait_s > 0) {
    response.setHeader("retry-after", String(wait_s));
    throw new ProxyError(429, "rate", `Too many requests. Try again in ${plural(wait_s, "second")}.`);
  }

  expectLongBody(request, proxy_ms);
  const body = await readBody(request);

  // Without this header, Node.js would use chunked encoding.
  if (body.length || !["GET", "HEAD"].includes(method)) headers["content-length"] = String(body.length);
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), proxy_ms);
  response.on("close", () => {
    clearTimeout(timer);
    abort.abort();
  });

  const sent = { sender: "playground", method, headers, signal: abort.signal, ...options } as const;
  const answer = await sendRequest(target, sent, { body });
  const envelope = {
    status: answer.statusCode,
    statusText: answer.statusMessage,
    headers: visibleHeaders(answer.rawHeaders),
  };

  response.writeHead(200, {
    "content-type": "application/octet-stream",
    "content-disposition": "attachment",
    "content-security-policy": "sandbox",
    "octavo-response": Buffer.from(JSON.stringify(envelope)).toString("base64url"),
  });

  response.flushHeaders();
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > proxyResponse_bytes)
      throw new ProxyError(
        502,
        "unreachable",
        `The API's response is larger than ${proxyResponse_bytes / 1024 / 1024} MB`,
      );
    if (!response.write(chunk)) await once(response, "drain", { signal: abort.signal });
  }

  response.end();
}

/** Throws if the request wasn't sent by a page of this site. */
function requireOwnPage({ headers }: IncomingMessage): void {
  const isFromPage = headers.origin !== undefined && headers["sec-fetch-site"] !== "none";
  if (!isFromPage || isCrossOrigin(headers, ({ host }) => host === headers.host))
    throw new ProxyError(403, "origin", "Requests are only allowed from this site's own pages");
}

function targetOf(request: IncomingMessage, origins: ProxyOptions["origins"]): URL {
  const target = parseUrl(header(request, "octavo-target"));
  if (
    !target ||
    !origins.get(operationOf(request) ?? "")?.includes(target.origin) ||
    target.username ||
    target.password
  )
    throw new ProxyError(403, "target", "The URL isn't one of the operation's servers");
  return target;
}

/**
 * Returns the path of the operation's data, from a header of the request. Undefined if the header is missing
 * or invalid.
 */
export function operationOf(request: IncomingMessage): string | undefined {
  return readApiPath(header(request, "octavo-operation"));
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}

function headersOf(request: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  let listed: unknown;
  try {
    listed = JSON.parse(Buffer.from(header(request, "octavo-headers"), "base64url").toString());
  } catch {
    throw new ProxyError(400, "headers", "octavo-headers must be a JSON list in base64url");
  }

  for (const entry of Array.isArray(listed) ? listed : []) {
    const [name, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (
      typeof name !== "string" ||
      typeof value !== "string" ||
      !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
      /[\r\n\0]/.test(value)
    )
      throw new ProxyError(400, "headers", "A header has an invalid name or value");
    if (notSentBySites(name)) continue;
    const known = headers[name];
    headers[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }

  return headers;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > proxyRequest_bytes)
      throw new ProxyError(
        413,
        "too-large",
        `Requests through the proxy can be up to ${proxyRequest_bytes / 1024 / 1024} MB. Send larger requests from your own code instead.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the headers of the API's response, without cookies, connection headers and `Transfer-Encoding`. */
function visibleHeaders(raw: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2) {
    if (!/^(?:set-cookie2?|connection|keep-alive|transfer-encoding)$/i.test(raw[i]!))
      headers.push([raw[i]!, raw[i + 1]!]);
  }
  return headers;
}
