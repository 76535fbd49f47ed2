import { expect, test } from "vitest";
import { isNetwork, networkTest } from "./networks.ts";

test.each(["192.0.2.7", "10.0.0.0/8", "0.0.0.0/0", "2001:db8::/32", "::1/128"])("%s is a network", (text) => {
  expect(isNetwork(text)).toBe(true);
  expect(() => networkTest([text])).not.toThrow();
});

// An empty prefix must not mean a prefix of 0, which contains all addresses.
test.each([
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/8/8",
  "10.0.0.0/ 8",
  "10.0.0.0/08",
  "::/129",
  "fe80::1%eth0",
  "proxy",
  "",
])("%j is not a network", (text) => {
  expect(isNetwork(text)).toBe(false);
  expect(() => networkTest([text])).toThrow("isn't an IP address or CIDR range");
});
