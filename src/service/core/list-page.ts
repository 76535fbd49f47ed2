/** Pages of short lists, which are read completely: all items after a cursor, up to a limit. */

import { cursorParameter, optionalInteger } from "./parameters.ts";

/** Query parameters of a short list. The cursor is the key of the previous page's last item. */
export const listQuery = {
  limit: optionalInteger("Maximum number of items per page. Default: all items.", {
    minimum: 1,
    maximum: 1000,
  }),
  cursor: cursorParameter("`nextCursor` from the previous page.", /^[^\s\0]{1,600}$/),
};

interface ListQuery {
  limit: number | undefined;
  cursor: string | undefined;
}

/**
 * Returns a page of the rows. Keys are unique and don't change, so items that exist throughout are on exactly
 * one page, whatever is added or deleted between two requests.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { limit, cursor }: ListQuery,
  isDescending = false,
): { rows: Row[]; nextCursor: string | null; hasMore: boolean } {
  const isBefore = (a: string, b: string) => (isDescending ? a > b : a < b);
  const sorted = rows.toSorted((a, b) => (isBefore(keyOf(a), keyOf(b)) ? -1 : 1));
  const left = cursor === undefined ? sorted : sorted.filter((row) => isBefore(cursor, keyOf(row)));
  const page = left.slice(0, limit);
  const hasMore = page.length < left.length;
  return { rows: page, nextCursor: hasMore ? keyOf(page.at(-1)!) : null, hasMore };
}
