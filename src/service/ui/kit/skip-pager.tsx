import { hrefWith, type Query } from "./href-with.ts";
import { Pager } from "./pager.tsx";

/**
 * Links to the adjacent pages of a list that is ordered by count. `previous` and `next` are numbers of rows
 * to skip; undefined if there is no such page.
 */
export function SkipPager({
  path,
  query,
  previous,
  next,
}: {
  path: string;
  query: Query;
  previous: number | undefined;
  next: number | undefined;
}) {
  const at = (skip: number | undefined) =>
    skip === undefined ? undefined : hrefWith(path, { ...query, skip: skip === 0 ? "" : String(skip) });
  return <Pager more={at(previous)} less={at(next)} />;
}
