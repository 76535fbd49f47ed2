/** The format of the navigation that the host sends to readers, without the entries that they may not read. */

import type { Access } from "../../base/access.ts";
import type { CompactGroup, CompactPage } from "./compact-tree.ts";

/**
 * A navigation entry with its access. A group is visible if one of its items is visible. `landing`: access of the page that the
 * group's title links to.
 */
export type GuardedItem = { access: Access; page: CompactPage } | { group: CompactGroup; landing?: Access; items: GuardedItem[] };

/**
 * Yields the lines of a JSON array with these entries. The host reads them one by one. There is a line for the start and the end of the
 * array, for each page, and for the start and the end of each group.
 */
export function* navigationLines(items: readonly GuardedItem[]): Generator<string> {
  yield "[";
  yield* linesOf(items);
  yield "]";
}

function* linesOf(items: readonly GuardedItem[]): Generator<string> {
  for (const [index, item] of items.entries()) {
    const comma = index < items.length - 1 ? "," : "";
    if ("page" in item) yield JSON.stringify(item) + comma;
    else {
      yield JSON.stringify({ ...item, items: [] }).slice(0, -groupEnd.length);
      yield* linesOf(item.items);
      yield groupEnd + comma;
    }
  }
}

const groupEnd = "]}";
