/** A color in OKLCH: lightness from 0 to 1, chroma of at least 0, hue in degrees. */
export interface Oklch {
  l: number;
  c: number;
  h: number;
}

type Triple = readonly [number, number, number];

/**
 * Parses `#rgb` and `#rrggbb`. The `#` is optional and alpha digits are ignored. Undefined if the text isn't
 * a hex color.
 */
export function parseHex(text: string): Oklch | undefined {
  const digits = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text.trim())?.[1];
  if (!digits) return undefined;
  const full = digits.length < 5 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const channel = (at: number) => linear(Number.parseInt(full.slice(at, at + 2), 16) / 255);
  return toOklch([channel(0), channel(2), channel(4)]);
}

/**
 * Formats a color as `#rrggbb`. Reduces the chroma of a color outside sRGB, but preserves its lightness and
 * hue.
 */
export function toHex(color: Oklch): string {
  const channels = inGamut(color).map((value) =>
    Math.round(encoded(clamp(value)) * 255)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${channels.join("")}`;
}

/** Returns the contrast ratio of two colors according to WCAG 2, from 1 to 21. */
export function contrast(a: Oklch, b: Oklch): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the result of CSS `color-mix(in oklab, a <share>, b)`. `share`: from 0 to 1. */
export function mix(a: Oklch, b: Oklch, share: number): Oklch {
  const [p, q] = [toLab(a), toLab(b)];
  const at = (index: 0 | 1 | 2) => p[index] * share + q[index] * (1 - share);
  return fromLab([at(0), at(1), at(2)]);
}

function luminance(color: Oklch): number {
  // Rounded to eight bits per channel, as displayed.
  const [r, g, b] = inGamut(color).map((value) => linear(Math.round(encoded(clamp(value)) * 255) / 255)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function inGamut(color: Oklch): Triple {
  const direct = toLinear(color);
  if (fits(direct)) return direct;
  let low = 0;
  let high = color.c;
  for (let step = 0; step < 16; step++) {
    const middle = (low + high) / 2;
    if (fits(toLinear({ ...color, c: middle }))) low = middle;
    else high = middle;
  }
  return toLinear({ ...color, c: low });
}

function fits(channels: Triple): boolean {
  return channels.every((value) => value >= -1e-4 && value <= 1 + 1e-4);
}

// The matrices are from Björn Ottosson's definition of OKLab.
function toOklch([r, g, b]: Triple): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return fromLab([
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]);
}

function toLinear(color: Oklch): Triple {
  const [lightness, a, b] = toLab(color);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toLab({ l, c, h }: Oklch): Triple {
  const angle = (h * Math.PI) / 180;
  return [l, c * Math.cos(angle), c * Math.sin(angle)];
}

function fromLab([l, a, b]: Triple): Oklch {
  return { l, c: Math.hypot(a, b), h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 };
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encoded(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
