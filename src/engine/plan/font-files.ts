/** Plans the font files of an export. */

import { siteFolder } from "../../layout/site-layout.ts";
import type { FallbackFace, FontFace, SiteAppearance } from "../frame/site-css.ts";
import type { SiteFont, SiteFonts } from "../site/sources/fonts.ts";
import type { ProductAssets } from "./export-target.ts";

interface FontPlan {
  fonts: NonNullable<SiteAppearance["fonts"]>;
  preload: PreloadedFonts;
}

/**
 * Paths of the files that pages preload, and of those that pages in Western European languages preload, too.
 */
export interface PreloadedFonts {
  basic: string[];
  western: string[];
}

/**
 * The content of `fonts.json` in the product's build. Some fonts also have smaller files, each with fewer
 * characters and weights. `weights`: range of the weights in the smaller files; absent if the font has no
 * smaller files.
 */
interface ProductFonts {
  ranges: Record<(typeof parts)[number], string>;
  families: Record<
    string,
    { kind: keyof typeof systemFonts; weights?: [number, number] } & FallbackFace["metrics"]
  >;
}

/** The smaller files of a font, by their characters. */
const parts = ["basic", "western", "extended"] as const;

/**
 * System fonts that are used as fallbacks. The metrics in `fonts.json` are computed for their widths, so all
 * fonts of a list have the same widths.
 */
const systemFonts = {
  sans: ["Arial", "Liberation Sans", "Arimo"],
  serif: ["Times New Roman", "Liberation Serif", "Tinos"],
  mono: ["Liberation Mono", "Cousine", "Courier New"],
};

/** Languages that need only the letters of the files `basic` and `western`. */
const westernLanguages = /^(?:ca|da|de|es|eu|fi|fr|gl|is|it|nb|nl|nn|no|pt|sv)\b/i;

/** Returns the fonts that a page in a language preloads. */
export function preloadedFonts({ basic, western }: PreloadedFonts, language: string): string[] {
  return westernLanguages.test(language) ? [...basic, ...western] : basic;
}

/**
 * Plans the fonts of a site. `fileUrl` returns the URL of a file in the documentation folder, relative to the
 * style sheet.
 */
export function planFonts(
  { body, heading, mono }: SiteFonts,
  product: ProductAssets,
  add: (name: string, content: Uint8Array) => string,
  fileUrl: (path: string) => string,
): FontPlan {
  const known = JSON.parse(new TextDecoder().decode(product.read("fonts/fonts.json"))) as ProductFonts;
  const faces: FontFace[] = [];
  const fallbacks = new Map<string, FallbackFace>();
  const preload: PreloadedFonts = { basic: [], western: [] };
  const addProductFont = (
    { family, weight }: SiteFont,
    id: string,
    { isHeading, isCode }: { isHeading: boolean; isCode: boolean },
  ) => {
    const { kind, weights, ...metrics } = known.families[id]!;
    fallbacks.set(family, { family: `${family} fallback`, local: systemFonts[kind], metrics });

    const face = (name: string) => {
      const path = add(`${name}.woff2`, product.read(`fonts/${name}.woff2`));
      return { path, face: { family, url: path.slice(siteFolder.length), format: "woff2" } as const };
    };

    // Text also needs its bold weight. The smaller files have fewer weights.
    const [from, to] = isHeading ? [weight ?? 600, weight ?? 600] : [Math.min(weight ?? 400, 400), 700];
    if (!weights || from < weights[0] || to > weights[1]) {
      faces.push({ ...face(id).face, weight: "100 900" });
      return;
    }

    const span = weights[0] === weights[1] ? String(weights[0]) : weights.join(" ");
    for (const part of parts) {
      // In code, letters of other languages are rare, and the fallback has the same width.
      if (isCode && part === "extended") continue;
      const { path, face: source } = face(`${id}-${part}`);
      faces.push({ ...source, weight: span, range: known.ranges[part] });
      // Browsers load the font for code only on pages with code.
      if (!isCode && part !== "extended") preload[part].push(path);
    }
  };

  const used = [mono, heading?.fallback, heading, body?.fallback, body];
  for (const font of new Map(used.flatMap((font) => (font ? [[font.family, font]] : []))).values()) {
    const { file, weight, format, family } = font;
    if (file?.kind === "product") {
      addProductFont(font, file.id, {
        isHeading: font === heading || font === heading?.fallback,
        isCode: font === mono,
      });
    } else if (file) {
      const url = file.kind === "url" ? file.url : fileUrl(file.path);
      faces.push({
        family,
        url,
        ...(weight ? { weight: String(weight) } : {}),
        ...(format ? { format } : {}),
      });
    }
  }

  return {
    fonts: { body, ...(heading ? { heading } : {}), mono, faces, fallbacks: [...fallbacks.values()] },
    preload,
  };
}
