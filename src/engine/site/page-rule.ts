/** Decides who may read a page, from its author's rules. */

export interface PageRules {
  /** Whether a place of the page in the navigation has an access rule that Octavo doesn't know. */
  isClosed: boolean;
  /** `public` in the frontmatter. */
  isPublic: boolean | undefined;
  /** Groups in the frontmatter, or of the operation that the page shows. */
  groups: readonly string[] | undefined;
  /** `public` of the nearest level of the navigation that has it. */
  isLevelPublic: boolean | undefined;
}

/**
 * Returns who may read a page. An unknown rule in the navigation closes the page. Then comes `public: true`,
 * then the groups, then `public: false`, then the navigation. If none of these is set, `isOpen` decides:
 * whether pages without a rule are public.
 */
export function readersOf(
  { isClosed, isPublic, groups, isLevelPublic }: PageRules,
  isOpen: boolean,
): "anyone" | "readers" | readonly string[] {
  if (isClosed) return [];
  if (isPublic === true) return "anyone";
  if (groups) return groups;
  if (isPublic === false) return "readers";
  return (isLevelPublic ?? isOpen) ? "anyone" : "readers";
}
