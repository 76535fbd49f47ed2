/** Properties of a theme that are not in its style sheet, `styles/themes/<name>.css`. */
export interface Theme {
  /** Families of product fonts. Default for headings: the body font. */
  fonts: { body: string; heading?: string };
  /** Background colors of the page. Default: white, and nearly black in dark mode. */
  background?: { light: string; dark: string };
  /** Default of `styling.eyebrows` in docs.json. If absent, the default is `section`. */
  eyebrows?: "breadcrumbs";
}

/** The themes that `theme` in docs.json can select. Each theme is a variation of the same design. */
export const themes: Readonly<Record<string, Theme>> = {
  mint: { fonts: { body: "Inter" } },
  maple: { fonts: { body: "Manrope" } },
  palm: { fonts: { body: "Geist" } },
  willow: { fonts: { body: "DM Sans" } },
  linden: { fonts: { body: "JetBrains Mono" } },
  almond: { fonts: { body: "Figtree" } },
  aspen: { fonts: { body: "Roboto" }, eyebrows: "breadcrumbs" },
  sequoia: {
    fonts: { body: "Figtree", heading: "Crimson Pro" },
    background: { light: "#fdfbf7", dark: "#171512" },
  },
  luma: { fonts: { body: "Plus Jakarta Sans" } },
};

/** Returns the theme with this name, or `mint` if the name is unknown. */
export function themeOf(name: string): Theme {
  return themes[name] ?? themes.mint!;
}
