import { contrast, mix, type Oklch, parseHex, toHex } from "./color.ts";

/** What a site says of its colours: hex values of `docs.json`. */
export interface SiteColors {
  primary: string;
  /** Emphasis in dark mode; primary when absent. */
  light?: string;
  /** Buttons in both modes; primary when absent. */
  dark?: string;
}

/** The token values of one mode that come from the site's colours: name without its prefix → value. */
export type Palette = Record<string, string>;

/** A colour as the ground for white text: darkened where it must be. Undefined when it is no colour. */
export function groundForWhite(hex: string): string | undefined {
  const colour = parseHex(hex);
  return colour && toHex(readable(colour, () => [white], false));
}

/** Text is readable from here on (WCAG AA). */
const aa = 4.5;
const fallback: Oklch = { l: 0.51, c: 0.23, h: 277 };
const white: Oklch = { l: 1, c: 0, h: 0 };

interface Mode {
  dark: boolean;
  /** The page and what lies on it, as lightness steps from the page: surface, -2, -3. */
  ground: number;
  steps: [number, number, number];
  /** How far a site's own background may go before the mode's other colours stop being readable. */
  limit: [number, number];
  muted: number;
  softShare: number;
}

// The same numbers as in tokens.css.
const lightMode: Mode = { dark: false, ground: 1, steps: [-0.017, -0.04, -0.065], limit: [0.88, 1], muted: 0.5, softShare: 0.07 };
const darkMode: Mode = { dark: true, ground: 0.175, steps: [0.035, 0.075, 0.115], limit: [0, 0.32], muted: 0.71, softShare: 0.12 };

/**
 * Works out the colours of both modes. A colour that could not be read as text keeps its hue
 * and is moved in lightness until it can.
 */
export function palettes(colors: SiteColors, background: { light?: string; dark?: string } = {}): { light: Palette; dark: Palette } {
  const primary = parseHex(colors.primary) ?? fallback;
  const emphasis = (colors.light && parseHex(colors.light)) || primary;
  const button = (colors.dark && parseHex(colors.dark)) || primary;
  // A ground that one mode names must not shine through in the other: then both name theirs.
  const grounds = background.light || background.dark ? background : undefined;
  return {
    light: palette(lightMode, primary, primary, button, grounds && (grounds.light ?? "")),
    dark: palette(darkMode, primary, emphasis, button, grounds && (grounds.dark ?? "")),
  };
}

function palette(mode: Mode, primary: Oklch, emphasis: Oklch, button: Oklch, background: string | undefined): Palette {
  // A grey primary has no hue worth tinting with.
  const tint = primary.c > 0.02 ? 0.006 : 0;
  const chosen = background && parseHex(background);
  const page = chosen ? limited(chosen, mode.limit) : { l: mode.ground, c: mode.dark ? tint * 1.4 : 0, h: primary.h };
  const surfaces = mode.steps.map((step) => ({ ...page, l: Math.min(1, page.l + step) })) as [Oklch, Oklch, Oklch];

  const accent = readable(emphasis, (colour) => [page, surfaces[1], mix(colour, page, mode.softShare)], mode.dark);
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
      // The colours of code are made for this ground.
      "code-bg": toHex({ l: mode.dark ? 0.21 : 0.985, c: page.c / 2, h: page.h }),
    });
  }
  return tokens;
}

function limited(colour: Oklch, [low, high]: [number, number]): Oklch {
  return { ...colour, l: Math.min(high, Math.max(low, colour.l)) };
}

/** The colour, lighter or darker by as little as makes it readable on every ground. */
function readable(colour: Oklch, grounds: (colour: Oklch) => readonly Oklch[], lighter: boolean): Oklch {
  const end = lighter ? 1 : 0;
  const step = lighter ? 0.005 : -0.005;
  let current = colour;
  while (current.l !== end && grounds(current).some((ground) => contrast(current, ground) < aa)) {
    current = { ...current, l: Math.min(1, Math.max(0, current.l + step)) };
  }
  return current;
}

/** A ground for buttons and the text on it. */
function solidOf(button: Oklch, page: Oklch, accent: Oklch): { solid: Oklch; text: Oklch } {
  // A black button on a black page has no shape: there the accent serves.
  const start = contrast(button, page) < 1.6 ? accent : button;
  // Bright grounds take dark text; others are darkened a little for white.
  if (contrast(start, white) < 3) return { solid: start, text: { l: 0.2, c: 0.02, h: start.h } };
  return { solid: readable(start, () => [white], false), text: white };
}
