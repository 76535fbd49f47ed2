/** Route of the unanswered questions, in groups of similar ones. */

import { limits } from "../../base/limits.ts";
import { ulidTime } from "../../base/ulid.ts";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/analytics-download.ts";
import { type AnalyticsRange, rangeOf } from "../ui/analytics-range.ts";
import { page } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { projectRoute } from "../ui/route.ts";
import { adjacentOffsets, readSkip } from "../ui/skip-paging.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import { listUnanswered, type UnansweredGroup } from "./unanswered.ts";
import { Questions } from "./unanswered-view.tsx";

export const questionRoutes = [projectRoute("GET /questions", "showQuestions", "viewer", show, { isRecorded: true })];

async function show(visit: ProjectVisit) {
  const { service, scope, project, url } = visit;
  const range = rangeOf(url);
  const format = downloadFormat(visit);
  if (format) return analyticsDownload(visit, "unanswered-questions", format, columns, allOf(visit, range));
  const [skip, limit] = [readSkip(url), limits.listPage_count];
  const { groups, hasMore, countedFrom } = await listUnanswered(service, scope, project.id, { ...range, limit, offset: skip });
  return page(
    "Unanswered questions",
    <Questions
      path={projectHref(scope.organizationId, project.id, "/questions")}
      conversationsPath={projectHref(scope.organizationId, project.id, "/conversations")}
      range={range}
      groups={groups.map((group) => ({
        ...group,
        pageUrl: group.page_url,
        firstAt: instantOf(group.first),
        lastAt: instantOf(group.last),
      }))}
      {...adjacentOffsets(skip, limit, hasMore)}
      countedFrom={countedFrom}
    />,
  );
}

async function* allOf({ service, scope, project }: ProjectVisit, range: AnalyticsRange): AsyncGenerator<UnansweredGroup[]> {
  const limit = limits.downloadBatch_count;
  for (let offset = 0; ; offset += limit) {
    const { groups, hasMore } = await listUnanswered(service, scope, project.id, { ...range, limit, offset });
    yield groups;
    if (!hasMore) return;
  }
}

const columns: readonly DownloadColumn<UnansweredGroup>[] = [
  { name: "question", value: ({ example }) => example },
  { name: "count", value: ({ count }) => count },
  { name: "firstAskedAt", value: ({ first }) => instantOf(first).toISOString() },
  { name: "lastAskedAt", value: ({ last }) => instantOf(last).toISOString() },
  { name: "lastPageUrl", value: (group) => group.page_url },
  { name: "terms", value: ({ key }) => key },
];

function instantOf(id: string): Date {
  return new Date(ulidTime(id));
}
