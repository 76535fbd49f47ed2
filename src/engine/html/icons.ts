/** Finds icons in the bundled icon libraries and renders them. */

import { createRequire } from "node:module";
import { escapeHtml } from "../../base/html-text.ts";
import { nearest } from "../../base/nearest.ts";
import type { IconLibrary } from "../config/icon-schema.ts";
import { cleanSvg } from "./clean-svg.ts";
import { safeUrl } from "./safe-attributes.ts";

export interface IconOptions {
  library?: IconLibrary;
  /** Font Awesome style: `solid`, `regular` or `brands`. Paid styles are replaced with a free style. */
  type?: string;
  /** Size in pixels. */
  size?: number;
  color?: string;
  className?: string;
}

type Collection = "lucide" | "tabler" | "fa6-solid" | "fa6-regular" | "fa6-brands";

interface IconSet {
  icons: Record<string, { body: string; width?: number; height?: number }>;
  aliases?: Record<string, { parent: string }>;
  width?: number;
  height?: number;
}

interface Drawing {
  body: string;
  width: number;
  height: number;
}

const require = createRequire(import.meta.url);
const loaded = new Map<Collection, IconSet>();

function iconSet(collection: Collection): IconSet {
  let set = loaded.get(collection);
  if (!set) loaded.set(collection, (set = require(`@iconify-json/${collection}/icons.json`) as IconSet));
  return set;
}

/** Current names of Font Awesome icons, by their former names. */
const formerNames: Record<string, string> = {
  home: "house",
  search: "magnifying-glass",
  cog: "gear",
  cogs: "gears",
  edit: "pen-to-square",
  times: "xmark",
  "times-circle": "circle-xmark",
  "check-circle": "circle-check",
  "info-circle": "circle-info",
  "question-circle": "circle-question",
  "exclamation-circle": "circle-exclamation",
  "exclamation-triangle": "triangle-exclamation",
  warning: "triangle-exclamation",
  "plus-circle": "circle-plus",
  "play-circle": "circle-play",
  "user-circle": "circle-user",
  "dot-circle": "circle-dot",
  "external-link": "arrow-up-right-from-square",
  "external-link-alt": "up-right-from-square",
  "sign-in": "right-to-bracket",
  "sign-in-alt": "right-to-bracket",
  "sign-out": "right-from-bracket",
  "sign-out-alt": "right-from-bracket",
  "cloud-upload": "cloud-arrow-up",
  "cloud-upload-alt": "cloud-arrow-up",
  "cloud-download": "cloud-arrow-down",
  "cloud-download-alt": "cloud-arrow-down",
  "file-alt": "file-lines",
  "file-text": "file-lines",
  "file-download": "file-arrow-down",
  "file-upload": "file-arrow-up",
  "shield-alt": "shield-halved",
  "tachometer-alt": "gauge-high",
  dashboard: "gauge-high",
  "map-marker": "location-pin",
  "map-marker-alt": "location-dot",
  "mobile-alt": "mobile-screen-button",
  "money-bill-alt": "money-bill-1",
  "trash-alt": "trash-can",
  "pencil-alt": "pencil",
  "sync-alt": "rotate",
  sync: "arrows-rotate",
  refresh: "arrows-rotate",
  redo: "arrow-rotate-right",
  undo: "arrow-rotate-left",
  history: "clock-rotate-left",
  "chart-bar": "chart-column",
  "bar-chart": "chart-column",
  "line-chart": "chart-line",
  "pie-chart": "chart-pie",
  "project-diagram": "diagram-project",
  "sliders-h": "sliders",
  "th-large": "table-cells-large",
  th: "table-cells",
  "list-alt": "rectangle-list",
  tools: "screwdriver-wrench",
  random: "shuffle",
  magic: "wand-magic",
  "unlock-alt": "unlock-keyhole",
  "volume-up": "volume-high",
  "share-alt": "share-nodes",
  "users-cog": "users-gear",
  "user-cog": "user-gear",
  "comment-alt": "message",
  "comments-alt": "comments",
  "credit-card-alt": "credit-card",
  "ellipsis-h": "ellipsis",
  "ellipsis-v": "ellipsis-vertical",
  "arrow-circle-right": "circle-arrow-right",
  "long-arrow-right": "right-long",
  "hand-holding-usd": "hand-holding-dollar",
  "balance-scale": "scale-balanced",
  stream: "bars-staggered",
  "exchange-alt": "right-left",
  exchange: "arrow-right-arrow-left",
  "user-friends": "user-group",
  twitter: "x-twitter",
};

