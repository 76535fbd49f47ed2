import type { Reader } from "../../base/access.ts";
import type { Scope } from "../core/scope.ts";

/** A reader in those of the requested groups that the key is for; undefined without any: public pages only. */
export function readerInGroups(scope: Scope, wanted: readonly string[] = []): Reader | undefined {
  const groups = wanted.filter((group) => scope.groups?.includes(group));
  return groups.length ? { groups } : undefined;
}
