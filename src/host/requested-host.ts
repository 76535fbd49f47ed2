/** Reads the host name of a request, which determines the site. */

import type { IncomingMessage } from "node:http";
import { readHostName } from "../base/host-name.ts";

/**
 * Returns the host name in lowercase ASCII, or the IPv6 address in brackets, without the port. Undefined if
 * the `Host` header is missing, repeated or invalid.
 */
export function hostName(request: IncomingMessage): string | undefined {
  const named: string[] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    if (request.rawHeaders[i]!.toLowerCase() === "host") named.push(request.rawHeaders[i + 1]!);
  return named.length === 1 ? normalHost(named[0]!) : undefined;
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
