/** Reads the host name of a request, which determines the site. */

import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { readHostName } from "../base/host-name.ts";

/** Normalized `Host` headers, because normalizing one takes longer than sending a small file. */
const known = new LRUCache<string, { host: string | undefined }>({ max: 1_000 });
/** Maximum length of a header in `known`. */
const known_chars = 255;

/**
 * Returns the host name in lowercase ASCII, or the IPv6 address in brackets, without the port. Undefined if
 * the `Host` header is missing, repeated or invalid.
 */
export function hostName(request: IncomingMessage): string | undefined {
  const { host } = request.headers;
  if (host === undefined || !hasOneHost(request)) return undefined;

  let found = known.get(host);
  if (!found) {
    found = { host: normalHost(host) };
    if (host.length <= known_chars) known.set(host, found);
  }

  return found.host;
}

/** Whether the `Host` header isn't missing or repeated. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") count++;
  return count === 1;
}

/**
 * Normalizes a `Host` header. Node.js decodes headers as Latin-1, but clients may send international names in
 * UTF-8.
 */
function normalHost(header: string): string | undefined {
  const text = header.replace(/:\d{1,5}$/, "");
  if (/^\[[\da-f:.]+\]$/i.test(text)) return text.toLowerCase();
  return readHostName(Buffer.from(text, "latin1").toString("utf8"));
}

/** Returns the origin that a request was sent to. The request must have a valid host name. */
export function originOf({ headers }: IncomingMessage, isSecure: boolean): string {
  return `${isSecure ? "https" : "http"}://${headers.host!.toLowerCase()}`;
}
