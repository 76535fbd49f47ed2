/** Folders of tools: never part of a site, often huge, and skipped wherever sources are read. */
const names: ReadonlySet<string> = new Set([".git", "node_modules", ".octavo"]);

/** Whether a path, relative and with forward slashes, is such a folder or is in one. */
export function isInSkippedFolder(path: string): boolean {
  return path.split("/").some((segment) => names.has(segment));
}
