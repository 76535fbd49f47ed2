/**
 * Reads the sizes of images in the documentation folder, so that pages can reserve space before an image is
 * loaded.
 */

import { imageSize } from "image-size";
import type { Files } from "../../../base/files.ts";
import type { DocsJson } from "../../config/docs-json-schema.ts";
import { isExternal } from "../../html/safe-attributes.ts";

export interface ImageSize {
  width: number;
  height: number;
}

/** Matches file formats that contain a size in pixels. */
const sized = /\.(?:png|jpe?g|gif|webp|avif)$/i;
/** Number of bytes at the start of an SVG file that must contain its whole root tag. */
const svgHead_bytes = 4_096;

/**
 * Returns a memoized function that reads the size of an image. The function returns null for missing images,
 * and undefined for damaged images, other files, and SVG images that set no size in pixels.
 */
export function imageSizes(files: Files): (path: string) => ImageSize | undefined | null {
  const known = new Map<string, ImageSize | undefined | null>();
  return (path) => {
    if (!known.has(path)) known.set(path, sizeOfFile(path, files));
    return known.get(path);
  };
}

/**
 * Returns the sizes of the logos in the documentation folder. Undefined for logos on other hosts, and if the
 * size is unknown.
 */
export function logoSizes(
  files: Files,
  logo: DocsJson["logo"],
): { light: ImageSize | undefined; dark: ImageSize | undefined } {
  const sizeOfPath = imageSizes(files);
  const sizeAt = (address: string | undefined) =>
    address === undefined || isExternal(address)
      ? undefined
      : (sizeOfPath(address.replace(/^\/+|[?#].*$/g, "")) ?? undefined);
  return typeof logo === "string"
    ? { light: sizeAt(logo), dark: sizeAt(logo) }
    : { light: sizeAt(logo?.light), dark: sizeAt(logo?.dark) };
}

function sizeOfFile(path: string, files: Files): ImageSize | undefined | null {
  const isSvg = /\.svg$/i.test(path);
  if (!isSvg && !sized.test(path)) return undefined;
  const bytes = files.read(path);
  if (!bytes) return null;
  return isSvg ? sizeOfSvg(bytes) : sizeOf(bytes);
}

/**
 * Returns the size in pixels that an SVG image sets. Undefined for images without a size, which are as wide
 * as their container.
 */
function sizeOfSvg(bytes: Uint8Array): ImageSize | undefined {
  const [root = ""] = /<svg\s[^>]*>/i.exec(new TextDecoder().decode(bytes.subarray(0, svgHead_bytes))) ?? [];
  const pixels = (name: string) =>
    Number(new RegExp(`\\s${name}=["'](\\d{1,5}(?:\\.\\d+)?)(?:px)?["']`).exec(root)?.[1] ?? 0);
  const [width, height] = [Math.round(pixels("width")), Math.round(pixels("height"))];
  return width && height ? { width, height } : undefined;
}

function sizeOf(bytes: Uint8Array): ImageSize | undefined {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!width || !height) return undefined;
    // Images with orientations from 5 to 8 are rotated by 90 degrees.
    return orientation < 5 ? { width, height } : { width: height, height: width };
  } catch {
    return undefined;
  }
}
