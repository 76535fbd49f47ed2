/** Headers that scripts may not set: the browser would drop them without a word. */
const forbidden = new Set(
  `accept-charset accept-encoding access-control-request-headers access-control-request-method access-control-request-private-network
  connection content-length cookie cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade via`.split(
    /\s+/,
  ),
);

export function notSentByBrowsers(name: string): boolean {
  const lower = name.toLowerCase();
  return forbidden.has(lower) || lower.startsWith("proxy-") || lower.startsWith("sec-");
}

/** Browsers send no body with these. */
export function bodyNotSentByBrowsers(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** Names and values that HTTP can carry; others make `fetch` throw. */
export function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && !/[\0\r\n]|[^\0-\xff]/.test(value);
}
