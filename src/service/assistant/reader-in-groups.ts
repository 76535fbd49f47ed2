import type { Reader } from "../../base/access.ts";
import type { Scope } from "../core/scope.ts";

/** A reader with the requested groups that the key allows; undefined if there are none: public pages only. */
export function readerInGroups(scope: Scope, requested: readonly string[] = []): Reader | undefined {
  const groups = requested.filter((group) => scope.groups?.includes(group));
  return groups.length ? { groups } : undefined;
}
