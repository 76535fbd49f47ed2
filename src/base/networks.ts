/** IP addresses and CIDR ranges: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`. */

import { BlockList, isIP } from "node:net";

/** Returns a function that checks whether an IP address is in one of the networks. Throws if a network is invalid. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
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
