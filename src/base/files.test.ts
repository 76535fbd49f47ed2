/** Texts of files. */

import { expect, test } from "vitest";
import { decodeText } from "./files.ts";

test.each([
  ["\r\n, \\r and \\n are line breaks", "a\r\nb\rc\nd", "a\nb\nc\nd"],
  ["a byte order mark is removed", "\ufeffa", "a"],
])("%s", (_, text, expected) => {
  expect(decodeText(Buffer.from(text))).toBe(expected);
});

test("invalid bytes are replaced", () => {
  expect(decodeText(Uint8Array.of(0x61, 0xff))).toBe("a\ufffd");
});
