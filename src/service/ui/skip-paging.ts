/** Pages of lists that are ordered by how much: `skip` in the address counts the rows before. */

export function readSkip({ searchParams }: URL): number {
  const text = searchParams.get("skip") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
}

/** Where the pages before and after begin; undefined: there is none. */
export function stepsOf(skip: number, limit: number, hasMore: boolean): { previous: number | undefined; next: number | undefined } {
  return { previous: skip > 0 ? Math.max(0, skip - limit) : undefined, next: hasMore ? skip + limit : undefined };
}
