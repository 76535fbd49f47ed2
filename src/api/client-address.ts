/** Whose request it is: the peer, or what a proxy that the operator trusts says of it. */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList();
  for (const network of trustedProxies) {
    const [base = "", prefix] = network.split("/");
    const family = isIP(base) === 6 ? "ipv6" : "ipv4";
    trusted.addSubnet(base, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
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