/** Similar free Font Awesome icons, by names of paid icons and of icons in other libraries. */
const substitutes: Record<string, string> = {
  "square-code": "code",
  "brackets-curly": "code",
  "brackets-square": "code",
  "square-terminal": "terminal",
  "rectangle-terminal": "terminal",
  "rectangle-code": "code",
  sparkle: "wand-magic-sparkles",
  sparkles: "wand-magic-sparkles",
  "rocket-launch": "rocket",
  "chart-mixed": "chart-column",
  "arrow-progress": "bars-progress",
  webhook: "satellite-dish",
  api: "code",
  nodes: "circle-nodes",
  books: "book",
  "book-sparkles": "book",
  "message-code": "message",
  "message-bot": "robot",
  "message-lines": "message",
  messages: "comments",
  "user-robot": "robot",
  "microchip-ai": "microchip",
  "head-side-brain": "brain",
  "grid-2": "table-cells-large",
  grid: "table-cells",
  function: "code",
  "key-skeleton": "key",
  "shield-check": "shield-halved",
  "lightbulb-on": "lightbulb",
  browser: "window-maximize",
  browsers: "window-restore",
  "circle-bolt": "bolt",
  "bolt-lightning": "bolt",
  zap: "bolt",
  "file-code-2": "file-code",
  "box-open-full": "box-open",
  "play-pause": "play",
  settings: "gear",
  "bug-slash": "bug",
  waveform: "wave-square",
  "waveform-lines": "wave-square",
  "rectangle-history": "clock-rotate-left",
  "circle-dollar": "circle-dollar-to-slot",
  "arrows-repeat": "repeat",
  "cloud-check": "cloud",
  "square-dashed": "square",
  "pen-swirl": "pen",
  "cube-sparkles": "cube",
  "star-sparkle": "star",
  puzzle: "puzzle-piece",
  mail: "envelope",
  "alert-triangle": "triangle-exclamation",
  package: "box",
  "server-network": "server",
  "scanner-gun": "barcode",
  split: "code-branch",
  merge: "code-merge",
  "git-branch": "code-branch",
  "download-cloud": "cloud-arrow-down",
  layers: "layer-group",
  workflow: "diagram-project",
  "workflow-alt": "diagram-project",
  bot: "robot",
};

function drawingIn(collection: Collection, name: string): Drawing | undefined {
  const set = iconSet(collection);
  const parent = set.aliases && Object.hasOwn(set.aliases, name) ? set.aliases[name]!.parent : name;
  const found = Object.hasOwn(set.icons, parent) ? set.icons[parent] : undefined;
  return (
    found && {
      body: found.body,
      width: found.width ?? set.width ?? 24,
      height: found.height ?? set.height ?? 24,
    }
  );
}

function collectionsFor(library: IconLibrary, type: string | undefined): Collection[] {
  if (library !== "fontawesome") return [library];
  if (type === "brands") return ["fa6-brands", "fa6-solid"];
  // Light, thin and sharp styles are not free. Regular is the most similar free style.
  const outlined =
    type === "regular" ||
    type === "light" ||
    type === "thin" ||
    type === "sharp-light" ||
    type === "sharp-thin";
  return outlined ? ["fa6-regular", "fa6-solid", "fa6-brands"] : ["fa6-solid", "fa6-regular", "fa6-brands"];
}

function find(name: string, library: IconLibrary, type: string | undefined): Drawing | undefined {
  const collections = collectionsFor(library, type);
  const candidates =
    library === "fontawesome"
      ? [name, formerNames[name], substitutes[name], name.replace(/-(?:alt|o)$/, "")]
      : [name];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    for (const collection of collections) {
      const drawing = drawingIn(collection, candidate);
      if (drawing) return drawing;
    }
  }
  return undefined;
}

