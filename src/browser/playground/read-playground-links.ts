/**
 * Reads the URLs of the playground's files, relative to the page, from the JSON in the element
 * `#oReference`.
 */

import type { PlaygroundLinks } from "../../engine/frame/page-view.ts";

/** Reads the URLs. Undefined on a page without a playground. */
export function readPlaygroundLinks(): PlaygroundLinks | undefined {
  const text = document.getElementById("oReference")?.textContent;
  return text ? (JSON.parse(text) as PlaygroundLinks) : undefined;
}
