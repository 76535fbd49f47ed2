import { escapeHtml } from "../../base/html-text.ts";

const elements = new Set(
  (
    "svg g path circle ellipse line polyline polygon rect defs clipPath mask linearGradient radialGradient stop " +
    "title desc symbol use text tspan pattern filter feGaussianBlur feOffset feBlend feColorMatrix feFlood feComposite feMerge feMergeNode"
  ).split(" "),
);

const attributes =
  /^(?:x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|fx|fy|d|dx|dy|id|class|width|height|points|offset|in|in2|result|values|type|mode|operator|xmlns|role|version|style|k[1-4]|stdDeviation|viewBox|preserveAspectRatio|pathLength|gradientUnits|gradientTransform|patternUnits|patternTransform|clipPathUnits|maskUnits|transform|opacity|fill|stroke|color|href|xlink:href|(?:fill|stroke|stop|flood|clip|font|text|marker|shape|vector|dominant|alignment|aria|color)-[\w-]+|mask|filter|clip-path)$/;

/** Maximum length of an inline SVG, in characters. */
const svg_chars = 100_000;

const tag = /<(\/?)([A-Za-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/g;
const attribute = /([A-Za-z_][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/**
 * Sanitizes an author's inline SVG: only elements and attributes for drawing remain, and references to other
 * documents are removed. Undefined if the text isn't SVG or has more than `svg_chars` characters.
 */
export function cleanSvg(source: string): string | undefined {
  if (source.length > svg_chars) return undefined;
  const text = withoutParts(withoutParts(source, "<!--", "-->"), "<?", "?>")
    .replace(/<!DOCTYPE[^<>]*>/gi, "")
    .trim();
  if (!/^<svg[\s>]/i.test(text)) return undefined;
  let html = "";
  const open: string[] = [];
  let end = 0;

  /** Name of an element that is skipped with its content. */
  let skipped: string | undefined;
  for (const match of text.matchAll(tag)) {
    const [whole, closing, name, rest] = match as unknown as [string, string, string, string];
    const between = text.slice(end, match.index);
    end = match.index + whole.length;
    if (skipped !== undefined) {
      if (closing && name === skipped) skipped = undefined;
      continue;
    }
    html += textWithEntities(between);
    if (closing) {
      if (open.at(-1) === name) html += `</${open.pop()}>`;
      continue;
    }
    const empty = /\/\s*$/.test(rest);
    if (!elements.has(name)) {
      if (!empty) skipped = name;
      continue;
    }
    html += `<${name}${cleanAttributes(rest)}`;
    if (empty) html += "/>";
    else {
      html += ">";
      open.push(name);
    }
  }

  while (open.length > 0) html += `</${open.pop()}>`;
  return html;
}

/** Removes the parts of a text from each `start` to the next `end`. */
function withoutParts(text: string, start: string, end: string): string {
  let kept = "";
  let at = 0;
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, at)) {
    const to = text.indexOf(end, from + start.length);
    if (to < 0) break;
    kept += text.slice(at, from);
    at = to + end.length;
  }
  return kept + text.slice(at);
}

function cleanAttributes(source: string): string {
  let html = "";
  for (const [, name, double, single, bare] of source.matchAll(attribute)) {
    const value = double ?? single ?? bare ?? "";
    if (!attributes.test(name!)) continue;
    if (name!.endsWith("href") && !/^#[\w-]+$/.test(value)) continue;
    // Entities and CSS escapes could hide a reference.
    if (/[&\\]/.test(value) && !/^(?:aria-.*|id|class)$/.test(name!)) continue;
    if (/url\s*\(\s*["']?(?!#)|@import|expression\s*\(|javascript:/i.test(value)) continue;
    html += ` ${name}="${textWithEntities(value).replaceAll('"', "&quot;")}"`;
  }
  return html;
}

/** Escapes text for HTML but preserves its entities. */
function textWithEntities(text: string): string {
  return escapeHtml(text).replace(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, "&$1;");
}
