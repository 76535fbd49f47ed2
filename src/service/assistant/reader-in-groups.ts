import type { Reader } from "../../base/access.ts";
import type { Scope } from "../core/scope.ts";

/** Returns a reader in those of the requested groups that the API key allows. Undefined if there are none, which means public pages only. */
export function readerInGroups(scope: Scope, requested: readonly string[] = []): Reader | undefined {
  const groups = requested.filter((group) => scope.groups?.includes(group));
  return groups.length ? { groups } : undefined;
}
