/**
 * Implements paging by offset, for lists that are ordered by count. The query parameter `skip` is the number
 * of rows before the page.
 */

export function readSkip({ searchParams }: URL): number {
  const text = searchParams.get("skip") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
}

/** Returns the offsets of the previous and the next page. Undefined if there is no such page. */
export function adjacentOffsets(
  skip: number,
  limit: number,
  hasMore: boolean,
): { previous: number | undefined; next: number | undefined } {
  return {
    previous: skip > 0 ? Math.max(0, skip - limit) : undefined,
    next: hasMore ? skip + limit : undefined,
  };
}
