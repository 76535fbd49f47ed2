/** Creates the preferred ids of headings and fields, in builds and page scripts. `render/anchors.ts` makes them unique. */

/** Returns the id of a heading. Compatible with the ids of other platforms, so that existing links keep working. */
export function slugOf(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replace(/['‘]/g, "’")
    .replace(/[()]/g, "")
    .replace(/\s+|\./g, "-")
    .replace(/["<>\u0000-\u001f\u007f]/g, "");
}

/** Returns the id of a parameter: `userId` → `param-user-id`, `filter[name]` → `param-filter-name`. */
export function paramIdOf(name: string): string {
  const kebab = name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  return `param-${kebab}`;
}
