/** Which addresses lie on the public internet. What strangers name is only ever fetched from there. */
import { BlockList, isIP } from "node:net";

/** Everything that is reserved, private, local or a way back to such: RFC 6890 and its successors. */
const reserved = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  reserved.addSubnet(network, prefix, "ipv4");

/** Of IPv6 only the global unicast range is public, without the parts of it that lead back to IPv4 or are reserved. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  reserved.addSubnet(network, prefix, "ipv6");

/** Compared by the bytes of the address, whatever its spelling. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, "ipv4");
  if (family === 6) return globalUnicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return false;
}
