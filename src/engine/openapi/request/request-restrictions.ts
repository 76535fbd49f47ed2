/** Determines which headers and bodies are valid, and which of them browsers and a site's proxy can send. */

import type { HttpRequest } from "./request-model.ts";

/**
 * Headers that scripts can't set, since browsers silently drop them. Some browsers don't drop `User-Agent`.
 */
const forbidden = new Set(
  `accept-charset accept-encoding access-control-request-headers access-control-request-method access-control-request-private-network
  connection content-length cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade user-agent via`.split(
    /\s+/,
  ),
);

/** Whether some browsers drop a header that a script sets. */
export function notSentByBrowsers([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase();
  if (/^x-(?:http-method|http-method-override|method-override)$/.test(lower))
    return /\b(?:connect|trace|track)\b/i.test(value);
  return forbidden.has(lower) || lower.startsWith("proxy-") || lower.startsWith("sec-");
}

/** Headers with which proxies name a client, in addition to `Forwarded` and `X-Forwarded-*`. */
const clientAddresses = new Set(
  `cf-connecting-ip cf-connecting-ipv6 client-ip fastly-client-ip fly-client-ip true-client-ip via x-appengine-user-ip x-azure-clientip
  x-client-ip x-cluster-client-ip x-envoy-external-address x-original-forwarded-for x-real-ip`.split(/\s+/),
);

/**
 * Whether a site's proxy drops a header. The proxy drops connection headers, headers that proxies add, and
 * Octavo's own headers. Some servers read an underscore in a name as a hyphen.
 */
export function notSentBySites(name: string): boolean {
  const header = name.toLowerCase().replaceAll("_", "-");
  return (
    clientAddresses.has(header) ||
    /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|proxy-.*|x-forwarded-.*|forwarded|octavo-.*)$/.test(
      header,
    )
  );
}

/** Adds `Accept: *\/*`, which browsers send by default, if the request has no `Accept` header. */
export function withAccept(request: HttpRequest): HttpRequest {
  const hasAccept = request.headers.some(([name]) => name.toLowerCase() === "accept");
  return hasAccept ? request : { ...request, headers: [["Accept", "*/*"], ...request.headers] };
}

/** Whether browsers can't send a body with a method. */
export function bodyNotSentByBrowsers(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Whether a text is a valid header name. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i.test(name);
}

/** Whether `fetch` accepts a header. For an invalid name or value, `fetch` throws. */
export function isHeader(name: string, value: string): boolean {
  return isHeaderName(name) && !/[\0\r\n]|[^\0-\xff]/.test(value);
}
