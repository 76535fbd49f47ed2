/**
 * Access to a file of a site: for anyone, for all signed-in readers, for visitors who aren't signed in, for
 * signed-in readers in one of the listed groups, or for signed-in readers in at least one group of each list
 * in `allOf`.
 */
export type Access = "anyone" | "readers" | "visitors" | readonly string[] | AllOfLists;

export interface AllOfLists {
  allOf: readonly (readonly string[])[];
}

/** A signed-in reader. */
export interface Reader {
  groups: readonly string[];
}

/**
 * Whether a reader has access. `reader` is undefined for a visitor who isn't signed in. All code that sends
 * content to readers must use this check.
 */
export function mayRead(access: Access, reader: Reader | undefined): boolean {
  if (access === "anyone") return true;
  if (access === "visitors") return reader === undefined;
  if (!reader) return false;
  return groupLists(access).every((list) => list.some((group) => reader.groups.includes(group)));
}

/** Returns the lists of groups that a signed-in reader needs: at least one group of each list. */
export function groupLists(access: Exclude<Access, "anyone" | "visitors">): readonly (readonly string[])[] {
  if (access === "readers") return [];
  return "allOf" in access ? access.allOf : [access];
}

/** Whether not all signed-in readers have access. */
export function isForGroups(access: Access): boolean {
  return access !== "anyone" && access !== "visitors" && groupLists(access).length > 0;
}

/**
 * Access for all signed-in readers, which stays closed if sign-in is turned off. Content with the access
 * `readers` is then public.
 */
export const signedInOnly: AllOfLists = { allOf: [] };

/** Returns a key for an access. Lists of the same groups in any order have the same key. */
export function accessKey(access: Access): string {
  if (typeof access === "string") return access;
  const lists = groupLists(access).map((list) => [...list].sort());
  return JSON.stringify(
    "allOf" in access ? { allOf: lists.map((list) => JSON.stringify(list)).sort() } : lists[0],
  );
}
