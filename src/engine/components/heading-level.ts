/** Determines the level of a heading in a page's content. */

import type { ContentElement } from "../content.ts";

/**
 * Returns the level of an HTML heading or a Heading, from 1 to 6. Undefined for other elements and for an
 * invalid level.
 */
export function headingLevel({ name, props }: ContentElement): number | undefined {
  const written = name === "Heading" ? String(props.level ?? 2) : /^h[1-6]$/.test(name) ? name.slice(1) : "";
  return /^[1-6]$/.test(written) ? Number(written) : undefined;
}
