/**
 * Determines the IP address of a client: the address of the connection or, if that belongs to a trusted
 * proxy, the last address in `X-Forwarded-For` that doesn't. Also determines the path that trusted proxies
 * have removed from requests.
 */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { basePath_chars, readBasePath } from "../../base/base-path.ts";
import { networkTest } from "../../base/networks.ts";

export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? "");
    // Each proxy appends the address of its peer. Only entries that trusted proxies have added are used.
    const hops = String(request.headers["x-forwarded-for"] ?? "").split(",");
    while (isTrusted(address)) {
      const hop = plain(withoutPort(hops.pop()?.trim() ?? ""));
      if (!isIP(hop)) break;
      address = hop;
    }
    return address;
  };
}

/**
 * Returns a function that reads `X-Forwarded-Prefix`: the paths that trusted proxies have removed from the
 * start of the request's path, the outermost first. Empty if there are none, the header is invalid, or the
 * request isn't from a trusted proxy.
 */
export function prefixReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    const header = String(request.headers["x-forwarded-prefix"] ?? "");
    if (header === "" || !isTrusted(plain(request.socket.remoteAddress ?? ""))) return "";
    const paths = header.split(",").map((path) => readBasePath(path.trim()));
    const whole = paths.join("");
    return paths.includes(undefined) || whole.length > basePath_chars ? "" : whole;
  };
}

/** Removes the port that some proxies add, as in `192.0.2.1:50123` and `[2001:db8::1]:50123`. */
function withoutPort(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]*)\](?::\d+)?$/, "$1$2");
}

/** Removes the `::ffff:` prefix of an IPv4 address on an IPv6 socket. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
