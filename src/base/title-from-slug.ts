/** `getting-started` → `Getting started`: the default title for a page or tag. Empty for a slug of only hyphens and underscores. */
export function titleFromSlug(slug: string): string {
  const words = slug.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
