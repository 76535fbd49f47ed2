/**
 * Sends a request through the docs server's proxy. Sends the request from the browser if there is no proxy,
 * or if the proxy refuses it for a reason in `browserMaySend`.
 */

import { browserMaySend, type ProxyRefusalBody } from "../../engine/openapi/request/proxy-refusal.ts";
import { requestBytes } from "../../engine/openapi/request/request-bytes.ts";
import type { HttpRequest } from "../../engine/openapi/request/request-model.ts";
import {
  bodyNotSentByBrowsers,
  isHeader,
  notSentByBrowsers,
} from "../../engine/openapi/request/request-restrictions.ts";
import { fromBase64Url, toBase64Url } from "./base64-url.ts";

export interface RequestRoute {
  /** URL of the docs server's proxy. Undefined if the browser sends the request. */
  proxy?: string;
  /** Path of the operation's file. The docs server only sends requests to the servers of this operation. */
  operation: string;
  /** Whether the browser sends its cookies for the API. The docs server never sends them. */
  credentials: boolean;
}

/** Status and headers of a response, with its body as a stream. */
export interface SentResponse {
  /** Whether the docs server sent the request. */
  proxied: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
  /** The URL that the response came from, if the browser followed a redirect. */
  redirectedTo?: string;
  body: ReadableStream<Uint8Array> | null;
}

/**
 * Thrown if the docs server refused the request or got no response. With `isTriedByBrowser`, sending the
 * request from the browser failed, too.
 */
export class ProxyRefusal extends Error {
  readonly body: Partial<ProxyRefusalBody>;
  isTriedByBrowser = false;
  constructor(body: Partial<ProxyRefusalBody>, fallback: string) {
    super(typeof body.error === "string" ? body.error : fallback);
    this.body = body;
  }
}

/**
 * Refusals by the docs server, by origin, if the browser could send the request instead. The browser sends
 * further requests to these origins without asking the docs server.
 */
const refusalsByOrigin = new Map<string, ProxyRefusal>();

/**
 * Sends a request. Rejects with an error of `fetch`, with `ProxyRefusal`, or with a `RangeError` for an
 * invalid header.
 */
export async function sendRequest(
  request: HttpRequest,
  route: RequestRoute,
  signal: AbortSignal,
): Promise<SentResponse> {
  const bytes = await requestBytes(request);
  for (const [name, value] of request.headers) if (!isHeader(name, value)) throw new RangeError(name);
  if (route.proxy === undefined) return byBrowser(request, route, bytes, signal);

  const { origin } = new URL(request.url);
  let refusal = refusalsByOrigin.get(origin);
  if (!refusal) {
    try {
      return await byProxy(request, route.proxy, route.operation, bytes, signal);
    } catch (error) {
      if (!(error instanceof ProxyRefusal) || !error.body.code || !browserMaySend.has(error.body.code))
        throw error;
      // Pages of an air-gapped site send no requests to other hosts.
      if (document.documentElement.classList.contains("o-no-outside")) throw error;
      refusal = error;
    }
  }

  try {
    const answer = await byBrowser(request, route, bytes, signal);
    if (refusal.body.code !== "too-large") refusalsByOrigin.set(origin, refusal);
    return answer;
  } catch (error) {
    if (signal.aborted) throw error;
    refusalsByOrigin.delete(origin);
    refusal.isTriedByBrowser = true;
    throw refusal;
  }
}

async function byBrowser(
  request: HttpRequest,
  route: RequestRoute,
  bytes: BodyInit | undefined,
  signal: AbortSignal,
): Promise<SentResponse> {
  const headers = request.headers.filter((header) => !notSentByBrowsers(header));
  const response = await fetch(request.url, {
    method: request.method,
    headers,
    body: bytes && !bodyNotSentByBrowsers(request.method) ? bytes : undefined,
    mode: "cors",
    credentials: route.credentials ? "include" : "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal,
  });

  const { status, statusText, body, redirected, url } = response;
  return {
    proxied: false,
    status,
    statusText,
    headers: [...response.headers],
    ...(redirected ? { redirectedTo: url } : {}),
    body,
  };
}

async function byProxy(
  request: HttpRequest,
  proxy: string,
  operation: string,
  body: BodyInit | undefined,
  signal: AbortSignal,
): Promise<SentResponse> {
  const response = await fetch(proxy, {
    method: "POST",
    headers: {
      "octavo-target": request.url,
      "octavo-method": request.method,
      "octavo-headers": toBase64Url(new TextEncoder().encode(JSON.stringify(request.headers))),
      "octavo-operation": operation,
    },
    body,
    // The docs server checks whether this reader may send requests. It doesn't forward the cookie.
    credentials: "same-origin",
    cache: "no-store",
    signal,
  });

  const head = response.headers.get("octavo-response");
  if (!response.ok || head === null) {
    const body = (await response.json().catch(() => ({}))) as Partial<ProxyRefusalBody>;
    throw new ProxyRefusal(body, `${response.status} ${response.statusText}`);
  }

  const answer = JSON.parse(new TextDecoder().decode(fromBase64Url(head))) as Omit<
    SentResponse,
    "body" | "proxied"
  >;

  return { ...answer, proxied: true, body: response.body };
}
