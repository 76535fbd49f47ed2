/** Adds up the sizes of a site's files by what the files are for. */

/** Bytes by part of the site. Parts without files are absent. */
export type SiteSizes = Record<string, number>;

/** Patterns of paths, by part. The first match counts. */
const parts: readonly (readonly [part: string, path: RegExp])[] = [
  ["diagrams", /^_octavo\/mermaid/],
  ["playground", /^_octavo\/(?:playground|oauth|api\/)/],
  ["search", /^_octavo\/(?:search|passages|asking|pages\.js)/],
  ["assistant", /^_octavo\/assistant/],
  ["fonts", /\.(?:woff2?|ttf|otf)$/],
  ["other scripts and styles", /^_octavo\/.*\.(?:js|css)$/],
  ["pages", /\.(?:html|md)$/],
  ["other files", /^/],
];

export function addSize(sizes: SiteSizes, path: string, bytes: number): void {
  const [part] = parts.find(([, pattern]) => pattern.test(path))!;
  sizes[part] = (sizes[part] ?? 0) + bytes;
}

export function totalSize(sizes: SiteSizes): number {
  return Object.values(sizes).reduce((total, bytes) => total + bytes, 0);
}
