/**
 * Determines the IP address of a client: the address of the connection or, if that belongs to a trusted proxy, the last address in
 * `X-Forwarded-For` that doesn't.
 */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { networkTest } from "../../base/networks.ts";

export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? "");
    // Each proxy appends the address of its peer. Only entries that trusted proxies have added are used.
    const hops = String(request.headers["x-forwarded-for"] ?? "").split(",");
    while (isTrusted(address)) {
      const hop = plain(hops.pop()?.trim() ?? "");
      if (!isIP(hop)) break;
      address = hop;
    }
    return address;
  };
}

/** Removes the `::ffff:` prefix of an IPv4 address on an IPv6 socket. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
