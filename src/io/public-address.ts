/**
 * Determines which IP addresses are on the public internet or belong to metadata services, and which ports
 * belong to web servers.
 */

import { BlockList, isIP } from "node:net";

/**
 * IPv4 networks that are reserved, private, local or used for internal services of cloud providers, and the
 * reserved networks inside `globalUnicast`, including 6to4, whose addresses contain an IPv4 address. See RFC
 * 6890 and its successors. Other IPv6 networks aren't listed, because they are outside `globalUnicast`.
 */
const reserved = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Internal services of IBM Cloud.
  ["161.26.0.0", 16],
  ["166.8.0.0", 14],
  ["168.63.129.16", 32],
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

/** The public range of IPv6. Reserved networks inside it are in `reserved`. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  reserved.addSubnet(network, prefix, "ipv6");

/**
 * Link-local addresses, and addresses of the metadata and host services of AWS, Azure, Google Cloud, Oracle
 * and Alibaba, which give credentials to any client.
 */
const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16, "ipv4");
for (const address of ["168.63.129.16", "192.0.0.192", "100.100.100.200"])
  metadata.addAddress(address, "ipv4");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addSubnet("fd00:ec2::", 32, "ipv6");
metadata.addSubnet("fd20:ce::", 32, "ipv6");

/**
 * Whether an IP address is in `metadata`. Also true for an IPv6 address that embeds an IPv4 address in
 * `metadata`.
 */
export function isMetadataAddress(address: string): boolean {
  const inside = embeddedIpv4(address);
  return (
    metadata.check(address, isIP(address) === 6 ? "ipv6" : "ipv4") ||
    (inside !== undefined && metadata.check(inside, "ipv4"))
  );
}

/**
 * Whether a port may belong to a web server: 80, 443, and ports from 1024. Most other ports belong to mail,
 * SSH and similar services.
 */
export function isWebPort(port: number): boolean {
  return port >= 1024 || port === 80 || port === 443;
}

/**
 * Returns the IPv4 address in a 6to4 address. For other IPv6 addresses, returns the last 32 bits, which
 * contain the IPv4 address in mapped and NAT64 addresses. Undefined for IPv4 addresses.
 */
function embeddedIpv4(address: string): string | undefined {
  const groups = isIP(address) === 6 ? groupsOf(address) : [];
  const [high, low] = groups[0] === 0x2002 ? groups.slice(1, 3) : groups.slice(6);
  if (high === undefined || low === undefined) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const numbers = (text: string) =>
    text.split(":").flatMap((group) => (group === "" ? [] : [Number.parseInt(group, 16)]));
  const [before, after] = [numbers(head), numbers(tail ?? "")];
  return tail === undefined
    ? before
    : [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * Whether an IP address is on the public internet. False for IPv6 addresses that embed an IPv4 address
 * (mapped, NAT64 and 6to4), and for text that isn't an IP address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, "ipv4");
  if (family === 6) return globalUnicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return false;
}
