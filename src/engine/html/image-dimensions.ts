/** Determines the dimensions of images, so that browsers can reserve space before an image is loaded. */

import { percentDecoded } from "../../base/url.ts";
import type { RenderContext } from "./render-context.ts";
import { siteUrlMark } from "./safe-attributes.ts";

/** Matches utility classes that set a width, a height or an aspect ratio. */
const authorSize = /(?:^|[\s:!])(?:(?:min-|max-)?[hw]|size|aspect)-/;

/**
 * Returns the width and height of an image in the site's folder, in pixels. If the author sets only a width,
 * the height is computed from the aspect ratio. Empty if the author sets a height, a style, a utility class
 * for the size or a width that isn't a number, or if the image's size is unknown.
 */
export function imageDimensions(
  { src, width, height, style, class: classes }: Record<string, unknown>,
  { imageSize }: Pick<RenderContext, "imageSize">,
): { width?: number; height?: number } {
  const isSized = height !== undefined || style !== undefined || authorSize.test(String(classes ?? ""));
  if (isSized || typeof src !== "string" || !src.startsWith(siteUrlMark)) return {};
  const size = imageSize?.(pathOf(src));
  if (!size) return {};
  const shown = Number(width ?? size.width);
  return Number.isFinite(shown)
    ? { width: shown, height: Math.round((shown * size.height) / size.width) }
    : {};
}

/** Whether `imageSize` reports that the file of an image's URL is missing. */
export function isMissingImage(src: unknown, { imageSize }: Pick<RenderContext, "imageSize">): boolean {
  return typeof src === "string" && src.startsWith(siteUrlMark) && imageSize?.(pathOf(src)) === null;
}

/** Returns the path in the site's folder for a URL that is marked with `siteUrlMark`. */
function pathOf(src: string): string {
  return percentDecoded(src.slice(siteUrlMark.length).replace(/[?#].*$/s, "")).replace(/^\//, "");
}
