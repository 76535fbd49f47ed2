/** Who may read a file of a site: whoever comes, whoever signed in, or readers of one of these groups. */
export type Access = "anyone" | "readers" | readonly string[];

/** A reader who signed in. */
export interface Reader {
  groups: readonly string[];
}

/** The one rule of visibility: every surface that hands something out asks it. */
export function mayRead(access: Access, reader: Reader | undefined): boolean {
  if (access === "anyone") return true;
  if (!reader) return false;
  return access === "readers" || access.some((group) => reader.groups.includes(group));
}
