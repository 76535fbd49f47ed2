/** IP address of a client: of the connection, or from `X-Forwarded-For` if the connection is from a trusted proxy. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { networkTest } from "../../base/networks.ts";

export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? "");
    // Each proxy appends the peer that it saw. Only entries of trusted proxies count.
    const hops = String(request.headers["x-forwarded-for"] ?? "").split(",");
    while (isTrusted(address)) {
      const hop = plain(hops.pop()?.trim() ?? "");
      if (!isIP(hop)) break;
      address = hop;
    }
    return address;
  };
}

/** Removes the prefix of IPv4 addresses on IPv6 sockets. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
