import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHex, toHex } from "./color.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("color", () => {
  it("parses the colors that it writes", () => {
    fc.assert(
      fc.property(hex, (value) => {
        expect(toHex(parseHex(value)!)).toBe(value);
      }),
    );
  });

  it.each(["", "red", "#12", "#ggg", "url(x)"])("does not parse %j", (value) =>
    expect(parseHex(value)).toBeUndefined(),
  );
});
