/** Dashboard routes for a site's views, visitors and referrers. */

import { limits } from "../../base/limits.ts";
import { type AnalyticsRange, rangeOf } from "../ui/analytics-range.ts";
import { page } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { projectRoute } from "../ui/route.ts";
import { adjacentOffsets, readSkip } from "../ui/skip-paging.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { type CountsByPage, referrers, trafficByDay, viewsByPage, visitorsByPage } from "./traffic.ts";
import { Traffic, type TrafficShow } from "./traffic-view.tsx";

export const trafficRoutes = [projectRoute("GET /traffic", "showTraffic", "viewer", show)];

type PageRow = CountsByPage["rows"][number];
type Referrer = Awaited<ReturnType<typeof referrers>>[number];

async function show(visit: ProjectVisit) {
  const { service, scope, project, url } = visit;
  const range = rangeOf(url);
  const view =
    (["visitors", "referrers"] as const).find((name) => name === url.searchParams.get("show")) ?? "views";
  const format = downloadFormat(visit);
  if (format && view === "referrers")
    return analyticsDownload(visit, view, format, referrerColumns, referrersOf(visit, range));
  if (format && view !== "referrers")
    return analyticsDownload(visit, view, format, pageColumns, pagesOf(visit, view, range));

  const [skip, limit] = [readSkip(url), limits.listPage_count];
  const days = await trafficByDay(service, scope, project.id, range);

  const pages =
    view === "referrers"
      ? undefined
      : await byPage[view](service, scope, project.id, { ...range, limit, offset: skip });

  const from = view === "referrers" ? await referrers(service, scope, project.id, { ...range, limit }) : [];
  const sum = (name: "humanViews" | "aiViews" | "humanVisitors" | "aiVisitors") =>
    days.reduce((all, day) => all + day[name], 0);
  return page(
    "Traffic",
    <Traffic
      path={projectHref(scope.organizationId, project.id, "/traffic")}
      range={range}
      show={view}
      views={{ human: sum("humanViews"), ai: sum("aiViews") }}
      visitors={{ human: sum("humanVisitors"), ai: sum("aiVisitors") }}
      days={new Map(days.map(({ day, humanViews, aiViews }) => [day, [humanViews, aiViews]]))}
      pages={pages?.rows ?? []}
      linked={await visit.linkedPages(pages?.rows.map(({ path }) => path) ?? [])}
      referrers={from}
      {...adjacentOffsets(skip, limit, pages?.hasMore ?? false)}
    />,
    { hasChart: true },
  );
}

const byPage = { views: viewsByPage, visitors: visitorsByPage };

async function* pagesOf(
  { service, scope, project }: ProjectVisit,
  view: Exclude<TrafficShow, "referrers">,
  range: AnalyticsRange,
): AsyncGenerator<PageRow[]> {
  const limit = limits.downloadBatch_count;
  for (let offset = 0; ; offset += limit) {
    const { rows, hasMore } = await byPage[view](service, scope, project.id, { ...range, limit, offset });
    yield rows;
    if (!hasMore) return;
  }
}

async function* referrersOf(
  { service, scope, project }: ProjectVisit,
  range: AnalyticsRange,
): AsyncGenerator<Referrer[]> {
  yield await referrers(service, scope, project.id, { ...range, limit: limits.downloadBatch_count });
}

const pageColumns: readonly DownloadColumn<PageRow>[] = [
  { name: "path", value: ({ path }) => path },
  { name: "human", value: ({ human }) => human },
  { name: "ai", value: ({ ai }) => ai },
  { name: "total", value: ({ total }) => total },
];

const referrerColumns: readonly DownloadColumn<Referrer>[] = [
  { name: "host", value: ({ host }) => host },
  { name: "views", value: ({ views }) => views },
];