/** Parses a name: `fa-solid fa-rocket`, `Rocket` and `lucide:rocket` all have the name `rocket`. */
function readName(
  value: string,
  options: IconOptions,
): { name: string; library: IconLibrary; type?: string } {
  let library = options.library ?? "fontawesome";
  let type = options.type;
  let name = value.trim();
  const prefix = /^(lucide|tabler|fontawesome|fa)[:/](.+)$/.exec(name);
  if (prefix) {
    library = prefix[1] === "lucide" || prefix[1] === "tabler" ? prefix[1] : "fontawesome";
    name = prefix[2]!;
  }

  const classes = name.split(/\s+/);
  if (classes.length > 1) {
    type ??= classes.find((word) => /^fa-(?:solid|regular|brands|light|thin|duotone)$/.test(word))?.slice(3);
    name = classes.at(-1)!;
  }

  name = name
    .replace(/^fa-/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase();

  return { name, library, type };
}

/**
 * Renders an icon as HTML, from a name, the URL of an image or an SVG source. Undefined for an unknown name,
 * an unsafe URL and an invalid source.
 */
export function icon(value: string, options: IconOptions = {}): string | undefined {
  if (value.trim().startsWith("<")) {
    const svg = cleanSvg(value);
    return (
      svg &&
      `<span class="${classOf(options)} o-icon-own"${styleOf(options)} aria-hidden="true">${svg}</span>`
    );
  }
  if (/^(?:https?:)?\/|\.(?:svg|png|webp|jpe?g|gif)$/i.test(value)) return imageIcon(value, options);
  const drawing = drawingOf(value, options) ?? drawingOf(substituteIcon(value, options) ?? "", options);
  if (!drawing) return undefined;
  return `<svg class="${classOf(options)}" viewBox="0 0 ${drawing.width} ${drawing.height}"${styleOf(options)} aria-hidden="true">${drawing.body}</svg>`;
}

/** Order in which the other libraries are searched for an icon that the site's library doesn't contain. */
const otherLibraries: readonly IconLibrary[] = ["lucide", "tabler", "fontawesome"];

/** Finds an icon in its library, or else in another one. */
function drawingOf(value: string, options: IconOptions): Drawing | undefined {
  const { name, library, type } = readName(value, options);
  const inOwn = find(name, library, type);
  if (inOwn) return inOwn;
  for (const other of otherLibraries) {
    const found = other === library ? undefined : find(name, other, undefined);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the name of a free Font Awesome icon that is shown instead of a paid one: the longest one whose
 * words are all in the name, such as `gear` for `gear-complex`. Undefined if the icon is known, or if there
 * is none.
 */
export function substituteIcon(value: string, options: IconOptions = {}): string | undefined {
  const { name, library, type } = readName(value, options);
  if (library !== "fontawesome" || !name.includes("-") || name.length > 60 || drawingOf(value, options))
    return undefined;
  const words = name.split("-");
  for (let length = words.length - 1; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const candidate = words.slice(start, start + length).join("-");
      if (candidate.length > 2 && find(candidate, library, type)) return candidate;
    }
  return undefined;
}

function imageIcon(value: string, options: IconOptions): string | undefined {
  const src = safeUrl(value, "image");
  return (
    src &&
    `<img class="${classOf(options)}" src="${escapeHtml(src)}" alt=""${styleOf(options)} loading="lazy" decoding="async">`
  );
}

function classOf({ className }: IconOptions): string {
  return className ? `o-icon ${escapeHtml(className)}` : "o-icon";
}

function styleOf({ size, color }: IconOptions): string {
  const rules = [
    size !== undefined && `width:${size}px;height:${size}px`,
    color !== undefined && `color:${color}`,
  ].filter(Boolean);
  return rules.length > 0 ? ` style="${escapeHtml(rules.join(";"))}"` : "";
}

/** Returns the names of the icons in a library. */
export function iconNames(library: IconLibrary): string[] {
  return collectionsFor(library, undefined).flatMap((collection) => Object.keys(iconSet(collection).icons));
}

/**
 * Suggests an icon for an unknown name: the most similar name or, if none is similar enough, an icon whose
 * name is one of the words in `name`. Undefined if there is neither.
 */
export function suggestIcon(name: string, library: IconLibrary = "fontawesome"): string | undefined {
  const unknown = readName(name, { library }).name;
  const names = iconNames(library);
  return nearest(unknown, names) ?? names.find((candidate) => unknown.split("-").includes(candidate));
}

/**
 * Returns the CSS class of a navigation icon: `o-i-rocket`, `o-i-rocket-solid` with a type, or
 * `o-i-lucide-rocket` for a library other than Font Awesome. The site's style sheet draws the icon.
 */
export function iconClass(value: string, options: Pick<IconOptions, "library" | "type"> = {}): string {
  const { name, type, library } = readName(value, options);
  return `o-i-${[library !== "fontawesome" && library, name, type]
    .filter(Boolean)
    .join("-")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")}`;
}
