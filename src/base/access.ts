/** Access to a file of a site: anyone, signed-in readers, or readers in one of these groups. */
export type Access = "anyone" | "readers" | readonly string[];

/** A signed-in reader. */
export interface Reader {
  groups: readonly string[];
}

/** Whether a reader has access. Everything that sends content to readers uses this check. */
export function mayRead(access: Access, reader: Reader | undefined): boolean {
  if (access === "anyone") return true;
  if (!reader) return false;
  return access === "readers" || access.some((group) => reader.groups.includes(group));
}
