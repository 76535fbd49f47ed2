/**
 * Creates the preferred ids of headings and fields, in builds and page scripts, and finds the id that a
 * fragment of a URL means. `page/heading-ids.ts` makes ids unique.
 */

/**
 * Returns the id of a heading. Compatible with the ids of other platforms, so that existing links keep
 * working. Never empty.
 */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[\s.!~*'()-]+/g, "-")
    .replace(/["<>\u0000-\u001f\u007f]/g, "")
    .replace(/^-|-$/g, "");
  // The name of a command-line flag keeps its hyphens.
  return /^\s*--\p{L}/u.test(title) ? `--${slug}` : slug || "section";
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

const fieldSection = /^(?:body|path|query|header|cookie|parameter|response)-/;

/**
 * Returns the id that an anchor refers to: the id itself, or the id of a parameter by its name (`user_id`) or
 * its section and name (`body-user_id`), or else the first id with the same letters and digits. Undefined if
 * there is none. `compactIds` returns the ids by their letters and digits.
 */
export function matchAnchor(
  anchor: string,
  hasId: (id: string) => boolean,
  compactIds: () => ReadonlyMap<string, string>,
): string | undefined {
  const exact = [anchor, paramIdOf(anchor), paramIdOf(anchor.replace(fieldSection, ""))].find(hasId);
  if (exact !== undefined) return exact;
  const compact = compactText(anchor);
  return compact === "" ? undefined : compactIds().get(compact);
}

/** Indexes ids by their letters and digits. Of several ids, keeps the first. */
export function indexIds(ids: Iterable<string>): Map<string, string> {
  const index = new Map<string, string>();
  for (const id of ids) {
    const compact = compactText(id);
    if (!index.has(compact)) index.set(compact, id);
  }
  return index;
}

function compactText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}
