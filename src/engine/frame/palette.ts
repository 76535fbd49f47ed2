/** Derives the colors of a site, with enough contrast, from the colors in docs.json. */

import { contrast, mix, type Oklch, parseHex, toHex } from "./color.ts";

/** Colors of a site, as hex values from docs.json. */
export interface SiteColors {
  primary: string;
  /** Accent color in dark mode. Default: primary. */
  light?: string;
  /** Color of buttons in both modes. Default: primary. */
  dark?: string;
}

interface Background {
  color?: { light?: string; dark?: string };
}

/**
 * Values of the design tokens that depend on the site's colors, for one color mode. Keys are token names
 * without their prefix.
 */
type Palette = Record<string, string>;

/**
 * Returns a color for use as the background of white text, darkened if necessary. Undefined for an invalid
 * color.
 */
export function backgroundForWhite(hex: string): string | undefined {
  const color = parseHex(hex);
  return color && toHex(readable(color, () => [white], false));
}

/** Minimum contrast of text (WCAG AA). */
const aa = 4.5;
/**
 * How much the background of a button may be darkened for white text. White text is what most brands use on
 * their color.
 */
const darkening = 0.06;
const fallback: Oklch = { l: 0.51, c: 0.23, h: 277 };
const white: Oklch = { l: 1, c: 0, h: 0 };

interface Mode {
  dark: boolean;
  /**
   * Lightness of the page's background, from 0 to 1. `steps`: difference of `surface`, `surface-2` and
   * `surface-3` from this lightness.
   */
  ground: number;
  steps: [number, number, number];
  /**
   * Range that the lightness of a custom background is limited to, so that the other colors stay readable.
   */
  limit: [number, number];
  /** Lightness of muted and of strong text. */
  muted: number;
  strong: number;
  /** Share of the accent color in soft backgrounds, from 0 to 1. */
  softShare: number;
}

// Must match tokens.css.
const lightMode: Mode = {
  dark: false,
  ground: 1,
  steps: [-0.017, -0.04, -0.065],
  limit: [0.88, 1],
  muted: 0.5,
  strong: 0.2,
  softShare: 0.07,
};
const darkMode: Mode = {
  dark: true,
  ground: 0.175,
  steps: [0.035, 0.075, 0.115],
  limit: [0, 0.32],
  muted: 0.71,
  strong: 0.97,
  softShare: 0.12,
};

/**
 * Computes the colors of both modes. If accent or muted text has too little contrast, its lightness is
 * changed. An invalid primary color is replaced with a default.
 */
export function palettes(
  colors: SiteColors,
  background: { light?: string; dark?: string } = {},
): { light: Palette; dark: Palette } {
  const primary = parseHex(colors.primary) ?? fallback;
  const emphasis = (colors.light && parseHex(colors.light)) || primary;
  const button = (colors.dark && parseHex(colors.dark)) || primary;
  // If one mode has a custom background, both modes set theirs.
  const grounds = background.light || background.dark ? background : undefined;
  return {
    light: palette(lightMode, primary, primary, button, grounds && (grounds.light ?? "")),
    dark: palette(darkMode, primary, emphasis, button, grounds && (grounds.dark ?? "")),
  };
}

/** A color of docs.json that has too little contrast for text. */
export interface ChangedColor {
  key: "primary" | "light";
  color: string;
  mode: "light" | "dark";
  /** Contrast to the page's background, from 1 to 21. */
  contrast: number;
  /** The color that is used instead, as a hex value. */
  used: string;
}

/** Returns the colors that `palettes` changes because text would have too little contrast. */
export function changedColors(
  colors: SiteColors,
  background: { light?: string; dark?: string } = {},
): ChangedColor[] {
  const found = palettes(colors, background);
  return [lightMode, darkMode].flatMap((mode): ChangedColor[] => {
    const name = mode.dark ? "dark" : "light";
    const key = mode.dark && colors.light && parseHex(colors.light) ? "light" : "primary";
    const color = colors[key] && parseHex(colors[key]);
    if (!color) return [];
    const chosen = parseHex(background[name] ?? "");
    const page = chosen ? limited(chosen, mode.limit) : { l: mode.ground, c: 0, h: 0 };
    const ratio = contrast(color, page);
    const used = found[name].accent!;
    return ratio < aa ? [{ key, color: colors[key]!, mode: name, contrast: ratio, used }] : [];
  });
}

