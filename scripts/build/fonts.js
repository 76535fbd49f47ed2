// Writes the fonts for sites: the full variable fonts, and the smaller files that themes preload.
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Blob, Face, Font } from "harfbuzzjs";
import subsetFont from "subset-font";

const fontsource = fileURLToPath(new URL("../../node_modules/@fontsource-variable", import.meta.url));

/** Weights of the fonts that themes use: a range, or a single weight for a heading font. */
const themeFonts = {
  inter: { min: 400, max: 700 },
  manrope: { min: 400, max: 700 },
  geist: { min: 400, max: 700 },
  "dm-sans": { min: 400, max: 700 },
  "jetbrains-mono": { min: 400, max: 700 },
  figtree: { min: 400, max: 700 },
  roboto: { min: 400, max: 700 },
  "plus-jakarta-sans": { min: 400, max: 700 },
  "crimson-pro": 600,
};

const codePoints = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
/** ASCII and common symbols. Pages preload a file with these characters of a theme's font. */
const basic = `${codePoints(0x20, 0x7e)}\u00a0©·×–—‘’“”•…←→`;
/**
 * The other letters and symbols of Western European languages. Pages in these languages preload the file with
 * these characters, too.
 */
const western = `${codePoints(0xa1, 0xff).replace(/[¤¦¨©ª¬¯´·¸¹²³º¼½¾×]/g, "")}‚„€™↑↓Œœ`;
/**
 * Letters of other languages with Latin script. Browsers load the file with these characters if a page
 * contains one of them.
 */
const extended = `${codePoints(0x100, 0x151)}${codePoints(0x154, 0x17f)}ȘșȚțẞ`;

/**
 * Widths of the letters a to z and of the space in thousandths of an em, for Helvetica and Arial, Times, and
 * monospaced fonts.
 */
const systemFonts = {
  sans: [
    556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556,
    500, 722, 500, 500, 500, 278,
  ],
  serif: [
    444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500,
    500, 722, 500, 500, 444, 250,
  ],
  mono: Array(27).fill(600),
};
/** How often these characters occur in English text, per thousand characters. */
const frequencies = [
  65, 12, 22, 35, 104, 18, 16, 50, 57, 1, 6, 33, 20, 57, 62, 15, 1, 49, 52, 74, 23, 8, 19, 1, 16, 1, 183,
];

/**
 * Writes the fonts, and `fonts.json`: the `unicode-range` values of the files of a theme's font, and
 * metrics for each family that give a system font the same size.
 */
export async function writeFonts(out) {
  await mkdir(out, { recursive: true });
  const families = {};
  for (const family of await readdir(fontsource)) {
    const source = (part) => path.join(fontsource, family, "files", `${family}-${part}-wght-normal.woff2`);
    await copyFile(source("latin"), path.join(out, `${family}.woff2`));
    const latin = await readFile(source("latin"));
    families[family] = await fallbackOf(family, latin);
    const wght = themeFonts[family];
    if (!wght) continue;
    families[family].weights = [wght.min ?? wght, wght.max ?? wght];
    const options = {
      targetFormat: "woff2",
      variationAxes: { wght },
      noLayoutClosure: true,
      // The file has none of the glyphs that the rules of the font for code insert.
      ...(/mono/.test(family) ? { keepFeatures: [] } : {}),
    };
    const parts = {
      basic: [latin, basic],
      western: [latin, western],
      extended: [await readFile(source("latin-ext")), extended],
    };
    for (const [part, [font, letters]] of Object.entries(parts))
      await writeFile(path.join(out, `${family}-${part}.woff2`), await subsetFont(font, letters, options));
  }
  const ranges = { basic: rangeOf(basic), western: rangeOf(western), extended: rangeOf(extended) };
  await writeFile(path.join(out, "fonts.json"), JSON.stringify({ ranges, families }));
}

/** The `unicode-range` for the characters in a text. */
function rangeOf(text) {
  const runs = [];
  for (const code of [...text].map((letter) => letter.codePointAt(0)).sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.end === code - 1) last.end = code;
    else runs.push({ start: code, end: code });
  }
  const hex = (code) => code.toString(16).toUpperCase();
  return runs
    .map(({ start, end }) => (start === end ? `U+${hex(start)}` : `U+${hex(start)}-${hex(end)}`))
    .join(",");
}

/**
 * The values of `size-adjust` and of the metric overrides, in percent, for a system font of the same kind.
 */
async function fallbackOf(family, woff2) {
  const kind = /mono/.test(family) ? "mono" : family === "crimson-pro" ? "serif" : "sans";
  const font = new Font(
    new Face(
      new Blob(await subsetFont(woff2, basic, { targetFormat: "truetype", variationAxes: { wght: 400 } })),
    ),
  );
  const em = font.face.upem;
  const letters = [..."abcdefghijklmnopqrstuvwxyz "].map(
    (letter) => (font.glyphHAdvance(font.nominalGlyph(letter.codePointAt(0))) / em) * 1000,
  );
  const widthOf = (widths) => widths.reduce((sum, width, index) => sum + width * frequencies[index], 0);
  const size = widthOf(letters) / widthOf(systemFonts[kind]);
  const { ascender, descender, lineGap } = font.hExtents();
  const percent = (value) => Math.round((value / em / size) * 10_000) / 100;
  return {
    kind,
    size: Math.round(size * 10_000) / 100,
    ascent: percent(ascender),
    descent: percent(-descender),
    gap: percent(lineGap),
  };
}
