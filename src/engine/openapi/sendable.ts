/** What of a request gets through: from a browser, and by a site's server. The page says so beside what does not. */
import type { HttpRequest } from "./request-model.ts";

/** Headers that scripts may not set: the browser would drop them without a word. Chromium does so with `User-Agent`, too. */
const forbidden = new Set(
  `accept-charset accept-encoding access-control-request-headers access-control-request-method access-control-request-private-network
  connection content-length cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade user-agent via`.split(
    /\s+/,
  ),
);

export function notSentByBrowsers([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase();
  if (/^x-(?:http-method|http-method-override|method-override)$/.test(lower)) return /\b(?:connect|trace|track)\b/i.test(value);
  return forbidden.has(lower) || lower.startsWith("proxy-") || lower.startsWith("sec-");
}

/** Headers of one connection, of ours, or of a proxy: no business of the other side's. */
export function notSentBySites(name: string): boolean {
  return /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|proxy-.*|x-forwarded-.*|forwarded|octavo-.*)$/i.test(
    name,
  );
}

/** A browser that is told nothing asks for anything: then the request says it. */
export function withAccept(request: HttpRequest): HttpRequest {
  const isSaid = request.headers.some(([name]) => name.toLowerCase() === "accept");
  return isSaid ? request : { ...request, headers: [["Accept", "*/*"], ...request.headers] };
}

/** Browsers send no body with these. */
export function bodyNotSentByBrowsers(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Names and values that HTTP can carry; others make `fetch` throw. */
export function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && !/[\0\r\n]|[^\0-\xff]/.test(value);
}
