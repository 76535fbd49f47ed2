/** Reads rules about who can see content. A rule that isn't known must never give additional access. */

/**
 * Returns the group names in an entry or a list of entries. An entry is a name or a rule `{ includes }`. Undefined if there are other
 * entries, such as a rule with `excludes`.
 */
export function groupNames(value: unknown): string[] | undefined {
  const entries = Array.isArray(value) ? value : [value];
  const names = entries.map((entry: unknown): string[] | undefined => {
    if (typeof entry === "string" || typeof entry === "number") return [String(entry)];
    const { includes, ...others } = (entry ?? {}) as { includes?: unknown };
    return includes === undefined || Object.keys(others).length > 0 ? undefined : groupNames(includes);
  });
  return names.every((list) => list !== undefined) ? names.flat() : undefined;
}

/** Keys, in lowercase and without hyphens and underscores, that could restrict access on other platforms. */
const restrictions = new Set(
  "access accesscontrol allowedgroups audience audiences auth authenticated authentication group groups ispublic private isprivate public requireauth restricted roles signin userauth userauthentication viewers".split(
    " ",
  ),
);
/** Restrictions whose value `false` means restricted. For the others, `false` means unrestricted. */
const permissions = new Set(["ispublic", "public"]);

/**
 * Whether a key that Octavo doesn't support could restrict access: its name is that of a restriction, and its value doesn't clearly mean
 * that there is none.
 */
export function mayRestrictAccess(key: string, value: unknown): boolean {
  const name = key.toLowerCase().replace(/[-_]/g, "");
  if (!restrictions.has(name) || value === null || value === undefined) return false;
  return value !== permissions.has(name);
}
