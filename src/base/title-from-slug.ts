/** `getting-started` → `Getting started`: the default title of a page or tag. Empty for a slug of hyphens and underscores. */
export function titleFromSlug(slug: string): string {
  const words = slug.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
