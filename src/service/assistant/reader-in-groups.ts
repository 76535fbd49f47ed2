import type { Reader } from "../../base/access.ts";
import type { Scope } from "../core/scope.ts";

/**
 * Returns a reader with the requested groups that the API key allows. Undefined if there are none, so that
 * only public pages can be read.
 */
export function readerInGroups(scope: Scope, requested: readonly string[] = []): Reader | undefined {
  const groups = requested.filter((group) => scope.groups?.includes(group));
  return groups.length ? { groups } : undefined;
}
