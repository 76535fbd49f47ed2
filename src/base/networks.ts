/**
 * Parses IP addresses and CIDR ranges, and tests whether an address is in a range: `192.0.2.7`, `10.0.0.0/8`,
 * `2001:db8::/32`.
 */

import { BlockList, isIP } from "node:net";

/**
 * Whether a text is an IP address or a CIDR range. False for an address with a zone, such as `fe80::1%eth0`.
 */
export function isNetwork(text: string): boolean {
  const [base = "", prefix, ...rest] = text.split("/");
  const family = isIP(base);
  if (family === 0 || rest.length > 0 || base.includes("%")) return false;
  return (
    prefix === undefined ||
    (/^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  );
}

/**
 * Returns a function that checks whether an IP address is in one of the networks. The function returns false
 * for text that isn't an IP address. Throws if a network is invalid.
 */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    if (!isNetwork(network)) throw new Error(`${JSON.stringify(network)} isn't an IP address or CIDR range`);
    const [base = "", prefix] = network.split("/");
    const family = familyOf(base);
    if (prefix === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(prefix), family);
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
