import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { addressReader } from "./client-address.ts";

const read = addressReader(["10.0.0.0/8", "fd00::/8"]);
const addressOf = (remoteAddress: string, forwarded: string) =>
  read({
    socket: { remoteAddress },
    headers: { "x-forwarded-for": forwarded },
  } as unknown as IncomingMessage);

test.each([
  ["198.51.100.7", "198.51.100.7"],
  ["203.0.113.9, 198.51.100.7", "198.51.100.7"],
  ["198.51.100.7, 10.0.0.2", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  // Some proxies add the port.
  ["198.51.100.7:50123", "198.51.100.7"],
  ["203.0.113.9, 198.51.100.7:50123, 10.0.0.2:80", "198.51.100.7"],
  ["2001:db8::7", "2001:db8::7"],
  ["[2001:db8::7]:50123", "2001:db8::7"],
  ["[2001:db8::7]", "2001:db8::7"],
  ["[2001:db8::7]:50123, [fd00::2]:80", "2001:db8::7"],
])("%s", (forwarded, expected) => {
  expect(addressOf("10.0.0.1", forwarded)).toBe(expected);
});

test.each(["", "unknown", "198.51.100.7:", "[198.51.100.7", "198.51.100:1", "[x]:1", "203.0.113.9, unknown"])(
  "%j is ignored",
  (forwarded) => {
    expect(addressOf("10.0.0.1", forwarded)).toBe("10.0.0.1");
  },
);

test("the header of other clients is ignored", () => {
  expect(addressOf("198.51.100.1", "198.51.100.7:1")).toBe("198.51.100.1");
});
