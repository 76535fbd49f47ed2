import type { Reader } from "../../base/access.ts";
import type { Scope } from "../core/scope.ts";

/** Returns a reader with the requested groups that the key allows. Undefined, which means public pages only, if there are none. */
export function readerInGroups(scope: Scope, requested: readonly string[] = []): Reader | undefined {
  const groups = requested.filter((group) => scope.groups?.includes(group));
  return groups.length ? { groups } : undefined;
}
