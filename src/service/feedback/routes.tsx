/** Dashboard routes for readers' feedback: the list, counts by page, and status changes. */

import { invalid } from "../../base/app-error.ts";
import { limits } from "../../base/limits.ts";
import { readUlid, ulidTime } from "../../base/ulid.ts";
import { mayActAs } from "../core/identity.ts";
import type { FeedbackSource, FeedbackStatus } from "../core/tables.ts";
import { rangeOf } from "../ui/analytics-range.ts";
import { page, redirect } from "../ui/dashboard-response.ts";
import { projectHref } from "../ui/dashboard-urls.ts";
import { analyticsDownload, type DownloadColumn, downloadFormat } from "../ui/list-download.ts";
import { field } from "../ui/read-form.ts";
import { projectRoute } from "../ui/route.ts";
import type { ProjectVisit } from "../ui/visit.ts";
import {
  type FeedbackFilter,
  type FeedbackRow,
  feedbackByPage,
  listFeedback,
  type PageFeedbackCounts,
  setFeedbackStatus,
} from "./feedback.ts";
import { Feedback, sourceNames, statusNames } from "./feedback-view.tsx";

/** Maximum number of pages in the list of counts by page. */
const feedbackPages_count = 500;

export const feedbackRoutes = [
  projectRoute("GET /feedback", "showFeedback", "viewer", show),
  projectRoute("POST /feedback/:feedbackId/status", "changeFeedbackStatus", "editor", async (visit) => {
    const { service, scope, project, params, form } = visit;
    const status = statusOf(field(form, "status"));
    if (!status) throw invalid("The status wasn't changed", "Choose a status from the list");
    await setFeedbackStatus(service, scope, project.id, params.feedbackId!, status);
    const back = field(form, "back");
    return redirect(back.startsWith(`${pathOf(visit)}?`) ? back : pathOf(visit), "feedback-changed");
  }),
];

async function show(visit: ProjectVisit) {
  const { url, member } = visit;
  const range = rangeOf(url);
  const isByPage = url.searchParams.get("show") === "pages";
  const status = statusOf(url.searchParams.get("status") ?? "");
  const source = (Object.keys(sourceNames) as FeedbackSource[]).find(
    (name) => name === url.searchParams.get("source"),
  );
  const filter = { dateFrom: range.dateFrom, dateTo: range.dateTo, source, status: status && [status] };
  const format = downloadFormat(visit);
  if (format && isByPage)
    return analyticsDownload(visit, "feedback-by-page", format, pageColumns, pagesOf(visit, filter));
  if (format) return analyticsDownload(visit, "feedback", format, columns, allOf(visit, filter));

  const cursor = readUlid(url.searchParams.get("before") ?? "");
  const { pages, rows, next } = isByPage
    ? { pages: await pageCounts(visit, filter), rows: [], next: undefined }
    : { pages: [], ...(await pageOfFeedback(visit, { ...filter, cursor })) };

  return page(
    "Feedback",
    <Feedback
      path={pathOf(visit)}
      range={range}
      show={isByPage ? "pages" : "single"}
      status={status ?? ""}
      source={source ?? ""}
      rows={rows}
      pages={pages}
      linked={await visit.linkedPages((isByPage ? pages : rows).map(({ path }) => path))}
      next={next}
      isLaterPage={cursor !== undefined}
      mayChange={mayActAs(member.role, "editor")}
    />,
  );
}

/** Returns the feedback of a page of the list, newest first. `next`: the cursor of the next page. */
async function pageOfFeedback(
  { service, scope, project }: ProjectVisit,
  filter: Omit<FeedbackFilter, "limit"> & { cursor: string | undefined },
): Promise<{ rows: (FeedbackRow & { at: Date })[]; next: string | undefined }> {
  const limit = limits.listPage_count;
  const { rows, hasMore } = await listFeedback(service, scope, project.id, { ...filter, limit });
  return {
    rows: rows.map((row) => ({ ...row, at: new Date(ulidTime(row.id)) })),
    next: hasMore ? rows.at(-1)!.id : undefined,
  };
}

async function pageCounts(
  { service, scope, project }: ProjectVisit,
  filter: Omit<FeedbackFilter, "limit">,
): Promise<PageFeedbackCounts[]> {
  return (await feedbackByPage(service, scope, project.id, { ...filter, limit: feedbackPages_count })).rows;
}

function statusOf(text: string): FeedbackStatus | undefined {
  return (Object.keys(statusNames) as FeedbackStatus[]).find((status) => status === text);
}

function pathOf({ scope, project }: ProjectVisit): string {
  return projectHref(scope.organizationId, project.id, "/feedback");
}

async function* allOf(
  { service, scope, project }: ProjectVisit,
  filter: Omit<FeedbackFilter, "limit">,
): AsyncGenerator<FeedbackRow[]> {
  for (let cursor: string | undefined; ; ) {
    const { rows, hasMore } = await listFeedback(service, scope, project.id, {
      ...filter,
      limit: limits.downloadBatch_count,
      cursor,
    });
    yield rows;
    if (!hasMore) return;
    cursor = rows.at(-1)!.id;
  }
}

async function* pagesOf(
  visit: ProjectVisit,
  filter: Omit<FeedbackFilter, "limit">,
): AsyncGenerator<PageFeedbackCounts[]> {
  yield await pageCounts(visit, filter);
}

const columns: readonly DownloadColumn<FeedbackRow>[] = [
  { name: "id", value: ({ id }) => id },
  { name: "createdAt", value: ({ id }) => new Date(ulidTime(id)).toISOString() },
  { name: "path", value: ({ path }) => path },
  { name: "source", value: ({ source }) => source },
  { name: "status", value: ({ status }) => status },
  { name: "helpful", value: ({ helpful }) => helpful },
  { name: "reason", value: ({ reason }) => reason },
  { name: "comment", value: ({ comment }) => comment },
  { name: "contact", value: ({ contact }) => contact },
  { name: "code", value: ({ code }) => code },
  { name: "filename", value: ({ filename }) => filename },
  { name: "lang", value: ({ lang }) => lang },
];

const pageColumns: readonly DownloadColumn<PageFeedbackCounts>[] = [
  { name: "path", value: ({ path }) => path },
  { name: "thumbsUp", value: ({ thumbsUp }) => thumbsUp },
  { name: "thumbsDown", value: ({ thumbsDown }) => thumbsDown },
  { name: "code", value: ({ code }) => code },
  { name: "total", value: ({ total }) => total },
];
