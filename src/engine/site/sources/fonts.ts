/**
 * Determines the fonts of a site: those of its theme, other product fonts, files in the documentation folder,
 * or URLs.
 */

import { nearest } from "../../../base/nearest.ts";
import { type Problem, problem } from "../../../base/problem.ts";
import type { PositionOf } from "../../config/docs-json.ts";
import type { DocsJson } from "../../config/docs-json-schema.ts";
import { themeOf } from "../../frame/themes.ts";
import type { LinkTargets } from "../navigation/link-targets.ts";

export interface SiteFont {
  family: string;
  weight?: number;
  /** Source of the font file. Absent for a family that readers must have installed. */
  file?: { kind: "product"; id: string } | { kind: "folder"; path: string } | { kind: "url"; url: string };
  format?: "woff" | "woff2";
  /** The theme's font, if there is no file for the family. */
  fallback?: SiteFont;
}

export interface SiteFonts {
  body: SiteFont;
  heading?: SiteFont;
  /** The font for code. */
  mono: SiteFont;
}

/** Families of the product's fonts. A font file is named after the id of its family. */
const productFamilies = [
  "Inter",
  "Geist",
  "DM Sans",
  "Figtree",
  "Manrope",
  "Roboto",
  "Open Sans",
  "Source Sans 3",
  "Plus Jakarta Sans",
  "Crimson Pro",
  "JetBrains Mono",
];
const idOf = (family: string) => family.toLowerCase().replaceAll(" ", "-");
const productIds: ReadonlySet<string> = new Set(productFamilies.map(idOf));

function productFont(family: string): SiteFont {
  return { family, file: { kind: "product", id: idOf(family) }, format: "woff2" };
}

type FontSetting = NonNullable<NonNullable<DocsJson["fonts"]>["body"]>;

export function readFonts(
  settings: DocsJson,
  served: LinkTargets["served"],
  placeOf: PositionOf,
): { fonts: SiteFonts; problems: Problem[] } {
  const problems: Problem[] = [];
  const theme = themeOf(settings.theme).fonts;
  const { heading, body, ...shared } = settings.fonts ?? {};
  const read = (part: "heading" | "body", own: FontSetting | undefined): SiteFont | undefined => {
    const { family, weight, source, format } = { ...shared, ...own };
    if (!family) return undefined;
    const font: SiteFont = { family, ...(weight ? { weight } : {}), ...(format ? { format } : {}) };
    const path = source?.replace(/^\.?\//, "");
    if (source && /^https:\/\//.test(source)) return { ...font, file: { kind: "url", url: source } };
    if (path && served.has(path)) return { ...font, file: { kind: "folder", path } };
    if (!source && productIds.has(idOf(family)))
      return { ...productFont(family), ...(weight ? { weight } : {}) };

    const at = placeOf(own ? ["fonts", part] : ["fonts"]);
    const near = source ? undefined : nearest(family, productFamilies);
    problems.push(
      problem(
        "font-unavailable",
        at,
        source ? `Font file not found: ${source}` : `Octavo doesn't include the font ${family}`,
        near ? `Did you mean ${near}?` : "Add a .woff2 file to the folder and set source and format.",
      ),
    );

    return { ...font, fallback: productFont((part === "heading" && theme.heading) || theme.body) };
  };

  const ownBody = read("body", body);
  const bodyFont = ownBody ?? productFont(theme.body);
  const ownHeading = heading && read("heading", heading);
  const themeHeading = theme.heading && productFont(theme.heading);

  // A family for all text replaces both the body font and the heading font of the theme, unless there is no
  // file for it.
  const shownHeading = !shared.family
    ? themeHeading
    : themeHeading && ownBody?.fallback && { ...ownBody, fallback: themeHeading };
  const headingFont = ownHeading ?? shownHeading;
  return {
    fonts: {
      body: bodyFont,
      ...(headingFont && JSON.stringify(headingFont) !== JSON.stringify(bodyFont)
        ? { heading: headingFont }
        : {}),
      mono: productFont("JetBrains Mono"),
    },
    problems,
  };
}
