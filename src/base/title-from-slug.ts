/**
 * Converts a slug to the default title of a page or tag: `getting-started` → `Getting started`. Empty for a
 * slug of only hyphens and underscores.
 */
export function titleFromSlug(slug: string): string {
  const words = slug.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
