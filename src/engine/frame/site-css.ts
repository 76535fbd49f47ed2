/** Generates the style sheet of a site: fonts, background, icons and token values. */

import { palettes, type SiteColors } from "./palette.ts";

/** A font file of the site. */
export interface FontFace {
  family: string;
  url: string;
  /** Font weight: `400`, or the range of a variable font: `100 900`. */
  weight?: string;
  format?: "woff" | "woff2";
  /** `unicode-range` of the font file. Default: all characters. */
  range?: string;
}

/**
 * Installed fonts, adjusted to the metrics of one of the site's fonts, to show text until that font is
 * loaded. Metrics are in percent.
 */
export interface FallbackFace {
  family: string;
  local: readonly string[];
  metrics: { size: number; ascent: number; descent: number; gap: number };
}

/** A font family. `fallback`: font to use if the family isn't available. */
interface FontChoice {
  family: string;
  weight?: number;
  fallback?: { family: string };
}

/** Input of `siteCss`. */
export interface SiteAppearance {
  colors: SiteColors;
  background?: {
    color?: { light?: string; dark?: string };
    image?: { light?: string; dark?: string };
    decoration?: "gradient" | "grid" | "windows";
  };
  fonts?: {
    body?: FontChoice;
    heading?: FontChoice;
    mono?: { family: string };
    faces: readonly FontFace[];
    fallbacks?: readonly FallbackFace[];
  };
  /** Color mode of code blocks: `system` follows the page, `dark` is always dark. */
  codeblocks?: "system" | "dark";
  /** SVG sources and URLs of the navigation icons, by class. */
  navIcons: ReadonlyMap<string, string>;
}

/**
 * Returns the site's style sheet: fonts, background, icons, and token values, which override the values in
 * tokens.css and in the theme.
 */
export function siteCss(site: SiteAppearance): string {
  const { light, dark } = palettes(site.colors, site.background?.color);
  const css = [
    ...(site.fonts?.faces ?? []).map(fontFace),
    ...(site.fonts?.fallbacks ?? []).map(fallbackFace),
    layer("base", `${rule(":root", { ...fontTokens(site), ...light })}@media screen{${rule(".dark", dark)}}`),
    site.codeblocks === "dark" ? layer("base", darkCode + darkPanels(site)) : "",
    layer("components", background(site)),
    layer("base", [...site.navIcons].map(([name, source]) => navIcon(name, source)).join("")),
  ];
  return css.join("");
}

/**
 * Icons by URL keep their colors, because browsers don't use images of other hosts as masks without their
 * permission.
 */
function navIcon(name: string, source: string): string {
  return source.startsWith("<")
    ? rule(`.${name}`, { i: svgUrl(source) })
    : `.${name}{mask:none;background:url(${quoted(source)}) center/contain no-repeat}`;
}

