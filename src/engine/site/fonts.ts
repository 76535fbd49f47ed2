/** Reads the fonts of a site: product fonts, files in the documentation folder, or URLs. */

import { type Problem, problem } from "../../base/problem.ts";
import type { PositionOf } from "../config/docs-json.ts";
import type { DocsJson } from "../config/schema.ts";
import type { LinkTargets } from "./link-targets.ts";

export interface SiteFont {
  family: string;
  weight?: number;
  /** Source of the font file; absent for a family that readers must have installed. */
  file?: { kind: "product"; name: string } | { kind: "folder"; path: string } | { kind: "url"; url: string };
  format?: "woff" | "woff2";
}

export interface SiteFonts {
  body?: SiteFont;
  heading?: SiteFont;
}

/** Files of the product's variable fonts, by family in lowercase. */
export const productFonts: Readonly<Record<string, string>> = Object.fromEntries(
  ["Inter", "Geist", "DM Sans", "Manrope", "Roboto", "Open Sans", "Source Sans 3", "Plus Jakarta Sans", "JetBrains Mono"].map((family) => [
    family.toLowerCase(),
    `${family.toLowerCase().replaceAll(" ", "-")}.woff2`,
  ]),
);

type FontSetting = NonNullable<NonNullable<DocsJson["fonts"]>["body"]>;

export function readFonts(
  settings: DocsJson,
  served: LinkTargets["served"],
  placeOf: PositionOf,
): { fonts: SiteFonts; problems: Problem[] } {
  const problems: Problem[] = [];
  const { heading, body, ...shared } = settings.fonts ?? {};
  const read = (part: "heading" | "body", own: FontSetting | undefined): SiteFont | undefined => {
    const { family, weight, source, format } = { ...shared, ...own };
    if (!family) return undefined;
    const font: SiteFont = { family, ...(weight ? { weight } : {}), ...(format ? { format } : {}) };
    const path = source?.replace(/^\.?\//, "");
    if (source && /^https:\/\//.test(source)) return { ...font, file: { kind: "url", url: source } };
    if (path && served.has(path)) return { ...font, file: { kind: "folder", path } };
    const name = productFonts[family.toLowerCase()];
    if (!source && name) return { ...font, format: "woff2", file: { kind: "product", name } };
    const at = placeOf(own ? ["fonts", part] : ["fonts"]);
    problems.push(
      problem(
        "font-unavailable",
        at,
        source ? `Font file not found: ${source}` : `Octavo doesn't include the font ${family}`,
        "Add a .woff2 file to the folder and set source and format.",
      ),
    );
    return font;
  };
  const fonts: SiteFonts = {};
  const bodyFont = read("body", body);
  if (bodyFont) fonts.body = bodyFont;
  const headingFont = heading ? read("heading", heading) : undefined;
  if (headingFont && JSON.stringify(headingFont) !== JSON.stringify(bodyFont)) fonts.heading = headingFont;
  return { fonts, problems };
}
