/** Whose request it is: the peer, or what a proxy that the operator trusts says of it. */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { networkTest } from "../../base/networks.ts";

export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = networkTest(trustedProxies);
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? "");
    // Each proxy adds the peer that it saw at the end: only what trusted ones added counts.
    const hops = String(request.headers["x-forwarded-for"] ?? "").split(",");
    while (isTrusted(address)) {
      const hop = plain(hops.pop()?.trim() ?? "");
      if (!isIP(hop)) break;
      address = hop;
    }
    return address;
  };
}

/** IPv4 that arrives over an IPv6 socket. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