/** Encodes an SVG as a CSS `url()`. */
export function svgUrl(svg: string): string {
  const escaped = svg
    .replace(/\s+/g, " ")
    .replace(/"/g, "'")
    .replace(/[%#<>\\]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
  return `url("data:image/svg+xml,${escaped}")`;
}

function layer(name: string, content: string): string {
  return content && `@layer ${name}{${content}}`;
}

function rule(selector: string, tokens: Record<string, string>): string {
  const body = Object.entries(tokens).map(([name, value]) => `--o-${name}:${value}`);
  return body.length > 0 ? `${selector}{${body.join(";")}}` : "";
}

/** Quotes an untrusted value as a CSS string. */
function quoted(text: string): string {
  return `"${text.replace(/["\\\n\r\f<]/g, (char) => `\\${char.charCodeAt(0).toString(16)} `)}"`;
}

function fontFace({ family, url, weight, format, range }: FontFace): string {
  const parts = [
    `font-family:${quoted(family)}`,
    `src:url(${quoted(url)})${format ? ` format("${format}")` : ""}`,
    ...(weight && /^[\d ]+$/.test(weight) ? [`font-weight:${weight}`] : []),
    ...(range ? [`unicode-range:${range}`] : []),
    "font-display:swap",
  ];
  return `@font-face{${parts.join(";")}}`;
}

function fallbackFace({ family, local, metrics }: FallbackFace): string {
  const parts = [
    `font-family:${quoted(family)}`,
    `src:${local.map((name) => `local(${quoted(name)})`).join()}`,
    `size-adjust:${metrics.size}%`,
    `ascent-override:${metrics.ascent}%`,
    `descent-override:${metrics.descent}%`,
    `line-gap-override:${metrics.gap}%`,
  ];
  return `@font-face{${parts.join(";")}}`;
}

function fontTokens({ fonts }: SiteAppearance): Record<string, string> {
  const { body, heading, mono, fallbacks = [] } = fonts ?? {};
  const stack = ({ family, fallback }: FontChoice, rest: string) => {
    const names = [family, ...(fallback ? [fallback.family] : [])].flatMap((name) => [
      name,
      ...fallbacks.filter((face) => face.family === `${name} fallback`).map((face) => face.family),
    ]);
    return [...names.map(quoted), rest].join();
  };

  return {
    ...(body && { font: stack(body, "ui-sans-serif,system-ui,sans-serif") }),
    ...(body?.weight && { weight: String(body.weight) }),
    ...(heading && { "font-heading": stack(heading, "var(--o-font)") }),
    ...(heading?.weight && { "weight-heading": String(heading.weight) }),
    ...(mono && { "font-mono": stack(mono, "ui-monospace,monospace") }),
  };
}

/** CSS with the dark values of the code tokens, for code blocks on light pages. */
const darkCode =
  ":root{--o-code-bg:oklch(.21 .008 var(--o-hue));--o-code-bar:oklch(.25 .008 var(--o-hue));--o-code-border:oklch(.285 .009 var(--o-hue));--o-code-mark:oklch(1 0 0/.1);--o-code-added:oklch(.29 .05 150);--o-code-removed:oklch(.29 .06 25);--o-code-text:oklch(.88 .012 var(--o-hue));--o-code-muted:oklch(.7 .012 var(--o-hue));--o-code-comment:oklch(.68 .02 var(--o-hue));--o-code-keyword:oklch(.78 .12 305);--o-code-string:oklch(.82 .11 155);--o-code-number:oklch(.82 .1 65);--o-code-constant:oklch(.82 .1 65);--o-code-function:oklch(.79 .1 258);--o-code-type:oklch(.83 .08 210);--o-code-parameter:oklch(.87 .05 75);--o-code-property:oklch(.8 .1 10);--o-code-punctuation:oklch(.74 .015 var(--o-hue));--o-code-link:oklch(.82 .08 258)}";

/**
 * Returns CSS with the dark values of the other tokens, for the titles, tabs, selects and buttons of dark
 * code blocks on light pages.
 */
function darkPanels({ colors }: SiteAppearance): string {
  const tokens = {
    accent: palettes(colors).dark.accent ?? "",
    focus: "var(--o-accent)",
    bg: "var(--o-code-bg)",
    raised: "var(--o-code-bar)",
    "surface-3": "oklch(.29 .009 var(--o-hue))",
    border: "var(--o-code-border)",
    "border-strong": "oklch(.38 .009 var(--o-hue))",
    text: "var(--o-code-text)",
    "text-strong": "oklch(.97 .003 var(--o-hue))",
    "text-muted": "var(--o-code-muted)",
    "check-text": "oklch(.82 .09 150)",
    "danger-text": "oklch(.82 .09 25)",
  };

  const panels = ".o-code,.o-code-group,.o-example-switch";
  return `${panels}{color-scheme:dark}${rule(panels, tokens)}`;
}

const decorations = {
  gradient:
    "radial-gradient(50rem 26rem at 75% -6rem,color-mix(in oklab,var(--o-accent) 16%,transparent),transparent)",
  grid: "linear-gradient(var(--o-border) 1px,transparent 0) 0 0/4rem 4rem,linear-gradient(90deg,var(--o-border) 1px,transparent 0) 0 0/4rem 4rem",
  windows:
    "linear-gradient(115deg,transparent 55%,color-mix(in oklab,var(--o-accent) 7%,transparent) 0 62%,transparent 0 66%,color-mix(in oklab,var(--o-accent) 5%,transparent) 0 78%,transparent 0)",
};

/**
 * Returns the CSS of a background layer at the top of the page that fades out. Empty if there is no
 * decoration or image.
 */
function background({ background: chosen }: SiteAppearance): string {
  const { decoration, image } = chosen ?? {};
  if (!decoration && !image) return "";
  const shared =
    'content:"";position:absolute;z-index:-1;inset:0 0 auto;height:min(48rem,100%);pointer-events:none;mask:linear-gradient(#000,transparent)';
  const layersOf = (picture: string | undefined) =>
    [picture && `url(${quoted(picture)}) center top/cover no-repeat`, decoration && decorations[decoration]]
      .filter(Boolean)
      .join(",");
  const light = layersOf(image?.light ?? image?.dark);
  const dark = layersOf(image?.dark ?? image?.light);
  // The background color of the page is on <html>, below this layer.
  return `body{position:relative;isolation:isolate}body::before{${shared};background:${light}}${dark === light ? "" : `.dark body::before{background:${dark}}`}`;
}
