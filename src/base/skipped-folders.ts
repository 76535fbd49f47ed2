/**
 * Names of tool folders, which are skipped when sources are read. They are often huge and aren't part of a
 * site.
 */
const names: ReadonlySet<string> = new Set([".git", "node_modules", ".octavo"]);

/** Whether a segment of a path with forward slashes has the name of a skipped folder. */
export function isInSkippedFolder(path: string): boolean {
  return path.split("/").some((segment) => names.has(segment));
}
