/** Access to a file of a site: for anyone, for all signed-in readers, or for signed-in readers in one of the listed groups. */
export type Access = "anyone" | "readers" | readonly string[];

/** A signed-in reader. */
export interface Reader {
  groups: readonly string[];
}

/**
 * Whether a reader has access. `reader` is undefined for a visitor who isn't signed in. All code that sends content to readers must use
 * this check.
 */
export function mayRead(access: Access, reader: Reader | undefined): boolean {
  if (access === "anyone") return true;
  if (!reader) return false;
  return access === "readers" || access.some((group) => reader.groups.includes(group));
}