/** Returns the colors of a site for utility classes such as `bg-primary`, by name. Without invalid colors. */
export function namedColors({
  colors,
  background,
}: {
  colors: SiteColors;
  background?: Background;
}): Record<string, string> {
  const ground = ({ ground: l }: Mode) => toHex({ l, c: 0, h: 0 });
  const named = {
    primary: colors.primary,
    "primary-light": colors.light ?? colors.primary,
    "primary-dark": colors.dark ?? colors.primary,
    "background-light": background?.color?.light ?? ground(lightMode),
    "background-dark": background?.color?.dark ?? ground(darkMode),
  };

  return Object.fromEntries(
    Object.entries(named).flatMap(([name, text]) => {
      const color = parseHex(text);
      return color ? [[name, toHex(color)]] : [];
    }),
  );
}

function palette(
  mode: Mode,
  primary: Oklch,
  emphasis: Oklch,
  button: Oklch,
  background: string | undefined,
): Palette {
  // A gray primary color adds no tint.
  const tint = primary.c > 0.02 ? 0.006 : 0;
  const chosen = background && parseHex(background);
  const page = chosen
    ? limited(chosen, mode.limit)
    : { l: mode.ground, c: mode.dark ? tint * 1.4 : 0, h: primary.h };

  const surfaces = mode.steps.map((step) => ({ ...page, l: Math.min(1, page.l + step) })) as [
    Oklch,
    Oklch,
    Oklch,
  ];

  const accent = readable(
    distinct(emphasis, mode),
    (color) => [page, surfaces[1], mix(color, page, mode.softShare)],
    mode.dark,
  );

  const { solid, text } = solidOf(button, page, accent);
  const hover = { ...solid, l: solid.l + (text.l > 0.5 ? -0.05 : 0.05) };
  const tokens: Palette = {
    hue: primary.h.toFixed(1),
    tint: String(tint),
    accent: toHex(accent),
    "accent-solid": toHex(solid),
    "accent-solid-hover": toHex(hover),
    "on-accent": toHex(text),
  };

  if (background !== undefined) {
    const muted = readable({ l: mode.muted, c: tint * 1.5, h: primary.h }, () => surfaces, mode.dark);
    Object.assign(tokens, {
      bg: toHex(page),
      surface: toHex(surfaces[0]),
      "surface-2": toHex(surfaces[1]),
      "surface-3": toHex(surfaces[2]),
      border: toHex({ ...page, l: page.l + (mode.dark ? 0.11 : -0.08) }),
      "border-strong": toHex({ ...page, l: page.l + (mode.dark ? 0.2 : -0.16) }),
      "text-muted": toHex(muted),
      // The colors of code are chosen for this background.
      "code-bg": toHex({ l: mode.dark ? 0.21 : 0.985, c: page.c / 2, h: page.h }),
    });
  }

  return tokens;
}

/**
 * Makes a grayish accent color different from normal text: the closer the color is to gray, the closer its
 * lightness is moved to that of strong text.
 */
function distinct(color: Oklch, { dark, strong }: Mode): Oklch {
  const grayness = Math.min(1, Math.max(0, (0.06 - color.c) / 0.04));
  const l = color.l + (strong - color.l) * grayness;
  return { ...color, l: dark ? Math.max(color.l, l) : Math.min(color.l, l) };
}

function limited(color: Oklch, [low, high]: [number, number]): Oklch {
  return { ...color, l: Math.min(high, Math.max(low, color.l)) };
}

/**
 * Lightens a color (or darkens it, if `lighter` is false) until it has enough contrast to every background.
 * Returns white or black if no such color has enough contrast.
 */
function readable(color: Oklch, grounds: (color: Oklch) => readonly Oklch[], lighter: boolean): Oklch {
  const end = lighter ? 1 : 0;
  const step = lighter ? 0.005 : -0.005;
  let current = color;
  while (current.l !== end && grounds(current).some((ground) => contrast(current, ground) < aa)) {
    current = { ...current, l: Math.min(1, Math.max(0, current.l + step)) };
  }
  return current;
}

/**
 * Returns the background and text colors of buttons. The background is the button color, or the accent color
 * if the button color is too similar to the page. The text is white if the background has to be darkened only
 * slightly for this, and dark otherwise.
 */
function solidOf(button: Oklch, page: Oklch, accent: Oklch): { solid: Oklch; text: Oklch } {
  // A button without contrast to the page gets the accent color.
  const solid = contrast(button, page) < 1.3 ? accent : button;
  const darkened = readable(solid, () => [white], false);
  if (solid.l - darkened.l <= darkening) return { solid: darkened, text: white };
  return { solid, text: readable({ l: 0.2, c: 0.02, h: solid.h }, () => [solid], false) };
}
