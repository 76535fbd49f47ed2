/** Dashboard routes for the searches on a site. */

import { limits } from "../../base/limits.ts";
import { type AnalyticsRange, rangeOf } from "../ui/analytics-range.ts";
import { page } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { Searches } from "./searches-view.tsx";
import { searchesByDay, searchesWithoutResults, type TopSearch, topSearches } from "./top-searches.ts";

export const searchRoutes = [projectRoute("GET /searches", "showSearches", "viewer", show)];

type SearchWithoutResults = Awaited<ReturnType<typeof searchesWithoutResults>>[number];

async function show(visit: ProjectVisit) {
  const { service, scope, project, url } = visit;
  const range = rangeOf(url);
  const isAll = url.searchParams.get("show") !== "without-results";
  const format = downloadFormat(visit);
  if (format && isAll) return analyticsDownload(visit, "searches", format, columns, allOf(visit, range));

  if (format)
    return analyticsDownload(
      visit,
      "searches-without-results",
      format,
      withoutResultsColumns,
      withoutResultsOf(visit, range),
    );

  const after = url.searchParams.get("after") ?? undefined;
  const limit = limits.listPage_count;
  const days = await searchesByDay(service, scope, project.id, range);
  const top = isAll
    ? await topSearches(service, scope, project.id, { ...range, limit, cursor: after })
    : undefined;
  const withoutResults = isAll
    ? []
    : await searchesWithoutResults(service, scope, project.id, { ...range, limit });
  const sum = (name: "hits" | "withoutResults" | "clicks") => days.reduce((all, day) => all + day[name], 0);
  return page(
    "Searches",
    <Searches
      path={projectHref(scope.organizationId, project.id, "/searches")}
      range={range}
      show={isAll ? "all" : "without-results"}
      total={{ hits: sum("hits"), withoutResults: sum("withoutResults"), clicks: sum("clicks") }}
      days={
        new Map(days.map(({ day, hits, withoutResults }) => [day, [hits - withoutResults, withoutResults]]))
      }
      rows={
        top
          ? top.searches.map((row) => ({
              query: row.searchQuery,
              hits: row.hits,
              ctr: row.ctr,
              topPage: row.topClickedPage,
              lastAt: row.lastSearchedAt,
            }))
          : withoutResults.map((row) => ({
              query: row.searchQuery,
              hits: row.hits,
              withoutResults: row.withoutResults,
              lastAt: row.lastSearchedAt,
            }))
      }
      linked={
        await visit.linkedPages(top?.searches.flatMap(({ topClickedPage }) => topClickedPage ?? []) ?? [])
      }
      next={top?.nextCursor ?? undefined}
      isDeeper={isAll && after !== undefined}
    />,
    { hasChart: true },
  );
}

async function* allOf(
  { service, scope, project }: ProjectVisit,
  range: AnalyticsRange,
): AsyncGenerator<TopSearch[]> {
  let cursor: string | undefined;
  do {
    const result = await topSearches(service, scope, project.id, {
      ...range,
      limit: limits.downloadBatch_count,
      cursor,
    });
    yield result.searches;
    cursor = result.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function* withoutResultsOf(
  { service, scope, project }: ProjectVisit,
  range: AnalyticsRange,
): AsyncGenerator<SearchWithoutResults[]> {
  yield await searchesWithoutResults(service, scope, project.id, {
    ...range,
    limit: limits.downloadBatch_count,
  });
}

const columns: readonly DownloadColumn<TopSearch>[] = [
  { name: "searchQuery", value: (row) => row.searchQuery },
  { name: "hits", value: ({ hits }) => hits },
  { name: "ctr", value: ({ ctr }) => ctr },
  { name: "topClickedPage", value: (row) => row.topClickedPage },
  { name: "lastSearchedAt", value: (row) => row.lastSearchedAt?.toISOString() ?? null },
];

const withoutResultsColumns: readonly DownloadColumn<SearchWithoutResults>[] = [
  { name: "searchQuery", value: (row) => row.searchQuery },
  { name: "withoutResults", value: (row) => row.withoutResults },
  { name: "hits", value: ({ hits }) => hits },
  { name: "lastSearchedAt", value: (row) => row.lastSearchedAt?.toISOString() ?? null },
];
