/**
 * Links to the adjacent pages of a list that is ordered by time (`newer`, `older`), by count (`more`, `less`)
 * or otherwise (`next`). `newest` and `first` link to the first page, in lists that can't link to the
 * previous page.
 */
export function Pager({
  newest,
  newer,
  older,
  more,
  less,
  first,
  next,
}: Partial<Record<"newest" | "newer" | "older" | "more" | "less" | "first" | "next", string | undefined>>) {
  if ([newest, newer, older, more, less, first, next].every((href) => href === undefined)) return null;
  return (
    <nav class="d-pager" aria-label="Pagination">
      {newest !== undefined && <a href={newest}>← Newest</a>}
      {newer !== undefined && <a href={newer}>← Newer</a>}
      {older !== undefined && <a href={older}>Older →</a>}
      {more !== undefined && <a href={more}>← More frequent</a>}
      {less !== undefined && <a href={less}>Less frequent →</a>}
      {first !== undefined && <a href={first}>← First page</a>}
      {next !== undefined && <a href={next}>Next page →</a>}
    </nav>
  );
}
