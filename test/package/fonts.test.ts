import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Blob, Buffer, Face, Font, shape } from "harfbuzzjs";
import { expect, test } from "vitest";
import { root } from "../engine/build.ts";

// The package has no types.
const subsetFont = createRequire(import.meta.url)("subset-font") as (
  font: Uint8Array,
  text: string,
  options: object,
) => Promise<Uint8Array>;

const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const signs = [..."=<>!-+*/|&:.#~?^%"];

test("the smaller file of the font for code has the same glyphs in the same places as with all rules of the font", async () => {
  const fontOf = async (file: string) => {
    const options = {
      targetFormat: "truetype",
      variationAxes: { wght: 400 },
      noLayoutClosure: true,
    } as const;
    return new Font(
      new Face(new Blob(await subsetFont(readFileSync(path.join(root, file)), ascii.join(""), options))),
    );
  };
  const glyphsIn = (font: Font, text: string) => {
    const buffer = new Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    return buffer
      .getGlyphInfosAndPositions()
      .map(({ codepoint, xAdvance, xOffset, yOffset }) => [codepoint, xAdvance, xOffset, yOffset].join());
  };

  const all = await fontOf(
    "node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  );
  const small = await fontOf("dist/assets/fonts/jetbrains-mono-basic.woff2");
  const pairs = ascii.flatMap((first) => ascii.map((second) => first + second));
  const triples = signs.flatMap((first) =>
    signs.flatMap((second) => signs.map((third) => first + second + third)),
  );
  const differs = [...pairs, ...triples].filter(
    (text) => glyphsIn(all, text).join(" ") !== glyphsIn(small, text).join(" "),
  );
  expect(differs).toEqual([]);
});
