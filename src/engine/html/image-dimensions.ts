/** The space that an image takes up on a page before it is loaded. */

import { percentDecoded } from "../../base/url.ts";
import type { RenderContext } from "./render-context.ts";
import { siteUrlMark } from "./safe-attributes.ts";

/** Utility classes that set a width or height. */
const authorSize = /(?:^|[\s:!])(?:(?:min-|max-)?[hw]|size|aspect)-/;

/** Width and height of an image of the site, unless the author sizes it. */
export function imageDimensions(
  { src, width, height, style, class: classes }: Record<string, unknown>,
  { imageSize }: Pick<RenderContext, "imageSize">,
): { width?: number; height?: number } {
  const isSized = height !== undefined || style !== undefined || authorSize.test(String(classes ?? ""));
  if (isSized || typeof src !== "string" || !src.startsWith(siteUrlMark)) return {};
  const path = percentDecoded(src.slice(siteUrlMark.length).replace(/[?#].*$/s, ""));
  const size = imageSize?.(path.replace(/^\//, ""));
  if (!size) return {};
  const shown = Number(width ?? size.width);
  return Number.isFinite(shown) ? { width: shown, height: Math.round((shown * size.height) / size.width) } : {};
}
