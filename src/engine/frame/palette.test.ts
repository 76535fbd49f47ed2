import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast, mix, type Oklch, parseHex, toHex } from "./color.ts";
import { palettes } from "./palette.ts";

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const hostile = [
  "#000000",
  "#ffffff",
  "#ffff00",
  "#00ff00",
  "#00ffff",
  "#ff00ff",
  "#777777",
  "#808000",
  "#0000ff",
  "#fefefe",
  "#010101",
  "#f5c518",
  "#0d9373",
];

function read(value: string | undefined): Oklch {
  const color = value && parseHex(value);
  if (!color) throw new Error(`no color: ${value}`);
  return color;
}

function expectReadable(
  primary: string,
  light?: string,
  dark?: string,
  background?: { light?: string; dark?: string },
) {
  const modes = palettes({ primary, ...(light && { light }), ...(dark && { dark }) }, background);
  const grounds = {
    light: { page: "#ffffff", share: 0.07 },
    dark: { page: toHex({ l: 0.175, c: 0.008, h: 0 }), share: 0.12 },
  };
  for (const mode of ["light", "dark"] as const) {
    const tokens = modes[mode];
    const page = read(tokens.bg ?? grounds[mode].page);
    const accent = read(tokens.accent);
    const about = JSON.stringify({ primary, light, dark, background, mode, tokens });
    expect(contrast(accent, page), about).toBeGreaterThanOrEqual(4.45);
    expect(contrast(accent, mix(accent, page, grounds[mode].share)), about).toBeGreaterThanOrEqual(4.45);
    for (const solid of ["accent-solid", "accent-solid-hover"]) {
      expect(
        contrast(read(tokens[solid]), read(tokens["on-accent"])),
        `${solid} ${about}`,
      ).toBeGreaterThanOrEqual(4.45);
    }
    if (tokens["text-muted"]) {
      expect(contrast(read(tokens["text-muted"]), read(tokens["surface-3"])), about).toBeGreaterThanOrEqual(
        4.45,
      );
    }
  }
}

describe("palettes", () => {
  it.each(hostile)("keeps text readable with %s", (primary) => {
    expectReadable(primary);
    for (const other of hostile) {
      expectReadable(primary, other, other);
      expectReadable(primary, undefined, undefined, { light: other, dark: other });
    }
  });

  it("keeps text readable with any colors on any background", () => {
    fc.assert(
      fc.property(hex, hex, hex, hex, hex, (primary, light, dark, a, b) =>
        expectReadable(primary, light, dark, { light: a, dark: b }),
      ),
      { numRuns: 1000 },
    );
  });

  it("sets the background of both modes if one is configured", () => {
    const { light, dark } = palettes({ primary: "#7c3aed" }, { light: "#fdfcff" });
    expect(light.bg).toBe("#fdfcff");
    expect(Object.keys(dark)).toEqual(Object.keys(light));
    expect(contrast(read(dark.bg), { l: 1, c: 0, h: 0 })).toBeGreaterThan(12);
  });

  it.each(["#0077ff", "#0d9373", "#f72585"])("darkens %s slightly for white text on buttons", (primary) => {
    const { "accent-solid": solid, "on-accent": text } = palettes({ primary }).light;
    expect(text).toBe("#ffffff");
    expect(solid).not.toBe(primary);
    expect(parseHex(primary)!.l - parseHex(solid!)!.l).toBeLessThan(0.07);
  });

  it.each(["#ffcc00", "#3538cd"])("keeps %s for surfaces, whatever contrast it has", (primary) => {
    const { light, dark } = palettes({ primary });
    expect([light["accent-solid"], dark["accent-solid"]]).toEqual([primary, primary]);
  });

  it.each(["#000", "#444444", "#6b7280", "#777", "#94a3b8", "#e5e5e5", "#fff"])(
    "never makes an accent of %s dimmer than text",
    (gray) => {
      const { light, dark } = palettes({ primary: gray });
      expect(read(light.accent).l).toBeLessThan(0.5);
      expect(read(dark.accent).l).toBeGreaterThan(0.71);
    },
  );

  it("gives a gray accent the contrast of strong text", () => {
    const { light, dark } = palettes({ primary: "#444444" });
    expect(read(light.accent).l).toBeCloseTo(0.2, 2);
    expect(read(dark.accent).l).toBeCloseTo(0.97, 2);
    expect(light["accent-solid"]).toBe("#444444");
  });

  it("does not change a color with enough contrast", () => {
    expect(palettes({ primary: "#3538cd" }).light.accent).toBe("#3538cd");
  });
});
