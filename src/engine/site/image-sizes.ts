/** Reads the sizes of images in the documentation folder, so that pages reserve their space before they are loaded. */

import { imageSize } from "image-size";
import type { Files } from "../../base/files.ts";

export interface ImageSize {
  width: number;
  height: number;
}

/** Formats whose files contain a size in pixels. An SVG image without a size is as wide as its container. */
const sized = /\.(?:png|jpe?g|gif|webp|avif)$/i;

/** Returns a function that reads the size of an image. Undefined for other files, and for damaged images. Memoized. */
export function imageSizes(files: Files): (path: string) => ImageSize | undefined {
  const known = new Map<string, ImageSize | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, sized.test(path) ? sizeOf(files.read(path)) : undefined);
    return known.get(path);
  };
}

function sizeOf(bytes: Uint8Array | undefined): ImageSize | undefined {
  if (!bytes) return undefined;
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!width || !height) return undefined;
    // Orientations from 5 are rotated by 90 degrees.
    return orientation < 5 ? { width, height } : { width: height, height: width };
  } catch {
    return undefined;
  }
}
