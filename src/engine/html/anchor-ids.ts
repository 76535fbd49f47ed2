/**
 * The preferred ids of headings and fields, in builds and in page scripts (`render/anchors.ts` makes them unique), and the levels of
 * headings and names of fields.
 */

import type { ContentElement } from "../content.ts";

/** The id of a heading. It is compatible with the ids of other platforms, so that existing links keep working. */
export function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/['‘]/g, "’")
    .replace(/[()]/g, "")
    .replace(/\s+|\./g, "-")
    .replace(/["<>\u0000-\u001f\ue000]/g, "");
}

/** The id of a parameter: `userId` → `param-user-id`, `filter[name]` → `param-filter-name`. */
export function paramIdOf(name: string): string {
  const kebab = name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `param-${kebab}`;
}

/**
 * The name of the documented field: the first of the attributes `query`, `path`, `body`, `header` and `name` that is
 * set; undefined if none is.
 */
export function fieldNameOf(props: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ["query", "path", "body", "header", "name"]) {
    const value = props[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The level of an HTML heading or a Heading, from 1 to 6. Undefined for other elements and for an invalid level. */
export function headingLevel({ name, props }: ContentElement): number | undefined {
  const written = name === "Heading" ? String(props.level ?? 2) : /^h[1-6]$/.test(name) ? name.slice(1) : "";
  return /^[1-6]$/.test(written) ? Number(written) : undefined;
}
