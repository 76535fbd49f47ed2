/** Groups IP addresses by the visitor and the network that they probably belong to. */

import { isIPv6 } from "node:net";

/** Returns the visitor of an IP address: the IPv4 address, or the IPv6 /64. */
export function visitorOf(address: string): string {
  return isIPv6(address) ? `${ipv6Groups(address).slice(0, 4).join(":")}::/64` : address;
}

/**
 * Returns the network of an IP address: IPv4 /24 or IPv6 /48. An internet provider's customers can usually
 * change addresses within this network.
 */
export function networkOf(address: string): string {
  return isIPv6(address)
    ? `${ipv6Groups(address).slice(0, 3).join(":")}::/48`
    : address.replace(/\.\d+$/, ".0/24");
}

/** Expands an IPv6 address to eight groups without leading zeros. */
function ipv6Groups(address: string): string[] {
  const text = address.replace(/%.*$/s, "").replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`;
  });
  const [head = "", tail] = text.split("::");
  const [first, last] = [head, tail ?? ""].map((part) => part.split(":").filter((group) => group !== ""));
  const missing = tail === undefined ? 0 : 8 - first!.length - last!.length;
  return [...first!, ...Array.from({ length: missing }, () => "0"), ...last!].map((group) =>
    Number.parseInt(group, 16).toString(16),
  );
}
